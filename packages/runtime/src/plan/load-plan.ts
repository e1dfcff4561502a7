import { existsSync } from 'node:fs';
import { basename, dirname, extname, join, resolve } from 'node:path';
import {
  FaultError,
  fault,
  isPrd,
  type ParsedPlan,
  type Plan,
  parsePlan,
  readMarkdown,
  readPrd,
  showPath,
  type WorkItem,
} from '@agentgate/core';
import { readRegularFile } from '../regular-file.ts';
import {
  findSpecFile,
  flatSpec,
  type LocatedProblem,
  loadSpec,
  namesIn,
  type Override,
} from '../spec/load.ts';
import { hashOf } from '../spec/hash.ts';
import { inOrder } from '../spec/order.ts';
import { isCode, labelOf, readSource, readText } from '../spec/source.ts';

export type LoadedPlan =
  | { kind: 'loaded'; plan: Plan; hash: string; file: string; path: string; notes: string[] }
  | { kind: 'invalid'; problems: LocatedProblem[]; file: string };

const names = [
  'plan.yaml',
  'plan.yml',
  'plan.json',
  'PLAN.md',
  'plan.md',
  'fix_plan.md',
  '@fix_plan.md',
  'IMPLEMENTATION_PLAN.md',
  'prd.json',
];

/** The plan of a directory, or the one that was asked for. */
export function findPlanFile(root: string, wanted?: string): string {
  if (wanted !== undefined) {
    const path = resolve(root, wanted);
    if (existsSync(path)) return path;
    throw new FaultError(
      fault('plan.missing', `there is no plan ${wanted}; give the path of one, or write plan.yaml`),
    );
  }
  const found = names.find((name) => existsSync(join(root, name)));
  if (found) return join(root, found);
  throw new FaultError(
    fault(
      'plan.missing',
      `there is no plan here; write plan.yaml (see docs/plans.md), or name one: agentgate plan run FILE`,
    ),
  );
}

/** Reads a plan in any of its forms, and collects every mistake with its place. */
export async function loadPlan(root: string, path: string, env?: NodeJS.ProcessEnv): Promise<LoadedPlan> {
  const file = labelOf(root, path);
  const read = await readValue(root, path);
  if (read.problems.length > 0) return { kind: 'invalid', problems: read.problems, file };
  const parsed = read.parsed ?? parsePlan(read.value, { root });
  if (parsed.kind === 'invalid') {
    const problems = parsed.problems.map((one) => ({
      where: read.where(one.path, one.inName),
      path: showPath(one.path) === 'the spec' ? 'the plan' : showPath(one.path),
      message: one.message,
    }));
    return { kind: 'invalid', problems: inOrder(problems), file };
  }
  const notes = [...read.notes];
  const context =
    parsed.contextFile === null
      ? parsed.plan.context
      : readRegularFile(resolve(dirname(path), parsed.contextFile));
  if (parsed.contextFile !== null && context === null)
    return {
      kind: 'invalid',
      file,
      problems: [
        {
          where: read.where(['context', 'file']),
          path: 'context.file',
          message: `the file ${parsed.contextFile} cannot be read`,
        },
      ],
    };
  const base = await readBase(root, parsed.plan, env);
  if (base.kind === 'invalid') return { kind: 'invalid', problems: base.problems, file };
  const plan: Plan = {
    ...parsed.plan,
    context: read.context ?? context,
    base: base.value,
    hasSharedGates: base.hasGates,
  };
  const places = new Map(parsed.placed.map(({ item, path: at }) => [item.id, at]));
  const byId = new Map(plan.items.map((item) => [item.id, item]));
  const bare = plan.hasSharedGates ? [] : plan.items.filter((item) => isBare(byId, item));
  if (bare.length > 0) {
    const message =
      'no gate judges it; give it gates, or give the plan gates for all: gates: {tests: npm test}';
    const problems = bare.map(({ id }) => ({ where: read.where(places.get(id) ?? []), path: id, message }));
    return { kind: 'invalid', problems: inOrder(problems), file };
  }
  return { kind: 'loaded', plan, hash: hashOf(plan), file, path, notes };
}

interface ReadValue {
  value: unknown;
  parsed?: ParsedPlan;
  problems: LocatedProblem[];
  notes: string[];
  context?: string;
  where(path: readonly (string | number)[], inName?: boolean): string;
}

async function readValue(root: string, path: string): Promise<ReadValue> {
  const file = labelOf(root, path);
  if (extname(path).toLowerCase() === '.md') return readBoxes(file, path);
  if (isCode(path))
    throw new FaultError(
      fault('usage', `${file} is code; a plan is YAML, JSON or Markdown with check boxes`),
    );
  const quick = extname(path) === '.json' ? parseJson(readText(path)) : undefined;
  const parsed = quick === undefined || isPrd(quick) ? null : parsePlan(quick, { root });
  // Places are looked up only in a file in which something is wrong.
  if (parsed?.kind === 'plan') return { value: quick, parsed, problems: [], notes: [], where: () => file };
  const { value, problems, where } = await readSource(root, path);
  if (!isPrd(value)) return { value, problems, notes: [], where };
  const inStories = (at: readonly (string | number)[]) =>
    at.map((part) => (part === 'items' ? 'userStories' : part));
  return {
    value: readPrd(value),
    problems,
    ...beside(path),
    where: (at, inName) => where(inStories(at), inName),
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    // Whoever reads it with places says where.
    return undefined;
  }
}

function readBoxes(file: string, path: string): ReadValue {
  const text = readText(path);
  const read = readMarkdown(text);
  if (read) {
    const lineOf = (at: readonly (string | number)[]) =>
      read.lines.get(at.filter((part) => typeof part === 'number').join('.')) ?? 1;
    return {
      value: read.value,
      problems: [],
      ...beside(path),
      where: (at) => `${file}:${lineOf(at)}:1`,
    };
  }
  const value = text.trim() === '' ? { items: [] } : { items: [{ id: 'prompt', task: text.trim() }] };
  const notes = [`${file} has no check boxes, so all of it is one item`];
  return { value, problems: [], notes, where: () => `${file}:1:1` };
}

/** Loops of that kind keep what every agent is told in a file of its own. */
function beside(path: string): { notes: string[]; context?: string } {
  const prompt = join(dirname(path), 'PROMPT.md');
  if (basename(path) === 'PROMPT.md' || !existsSync(prompt)) return { notes: [] };
  const context = readRegularFile(prompt);
  return context === null
    ? { notes: [] }
    : { notes: ['PROMPT.md stands beside it, and every agent is told what it says'], context };
}

/** What the project's own spec brings, and whether it is good together with what the plan says about every run. */
async function readBase(
  root: string,
  plan: Plan,
  env?: NodeJS.ProcessEnv,
): Promise<
  | { kind: 'good'; hasGates: boolean; value: Record<string, unknown> }
  | { kind: 'invalid'; problems: LocatedProblem[] }
> {
  const file = findSpecFile(root);
  const own = Object.keys((plan.run['gates'] as object | undefined) ?? {}).length > 0;
  const hasGates = own || namesIn(file).gates.length > 0;
  const set = (path: string[], value: unknown): Override => ({ path, value, flag: 'the plan' });
  const hasAgents = plan.items.every((item) => item.agent !== undefined || item.resolvedBy !== null);
  const loaded = await loadSpec(
    root,
    file,
    ({ options }) => [
      ...Object.entries(plan.run).flatMap(([key, value]) =>
        key === 'gates' && typeof value === 'object' && value !== null
          ? Object.entries(value).map(([name, gate]) => set(['gates', name], gate))
          : [set([key], value)],
      ),
      set(['task'], 'a task'),
      ...(hasGates ? [] : [set(['gates'], { any: 'true' })]),
      ...(hasAgents && !options.includes('agent') && !('agent' in plan.run)
        ? [set(['agent'], ['true'])]
        : []),
    ],
    env ? { env } : {},
  );
  if (loaded.kind === 'invalid') return { kind: 'invalid', problems: loaded.problems };
  return { kind: 'good', hasGates, value: await flatSpec(root, file, env ? { env } : {}) };
}
/** Whether nothing would judge an item that has to be done. */
function isBare(byId: ReadonlyMap<string, WorkItem>, item: WorkItem): boolean {
  if (item.resolvedBy !== null || item.done || item.deferred) return false;
  const parent = item.parent === null ? undefined : byId.get(item.parent);
  const group = parent?.resolvedBy === 'any' ? parent : undefined;
  const hard = item.acceptance.some((one) => 'run' in one && one.severity === 'hard');
  return !hard && Object.keys(item.gates).length === 0 && Object.keys(group?.gates ?? {}).length === 0;
}
