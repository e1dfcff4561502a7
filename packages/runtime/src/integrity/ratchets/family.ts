import type { RatchetKind } from '@agentgate/core';

export type Language =
  | 'script'
  | 'typescript'
  /** TypeScript that is no mere declaration. */
  | 'typescript-code'
  | 'python'
  | 'go'
  | 'rust'
  | 'ruby'
  | 'jvm'
  | 'php'
  | 'csharp'
  | 'c'
  | 'shell'
  | 'swift'
  | 'dart'
  | 'elixir'
  | 'style';

/** One way of writing what a family counts. */
export interface Form {
  languages: readonly Language[];
  /** In each comment by itself, in the code alone, or in code and strings. */
  where: 'comment' | 'code' | 'spoken';
  /** Global. */
  find: RegExp;
  /** What exactly is meant, when it matters: the rules that are switched off. */
  keys?(match: RegExpMatchArray): string[];
}

/** Things that are counted together. */
export interface Family {
  name: string;
  kind: RatchetKind;
  /** What there are more of, or fewer, in words. */
  say: string;
  worse: 'more' | 'fewer';
  /** In which files it counts: `old-tests` are those that the baseline had. */
  within: 'all' | 'sources' | 'tests' | 'old-tests';
  forms: readonly Form[];
}

/** A key that stands for every rule. */
export const everything = '*';

/** A key for a whole file. */
export const wholeFile = (key: string): string => `file:${key}`;

/** Keys that say more than this one: to have one of them fewer makes up for this one. */
export function broaderThan(key: string): string[] {
  const rule = key.replace(/^file:/, '');
  const broader = [wholeFile(everything), ...(key.startsWith('file:') ? [] : [wholeFile(rule), everything])];
  return broader.filter((one) => one !== key);
}

const byEnding = new Map<string, readonly Language[]>(
  (
    [
      ['js jsx mjs cjs', ['script']],
      ['ts tsx mts cts vue svelte astro', ['script', 'typescript', 'typescript-code']],
      ['py pyi', ['python']],
      ['go', ['go']],
      ['rs', ['rust']],
      ['rb rake', ['ruby']],
      ['java kt kts scala groovy', ['jvm']],
      ['php phpt', ['php']],
      ['cs', ['csharp']],
      ['c h cpp cc cxx hpp hh', ['c']],
      ['sh bash zsh bats', ['shell']],
      ['swift', ['swift']],
      ['dart', ['dart']],
      ['ex exs', ['elixir']],
      ['css scss less', ['style']],
    ] as const
  ).flatMap(([endings, languages]) => endings.split(' ').map((ending) => [ending, languages] as const)),
);

/** The languages whose forms are looked for in a file; none for a text that is no code. */
export function languagesOf(path: string): readonly Language[] {
  if (/\.d\.[cm]?ts$/i.test(path)) return ['script', 'typescript'];
  const ending = /\.([^./]+)$/.exec(path)?.[1]?.toLowerCase() ?? '';
  return byEnding.get(ending) ?? [];
}
