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
import { looksSecret } from './secret.ts';
import { readMark } from './stamp.ts';
import type { Verdict } from './tree.ts';

/** A name that is not captured and about which nothing is known yet. */
export interface Unknown {
  path: string;
  name: string;
  isDir: boolean;
}

/** What one repository, or the workspace itself, wants captured below `base`. */
export interface Rules {
  base: string;
  /** Differs as soon as a verdict could; the `.gitignore` files below `base` apart. */
  signature: string;
  trouble: string | null;
  judge(unknown: readonly Unknown[]): Promise<Verdict[]>;
  /** Whether something in this ignored directory is to be captured nevertheless. */
  mayHold(dir: string): boolean;
}

export interface Rulebook {
  /** The rules for the repository at `base`, as they are now. `also` are paths to capture whatever git says. */
  read(base: string, also: ReadonlySet<string>): Promise<Rules>;
}

/** Answers by the live rules of git, the spec, and what looks like a secret. */
export function makeRulebook(place: { root: string; gitDir: string; bounds: Bounds }): Rulebook {
  const { root, gitDir, bounds } = place;
  const trackedAt = new Map<string, Tracked>();
  let above: Promise<Repository | null> | null = null;
  let excludes = { mark: '', file: '' };

  async function readExcludes(repository: Repository | null): Promise<string> {
    const mark = repository === null ? '-' : readMark(join(repository.commonDir, 'config'));
    if (mark !== excludes.mark) excludes = { mark, file: await readExcludesFile(repository, root, gitDir) };
    return excludes.file;
  }

  async function findFor(base: string, dir: string): Promise<Repository | null> {
    const own = findRepository(dir);
    if (own !== null || base !== '') return own;
    above ??= findAbove(root, gitDir);
    return above;
  }

  return {
    async read(base, also) {
      const dir = base === '' ? root : join(root, toText(base));
      const repository = await findFor(base, dir);
      if (base === '' || excludes.mark === '') await readExcludes(repository);
      const before = trackedAt.get(base) ?? NOTHING_TRACKED;
      const tracked = repository === null ? NOTHING_TRACKED : await readTracked(repository, dir, before);
      trackedAt.set(base, tracked);
      const top = repository?.top ?? dir;
      const info = repository === null ? [] : [join(repository.commonDir, 'info/exclude')];
      const ruleFiles = [excludes.file, ...info];
      const inBase = (path: string) => (base === '' ? path : path.slice(base.length + 1));
      const signature = [top, repository?.gitDir, tracked.version, ...marks(ruleFiles, top, dir)].join('|');
      return {
        base,
        signature,
        trouble: tracked.trouble,
        mayHold: (path) =>
          !bounds.isOurs(path) &&
          (tracked.dirs.has(inBase(path)) || also.has(path) || bounds.mayInclude(path)),
        async judge(unknown) {
          const isAsked = (path: string) => also.has(path) || tracked.paths.has(inBase(path));
          const paths = unknown
            .map(({ path }) => path)
            .filter((path) => !bounds.isOurs(path) && !isAsked(path));
          const request = { gitDir, top, cwd: dir, ruleFiles, paths: paths.map(inBase) };
          const ignored = await readIgnored(request);
          return unknown.map(({ path, name, isDir }): Verdict => {
            if (bounds.isOurs(path)) return { kind: 'ignored' };
            if (ignored.has(inBase(path)) && !bounds.isIncluded(path)) return { kind: 'ignored' };
            if (bounds.isExcluded(path)) return { kind: 'left-out', why: 'excluded by the spec' };
            if (!isDir && !isAsked(path) && looksSecret(name)) {
              return { kind: 'left-out', why: 'looks like a secret and is not tracked' };
            }
            return { kind: 'wanted' };
          });
        },
      };
    },
  };
}

/** A repository around the workspace counts, unless it ignores the workspace. */
async function findAbove(root: string, gitDir: string): Promise<Repository | null> {
  const found = findRepositoryAbove(root);
  if (found === null) return null;
  const path = toBytes(relative(found.top, root));
  const ruleFiles = [join(found.commonDir, 'info/exclude')];
  const ignored = await readIgnored({ gitDir, top: found.top, cwd: found.top, ruleFiles, paths: [path] });
  return ignored.has(path) ? null : found;
}

function marks(ruleFiles: readonly string[], top: string, dir: string): string[] {
  const found = ruleFiles.map((file) => `${file}=${readMark(file)}`);
  for (let at = dir; at !== top; ) {
    at = dirname(at);
    found.push(readMark(join(at, '.gitignore')));
  }
  return found;
}
