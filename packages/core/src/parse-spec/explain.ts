import type * as z from 'zod';
import { nearest } from '../text/index.ts';
import { type Path, type SpecProblem, show, suggest, valueAt } from './problem.ts';

/** What else a mistake is told with. */
export interface Surroundings {
  /** Where an option stands in the user's own text. */
  originOf(path: Path): Path;
  /** Older names that an option of this group may also have. */
  olderNames(group: Path): readonly string[];
}

/** The mistakes that one issue of the schema stands for, in our words. */
export function explain(issue: z.core.$ZodIssue, root: unknown, around: Surroundings): SpecProblem[] {
  const path = issue.path.map((part) => (typeof part === 'number' ? part : String(part)));
  if (issue.code === 'unrecognized_keys') {
    const known = issue.message.split('\n');
    return issue.keys.map((key) => unknownOption([...path, key], known, around));
  }
  const holder = valueAt(root, path.slice(0, -1));
  // In a short form such as `agent: [sh]` the list, or the text, is what was found.
  const short = Array.isArray(holder) || typeof holder === 'string';
  const found = short && typeof path.at(-1) === 'string' ? holder : valueAt(root, path);
  const kinds = kindsOf(issue);
  if (kinds) return [unknownKind(path, typeof holder === 'string' ? holder : found, kinds)];
  if (found === undefined) return [{ path, message: `missing: expected ${issue.message}` }];
  return [
    { path, message: `expected ${issue.message}, found ${show(found)}${nearOneOf(issue.message, found)}` },
  ];
}

function unknownOption(path: Path, known: readonly string[], around: Surroundings): SpecProblem {
  const name = String(around.originOf(path).at(-1));
  const older = around.olderNames(path.slice(0, -1)).filter((one) => one !== name);
  const hint = suggest(name, known, older);
  return { path: [...path], message: `unknown option "${name}"${hint}`, inName: true };
}

/** Where one of a few words was expected, the one that was probably meant. */
function nearOneOf(expected: string, found: unknown): string {
  const words = /^one of (.+)$/.exec(expected)?.[1]?.split(', ');
  const near = words && typeof found === 'string' ? nearest(found, words) : undefined;
  return near ? `: did you mean "${near}"?` : '';
}

/** The kinds there are, when the issue is that none of them was named. */
function kindsOf(issue: z.core.$ZodIssue): readonly string[] | undefined {
  if (issue.code !== 'invalid_union' || issue.path.at(-1) !== 'kind') return undefined;
  return (issue as { options?: unknown[] }).options?.map(String);
}

function unknownKind(path: (string | number)[], found: unknown, known: readonly string[]): SpecProblem {
  const group = String(path[0]);
  // The gates of a whole plan stand under `done`.
  const noun = group === 'gates' || group === 'done' ? (path.length === 3 ? 'kind of gate' : 'kind') : group;
  if (typeof found !== 'string') return { path, message: `missing: expected one of ${known.join(', ')}` };
  const hint =
    group === 'agent' && !nearest(found, known)
      ? `; drive any program as a command, such as {kind: command, run: [${found}]}`
      : suggest(found, known);
  return { path, message: `unknown ${noun} "${found}"${hint}` };
}
