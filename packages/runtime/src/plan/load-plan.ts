import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import {
  FaultError,
  fault,
  isJudged,
  type PlacedItem,
  type Plan,
  parsePlan,
  type SpecProblem,
  showPath,
  type WorkItem,
} from '@agentgate/core';
import { readRegularFile } from '../regular-file.ts';
import { hashOf } from '../spec/hash.ts';
import type { LocatedProblem } from '../spec/load.ts';
import { inOrder } from '../spec/order.ts';
import { labelOf } from '../spec/source.ts';
import { readBase } from './base-spec.ts';
import { type ReadPlan, readPlan } from './read-plan.ts';

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
  'PROMPT.md',
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
  const quick = await loadFrom(root, path, await readPlan(root, path, 'quickly'), env);
  // Places are looked up only in a file in which something is wrong.
  return quick.kind === 'loaded' ? quick : loadFrom(root, path, await readPlan(root, path), env);
}

async function loadFrom(
  root: string,
  path: string,
  read: ReadPlan,
  env?: NodeJS.ProcessEnv,
): Promise<LoadedPlan> {
  const file = labelOf(root, path);
  if (read.problems.length > 0) return { kind: 'invalid', problems: read.problems, file };
  const parsed = parsePlan(read.value, { root });
  const rest =
    parsed.kind === 'plan'
      ? { run: parsed.plan.run, contextFile: parsed.contextFile, placed: parsed.placed }
      : parsed.rest;
  const wrong = parsed.kind === 'invalid' ? parsed.problems : [];
  const context =
    rest.contextFile === null ? null : readRegularFile(resolve(dirname(path), rest.contextFile));
  if (rest.contextFile !== null && context === null)
    wrong.push({ path: ['context', 'file'], message: `the file ${rest.contextFile} cannot be read` });
  const base = await readBase(root, rest, read, env);
  const bare = base.hasGates ? [] : bareItems(rest.placed, wrong);
  // What is the same of all of them, and cannot be mended there, is told once.
  wrong.push(...(read.isForeign ? bare.slice(0, 1).map(() => gatesElsewhere) : bare));
  const problems = [...wrong.map((one) => placed(read, one)), ...base.problems];
  if (parsed.kind === 'invalid' || problems.length > 0)
    return { kind: 'invalid', problems: inOrder(problems), file };
  const plan: Plan = {
    ...parsed.plan,
    context: read.context ?? context ?? parsed.plan.context,
    base: base.value,
    hasSharedGates: base.hasGates,
  };
  return { kind: 'loaded', plan, hash: hashOf(plan), file, path, notes: read.notes };
}

const placed = (read: ReadPlan, { path, message, inName }: SpecProblem): LocatedProblem => ({
  where: read.where(path, inName),
  path: path.length === 0 ? 'the plan' : showPath(path),
  message,
});

const gatesElsewhere: SpecProblem = {
  path: [],
  message:
    'no gate judges its items; gates, and the agent, stand in agentgate.yaml beside it: agentgate init writes one',
};

/** Items that nothing would judge; of one that is written wrong that is not known. */
function bareItems(items: readonly PlacedItem[], wrong: readonly SpecProblem[]): SpecProblem[] {
  const byId = new Map(items.map(({ item }) => [item.id, item]));
  const isWrong = (path: readonly (string | number)[]) =>
    wrong.some(
      (one) => one.path[path.length] !== 'dependsOn' && path.every((part, at) => one.path[at] === part),
    );
  const message = (id: string) =>
    `no gate judges it; give ${id} gates, or give the plan gates for all: gates: {tests: npm test}`;
  return items.flatMap(({ item, path }) =>
    hasToBeDone(item) && !isJudged(item, (id) => byId.get(id)) && !isWrong(path)
      ? [{ path: [...path], message: message(item.id) }]
      : [],
  );
}

const hasToBeDone = ({ resolvedBy, done, deferred }: WorkItem): boolean =>
  resolvedBy === null && !done && !deferred;
