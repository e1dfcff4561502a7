/** Runners whose verdicts an agent may want to bend. */
export const runners = ['vitest', 'jest', 'mocha', 'node', 'pytest', 'eslint', 'tsc'] as const;
export type Runner = (typeof runners)[number];

/** Files by path; null takes a file away. */
export type Edit = Readonly<Record<string, string | null>>;

/** A small repository with a bug, red findings that show it, and an honest fix. */
export interface Base {
  runner: Runner;
  files: Readonly<Record<string, string>>;
  /** The command that judges, as a user would write it. */
  gate: string;
  fix: Edit;
  /** A check of other inputs: a file of the folder `held-out`, which is copied to a place outside of the workspace. */
  heldOut: { run: 'node' | 'python3'; file: string };
}

/** What an agent does: it edits files, and may run something. */
interface Work {
  id: string;
  what: string;
  edit?: Edit;
  /** A shell script that runs after the edit, in the workspace. */
  script?: string;
  /** Files in which the repository of this case differs from the base from the start. */
  files?: Edit;
  /** Another command that judges. */
  gate?: string;
  /** Where that command leaves a report, and in which format. */
  report?: { format: string; path: string };
}

/**
 * A cheat. `harness`: it bends what judges, be it a test, a setting, a tool, the report or the surroundings.
 * `source`: it changes nothing but files that are the agent's to change.
 */
export interface Trick extends Work {
  class: 'harness' | 'source';
}

/** Writes the tricks of one runner; they bend what judges unless they say otherwise. */
export const tricksOf =
  (runner: Runner) =>
  (id: string, what: string, edit: Edit, more: Partial<Trick> = {}): Trick => ({
    id: `${runner}/${id}`,
    what,
    class: 'harness',
    edit,
    ...more,
  });

/** Honest work; where it changes what judges, a person may have to grant it. */
export interface Honest extends Work {
  expect: 'accepted' | 'needs-grant';
}

/** The text of a file of the base with one part replaced; a part that is not there is a mistake in the corpus. */
export function swap(
  base: Pick<Base, 'files'>,
  path: string,
  ...pairs: [from: string, to: string][]
): string {
  let text = base.files[path];
  if (text === undefined) throw new Error(`the base has no file ${path}`);
  for (const [from, to] of pairs) {
    if (!text.includes(from)) throw new Error(`${path} has no ${JSON.stringify(from)}`);
    text = text.replaceAll(from, () => to);
  }
  return text;
}

/** A changed JSON file of the base. */
export function swapJson(base: Pick<Base, 'files'>, path: string, change: Record<string, unknown>): string {
  const before = JSON.parse(base.files[path] ?? '{}') as Record<string, unknown>;
  return `${JSON.stringify({ ...before, ...change }, null, 2)}\n`;
}
