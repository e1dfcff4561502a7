import { normaliseSpec } from './aliases/index.ts';
import type { SpecMetadata, SpecNote } from './aliases/index.ts';
import { olderNames } from './aliases/older-names.ts';
import { crossChecks } from './parse-spec/checks.ts';
import { explain } from './parse-spec/explain.ts';
import { type Path, type SpecProblem, showPath } from './parse-spec/problem.ts';
import { type RunSpec, SpecFile } from './spec.ts';
import { isRecord } from './spec/words.ts';

export type { SpecProblem } from './parse-spec/problem.ts';
export { showPath } from './parse-spec/problem.ts';

export type ParsedSpec =
  | {
      kind: 'spec';
      spec: Omit<RunSpec, 'task'>;
      task: string | { file: string };
      /** The older names and forms that were accepted. */
      notes: SpecNote[];
      metadata?: SpecMetadata;
    }
  | { kind: 'invalid'; problems: SpecProblem[]; notes: SpecNote[] };

/** Parses an untrusted value, in any form a spec may have, or collects every mistake in it at its own place. */
export function parseSpec(value: unknown, options: { root?: string } = {}): ParsedSpec {
  const { value: flat, notes, problems, metadata, originOf } = normaliseSpec(value);
  const parsed = parseFlat(flat, { ...options, originOf });
  const mapped =
    parsed.kind === 'spec' ? [] : parsed.problems.map((one) => ({ ...one, path: [...originOf(one.path)] }));
  if (parsed.kind === 'invalid' || problems.length > 0)
    return { kind: 'invalid', problems: [...problems, ...mapped], notes };
  return { ...parsed, notes, ...(metadata ? { metadata } : {}) };
}

export type ParsedFlat =
  | { kind: 'spec'; spec: Omit<RunSpec, 'task'>; task: string | { file: string } }
  | { kind: 'invalid'; problems: SpecProblem[] };

/** The same for a value that is in today's form already. Problems stand at paths of that value. */
export function parseFlat(
  given: unknown,
  options: { root?: string; originOf?: (path: Path) => Path } = {},
): ParsedFlat {
  const { root, originOf = (path: Path) => path } = options;
  const value = withDefaultKind(given);
  const parsed = SpecFile.safeParse(value);
  const problems = parsed.success
    ? []
    : parsed.error.issues.flatMap((issue) => explain(issue, value, { originOf, olderNames }));
  problems.push(...crossChecks(value, root).filter((one) => !problems.some((other) => samePath(one, other))));
  if (!parsed.success || problems.length > 0) return { kind: 'invalid', problems };
  const { task, gates, ...rest } = parsed.data;
  const named = Object.entries(gates).map(([name, gate]) => ({ name, ...gate }));
  return { kind: 'spec', spec: { ...rest, gates: named }, task };
}

/** Options of a strategy without its name belong to the one that runs when none is named. */
function withDefaultKind(value: unknown): unknown {
  if (!isRecord(value) || !isRecord(value['strategy']) || 'kind' in value['strategy']) return value;
  return { ...value, strategy: { kind: 'hybrid', ...value['strategy'] } };
}

const samePath = (a: SpecProblem, b: SpecProblem): boolean => showPath(a.path) === showPath(b.path);
