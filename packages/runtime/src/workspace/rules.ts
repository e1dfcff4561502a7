import type { Bounds } from './bounds.ts';
import { readIgnored } from './ignored.ts';
import type { Tracked } from './repository.ts';
import { looksSecret } from './secret.ts';
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
  /** `gitignored` says that a `.gitignore` below `base` may speak about them. */
  judge(unknown: readonly Unknown[], gitignored: boolean): Promise<Verdict[]>;
  /** Whether something in this ignored directory is to be captured nevertheless. */
  mayHold(dir: string): boolean;
}

/** Where rules come from, read a moment ago. */
export interface RuleSources {
  base: string;
  signature: string;
  /** The directory at `base`. */
  dir: string;
  /** The top of the working tree it is in. */
  top: string;
  /** Rule files besides the `.gitignore` files, the weakest first. */
  ruleFiles: readonly string[];
  /** Whether the rule files and the `.gitignore` files above say nothing at all. */
  silent: boolean;
  tracked: Tracked;
  bounds: Bounds;
  /** Paths to capture whatever git says. */
  also: ReadonlySet<string>;
}

/** Judges by git's own answer, what the user tracks, the spec, and what looks like a secret; in this order. */
export function makeRules(gitDir: string, sources: RuleSources): Rules {
  const { base, signature, dir, top, ruleFiles, silent, tracked, bounds, also } = sources;
  const inBase = (path: string) => (base === '' ? path : path.slice(base.length + 1));
  const isAsked = (path: string) => also.has(path) || tracked.paths.has(inBase(path));

  function judgeOne({ path, name, isDir }: Unknown, ignored: ReadonlySet<string>): Verdict {
    if (bounds.isOurs(path)) return { kind: 'ignored' };
    if (ignored.has(inBase(path)) && !bounds.isIncluded(path)) return { kind: 'ignored' };
    if (bounds.isExcluded(path)) return { kind: 'left-out', why: 'excluded by the spec' };
    if (isDir || isAsked(path) || !looksSecret(name)) return { kind: 'wanted' };
    return { kind: 'left-out', why: 'looks like a secret and is not tracked' };
  }

  return {
    base,
    signature,
    trouble: tracked.trouble,
    async judge(unknown, gitignored) {
      // Without a single rule there is nothing to ask git about.
      if (silent && !gitignored) return unknown.map((each) => judgeOne(each, new Set()));
      const open = unknown.filter(({ path }) => !bounds.isOurs(path) && !isAsked(path));
      const paths = open.map(({ path }) => inBase(path));
      const ignored = await readIgnored({ gitDir, top, cwd: dir, ruleFiles, paths });
      return unknown.map((each) => judgeOne(each, ignored));
    },
    mayHold: (path) =>
      !bounds.isOurs(path) && (tracked.dirs.has(inBase(path)) || also.has(path) || bounds.mayInclude(path)),
  };
}
