import { dirname, join, relative } from 'node:path';
import type { Bounds } from './bounds.ts';
import { readIgnored } from './ignored.ts';
import { toBytes, toText } from './path.ts';
import {
  findRepository,
  findRepositoryAbove,
  NOTHING_TRACKED,
  type Repository,
  readExcludesFile,
  readTracked,
  type Tracked,
} from './repository.ts';
import { readIfThere } from './read.ts';
import { makeRules, type Rules } from './rules.ts';
import { readMark } from './stamp.ts';

export interface Rulebook {
  /** The rules for the repository at `base`, as they are now. `also` are paths to capture whatever git says. */
  read(base: string, also: ReadonlySet<string>): Promise<Rules>;
}

/** Keeps track of where the rules of a workspace come from, and reads again only what changed. */
export function makeRulebook(place: { root: string; gitDir: string; bounds: Bounds }): Rulebook {
  const { root, gitDir, bounds } = place;
  const trackedAt = new Map<string, Tracked>();
  let around: Repository | null | undefined;
  let excludes = { mark: '', file: '' };
  const silence = new Map<string, { signature: string; silent: boolean }>();

  function isSilent(base: string, signature: string, files: readonly string[]): boolean {
    const known = silence.get(base);
    if (known?.signature === signature) return known.silent;
    const silent = files.every(saysNothing);
    silence.set(base, { signature, silent });
    return silent;
  }

  async function findAt(base: string, dir: string): Promise<Repository | null> {
    const own = findRepository(dir);
    if (own !== null || base !== '') return own;
    if (around === undefined) around = await findAround(root, gitDir);
    return around;
  }

  /** The workspace is read first, and its answer holds for the nested repositories too. */
  async function readExcludes(base: string, repository: Repository | null): Promise<string> {
    if (base !== '') return excludes.file;
    const mark = repository === null ? '-' : readMark(join(repository.commonDir, 'config'));
    if (mark !== excludes.mark) excludes = { mark, file: await readExcludesFile(repository, root, gitDir) };
    return excludes.file;
  }

  return {
    async read(base, also) {
      const dir = join(root, toText(base));
      const repository = await findAt(base, dir);
      const before = trackedAt.get(base) ?? NOTHING_TRACKED;
      const tracked = repository === null ? NOTHING_TRACKED : await readTracked(repository, dir, before);
      trackedAt.set(base, tracked);
      const top = repository?.top ?? dir;
      const own = repository === null ? [] : [join(repository.commonDir, 'info/exclude')];
      const ruleFiles = [await readExcludes(base, repository), ...own];
      const signature = [top, repository?.gitDir, tracked.version, ...readMarks(ruleFiles, top, dir)].join(
        '|',
      );
      const silent = isSilent(base, signature, [...ruleFiles, ...gitignoresAbove(top, dir)]);
      return makeRules(gitDir, { base, signature, dir, top, ruleFiles, silent, tracked, bounds, also });
    },
  };
}

/** A repository around the workspace counts, unless it ignores the workspace. */
async function findAround(root: string, gitDir: string): Promise<Repository | null> {
  const found = findRepositoryAbove(root);
  if (found === null) return null;
  const path = toBytes(relative(found.top, root));
  const ruleFiles = [join(found.commonDir, 'info/exclude')];
  const ignored = await readIgnored({ gitDir, top: found.top, cwd: found.top, ruleFiles, paths: [path] });
  return ignored.has(path) ? null : found;
}

function readMarks(ruleFiles: readonly string[], top: string, dir: string): string[] {
  return [
    ...ruleFiles.map((file) => `${file}=${readMark(file)}`),
    ...gitignoresAbove(top, dir).map(readMark),
  ];
}

function gitignoresAbove(top: string, dir: string): string[] {
  const files: string[] = [];
  for (let at = dir; at !== top; at = dirname(at)) files.push(join(dirname(at), '.gitignore'));
  return files;
}

/** Whether a rule file holds nothing but comments and blank lines, or is not there. */
function saysNothing(file: string): boolean {
  const rules = readIfThere(file)?.toString('latin1') ?? '';
  return rules.split('\n').every((line) => line.trim() === '' || line.startsWith('#'));
}
