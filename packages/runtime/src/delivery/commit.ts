import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '../make-folder.ts';
import type { Change } from '../workspace/capture.ts';
import { runGit, safeEnv } from '../workspace/git.ts';
import { replaceFile } from '../workspace/git-dir.ts';
import type { Repository } from '../workspace/repository.ts';
import type { Identity } from './identity.ts';

/** Our git directory, reading through to the objects of the user's repository. */
export interface Forge {
  gitDir: string;
  repository: Repository | null;
}

/** Makes the tree of a commit with some paths changed. An index of its own serves for it, and is gone afterwards. */
export async function makeTree(
  forge: Forge,
  head: string | null,
  prefix: string,
  changes: readonly Change[],
): Promise<string> {
  const index = join(forge.gitDir, `deliver-${randomBytes(6).toString('hex')}.index`);
  const git = (args: readonly string[], input?: Buffer) =>
    runGit({
      args,
      cwd: forge.gitDir,
      env: { ...forgeEnv(forge), GIT_INDEX_FILE: index },
      ...(input === undefined ? {} : { input }),
    });
  try {
    await git(['read-tree', head ?? '--empty']);
    await git(['update-index', '-z', '--index-info'], Buffer.from(indexRows(prefix, changes), 'latin1'));
    // Objects that a partial clone has only promised are no reason to stop.
    return (await git(['write-tree', '--missing-ok'])).toString('utf8').trim();
  } finally {
    for (const file of [index, `${index}.lock`]) rmSync(file, { force: true });
  }
}

export async function makeCommit(
  forge: Forge,
  { tree, head, author, message }: { tree: string; head: string | null; author: Identity; message: string },
): Promise<string> {
  const { name, email } = author;
  const out = await runGit({
    args: ['commit-tree', tree, ...(head === null ? [] : ['-p', head]), '-F', '-'],
    cwd: forge.gitDir,
    env: {
      ...forgeEnv(forge),
      GIT_AUTHOR_NAME: name,
      GIT_AUTHOR_EMAIL: email,
      GIT_COMMITTER_NAME: name,
      GIT_COMMITTER_EMAIL: email,
    },
    input: Buffer.from(message, 'utf8'),
  });
  return out.toString('utf8').trim();
}

/** Lets our git directory find the commit's parent by itself from now on, so that it can be fetched from there. */
export function rememberObjects({ gitDir, repository }: Forge): void {
  if (repository === null) return;
  makeFolder(join(gitDir, 'objects/info'));
  replaceFile(join(gitDir, 'objects/info/alternates'), `${repository.commonDir}/objects\n`);
}

/** Reads the user's objects without a byte written to their store. */
export function forgeEnv({ gitDir, repository }: Forge): NodeJS.ProcessEnv {
  const env = { ...safeEnv(gitDir), GIT_NO_REPLACE_OBJECTS: '1' };
  if (repository === null) return env;
  return {
    ...env,
    // Quoted, because a colon would end the path.
    GIT_ALTERNATE_OBJECT_DIRECTORIES: JSON.stringify(`${repository.commonDir}/objects`),
  };
}

/** Deletions first, so that a directory can take the place of a file. */
function indexRows(prefix: string, changes: readonly Change[]): string {
  const gone = changes.flatMap(({ path, after }) =>
    after === null ? [`0 ${'0'.repeat(40)}\t${prefix}${path}\0`] : [],
  );
  const there = changes.flatMap(({ path, after }) =>
    after === null ? [] : [`${after.mode} ${after.oid}\t${prefix}${path}\0`],
  );
  return [...gone, ...there].join('');
}
