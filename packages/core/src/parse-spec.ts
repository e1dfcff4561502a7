import type * as z from 'zod';
import { type RunSpec, SpecFile } from './spec.ts';
import { nearest } from './text/index.ts';

/** One mistake in a spec: where it stands and what was expected there. */
export interface SpecProblem {
  path: (string | number)[];
  message: string;
  /** The name itself is the mistake, not what it was set to. */
  inName?: true;
}

export type ParsedSpec =
  | { kind: 'spec'; spec: Omit<RunSpec, 'task'>; task: string | { file: string } }
  | { kind: 'invalid'; problems: SpecProblem[] };

/** Parses an untrusted value into a spec, or collects every mistake in it. */
export function parseSpec(value: unknown): ParsedSpec {
  const parsed = SpecFile.safeParse(value);
  const problems = parsed.success ? [] : parsed.error.issues.flatMap((issue) => explain(issue, value));
  problems.push(...crossChecks(value).filter((one) => !problems.some((other) => samePath(one, other))));
  if (!parsed.success || problems.length > 0) return { kind: 'invalid', problems };
  const { task, gates, ...rest } = parsed.data;
  const named = Object.entries(gates).map(([name, gate]) => ({ name, ...gate }));
  return { kind: 'spec', spec: { ...rest, gates: named }, task };
}

export const showPath = (path: readonly (string | number)[]): string => path.join('.') || 'the spec';

function explain(issue: z.core.$ZodIssue, root: unknown): SpecProblem[] {
  const path = issue.path.map((part) => (typeof part === 'number' ? part : String(part)));
  if (issue.code === 'unrecognized_keys') {
    const known = issue.message.split('\n');
    return issue.keys.map((key) => ({
      path: [...path, key],
      message: `unknown option "${key}"${suggest(key, known)}`,
      inName: true as const,
    }));
  }
  const holder = valueAt(root, path.slice(0, -1));
  // In a short form such as `agent: [sh]` the list, or the text, is what was found.
  const short = Array.isArray(holder) || typeof holder === 'string';
  const found = short && typeof path.at(-1) === 'string' ? holder : valueAt(root, path);
  if (issue.code === 'invalid_union' && path.at(-1) === 'kind') return [unknownKind(path, root)];
  if (found === undefined) return [{ path, message: `missing: expected ${issue.message}` }];
  return [
    { path, message: `expected ${issue.message}, found ${show(found)}${nearOneOf(issue.message, found)}` },
  ];
}

/** Where one of a few words was expected, the one that was probably meant. */
function nearOneOf(expected: string, found: unknown): string {
  const words = /^one of (.+)$/.exec(expected)?.[1]?.split(', ');
  const near = words && typeof found === 'string' ? nearest(found, words) : undefined;
  return near ? `: did you mean "${near}"?` : '';
}

const kinds: Record<string, readonly string[]> = {
  gates: ['command', 'artifact'],
  agent: ['command', 'scripted'],
  strategy: ['fixed', 'hybrid', 'ralph'],
};

function unknownKind(path: (string | number)[], root: unknown): SpecProblem {
  const group = String(path[0]);
  const known = kinds[group] ?? [];
  const holder = valueAt(root, path.slice(0, -1));
  const found = typeof holder === 'string' ? holder : valueAt(root, path);
  const noun = group === 'gates' ? 'kind of gate' : group;
  if (typeof found !== 'string') return { path, message: `missing: expected one of ${known.join(', ')}` };
  const hint =
    group === 'agent' && !nearest(found, known)
      ? `; drive any program as a command, such as {kind: command, run: [${found}]}`
      : suggest(found, known);
  return { path, message: `unknown ${noun} "${found}"${hint}` };
}

function suggest(name: string, known: readonly string[]): string {
  const near = nearest(name, known);
  return near ? `: did you mean "${near}"?` : `: expected one of ${known.join(', ')}`;
}

/** Rules between fields; they look at the raw value so that they speak even when other fields are wrong. */
function crossChecks(value: unknown): SpecProblem[] {
  const problems: SpecProblem[] = [];
  const gates = valueAt(value, ['gates']);
  if (isObject(gates)) {
    if (Object.keys(gates).length === 0) {
      problems.push({
        path: ['gates'],
        message: 'expected at least one gate: without gates nothing can be proven',
      });
    }
    for (const name of Object.keys(gates)) {
      if (!/^[\p{L}\p{N}][\p{L}\p{N} ._:-]{0,63}$/u.test(name)) {
        problems.push({
          path: ['gates', name],
          message: `gate name ${show(name)}: expected 1 to 64 letters, digits, spaces or . _ : -`,
        });
      }
      problems.push(...gateChecks(name, gates[name]));
    }
  }
  const min = valueAt(value, ['strategy', 'min']);
  const max = valueAt(value, ['strategy', 'max']) ?? 10;
  if (typeof min === 'number' && typeof max === 'number' && min > max) {
    problems.push({ path: ['strategy', 'min'], message: `expected at most max (${max}), found ${min}` });
  }
  return problems;
}

function gateChecks(name: string, gate: unknown): SpecProblem[] {
  if (!isObject(gate) || 'run' in gate) return [];
  const wanted = ['exists', 'notExists', 'contains'];
  const artifact = gate['kind'] === 'artifact' || wanted.some((key) => key in gate);
  if (!artifact) return [];
  const empty = wanted.every(
    (key) => gate[key] === undefined || (Array.isArray(gate[key]) && gate[key].length === 0),
  );
  const problems: SpecProblem[] = empty
    ? [{ path: ['gates', name], message: 'expected something to look for: exists, notExists or contains' }]
    : [];
  const contains = Array.isArray(gate['contains']) ? gate['contains'] : [];
  contains.forEach((one, at) => {
    const path = ['gates', name, 'contains', at];
    if (isObject(one) && one['text'] === undefined && one['matches'] === undefined) {
      problems.push({ path, message: 'expected text or matches beside path' });
    }
    if (isObject(one) && typeof one['matches'] === 'string' && !isRegex(one['matches'])) {
      problems.push({
        path: [...path, 'matches'],
        message: `expected a regular expression, found ${show(one['matches'])}`,
      });
    }
  });
  return problems;
}

function isRegex(source: string): boolean {
  try {
    return new RegExp(source, 'mu') instanceof RegExp;
  } catch {
    // The constructor is the only judge of a pattern, and it answers by throwing.
    return false;
  }
}

function valueAt(root: unknown, path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>(
    (value, key) =>
      typeof value === 'object' && value !== null
        ? (value as Record<string | number, unknown>)[key]
        : undefined,
    root,
  );
}

const samePath = (a: SpecProblem, b: SpecProblem): boolean => showPath(a.path) === showPath(b.path);
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function show(value: unknown): string {
  if (value === null) return 'nothing';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'a group';
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 60 ? `${text.slice(0, 57)}..."` : text;
}
