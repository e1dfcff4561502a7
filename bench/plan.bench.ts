import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { decidePlan } from '../packages/core/src/plan/decide-plan.ts';
import { evolvePlan, foldPlan } from '../packages/core/src/plan/evolve-plan.ts';
import type { PlanState } from '../packages/core/src/plan/plan-state.ts';
import { pickItem } from '../packages/core/src/plan/start-item.ts';
import type { PlanEvent, PlanEventBody } from '../packages/core/src/plan/plan-event.ts';
import { setStatus } from '../packages/core/src/plan/regraph.ts';
import type { Plan } from '../packages/core/src/plan/work-item.ts';
import { loadPlan } from '../packages/runtime/src/plan/load-plan.ts';
import { type Measured, makeRow } from './figures.ts';

const count = 10_000;
const rounds = 5;
const decisions = 1_000;

/** A plan of 10,000 items and 30,000 edges: read and validated, and worked through item by item. */
export async function measurePlan(): Promise<Measured[]> {
  const dir = mkdtempSync(join(tmpdir(), 'agentgate-bench-'));
  try {
    const items = makeItems();
    const edges = items.reduce((sum, { dependsOn }) => sum + dependsOn.length, 0);
    const head = 'agent: ["true"]\ngates: {t: "true"}\nitems:\n';
    writeFileSync(
      join(dir, 'plan.yaml'),
      head +
        items
          .map(
            ({ id, task, dependsOn }) =>
              `  - id: ${id}\n    task: ${task}\n    dependsOn: [${dependsOn.join(', ')}]\n`,
          )
          .join(''),
    );
    const loads: number[] = [];
    let plan: Plan | null = null;
    for (let round = 0; round < rounds; round++) {
      const start = performance.now();
      const loaded = await loadPlan(dir, join(dir, 'plan.yaml'));
      loads.push(performance.now() - start);
      if (loaded.kind !== 'loaded') throw new Error('the plan of the bench is not valid');
      plan = loaded.plan;
    }
    const picks = Array.from({ length: rounds }, () => pickAll(plan!));
    const plain = Array.from({ length: rounds }, () => decideMany(plan!));
    const alike = {
      ...plan!,
      items: plan!.items.map((item) => ({ ...item, dependsOn: [], paths: ['src/**'] })),
    };
    const crowded = Array.from({ length: rounds }, () => decideMany(alike));
    const promise = (ms: number) => Array.from({ length: rounds }, () => ms);
    return [
      makeRow(
        `a plan of ${count} items, read and validated`,
        1,
        { ours: loads, beside: promise(1_000) },
        `YAML, ${edges} edges; beside is the promise`,
      ),
      makeRow(
        'the next item of such a plan',
        1,
        { ours: picks, beside: promise(1) },
        `mean over all ${count}; beside is the promise`,
      ),
      makeRow(
        'the next decision of such a plan',
        1,
        { ours: plain, beside: promise(1) },
        `mean of the first ${decisions}, attempts and settlings; beside is the promise`,
      ),
      makeRow(
        'the same where all items can begin and name the same paths',
        1,
        { ours: crowded, beside: promise(1) },
        `mean of the first ${decisions}; beside is the promise`,
      ),
    ];
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

const begun = (plan: Plan): PlanEvent => ({
  v: 1,
  seq: 1,
  at: '',
  kind: 'plan.started',
  planId: 'p',
  version: '0',
  root: '/',
  file: 'f',
  plan,
  hash: '',
});

/** The plan in a session that has an iteration for each item. */
function openSession(plan: Plan): { state: PlanState; tell(body: PlanEventBody): void } {
  const state = foldPlan([begun({ ...plan, limits: { ...plan.limits, session: count } })]);
  const tell = (body: PlanEventBody) => {
    evolvePlan(state, { v: 1, seq: state.seq + 1, at: '', ...body } as PlanEvent);
  };
  tell({ kind: 'session.started', session: 1, pid: 1, version: '0' });
  return { state, tell };
}

/** The mean time of finding the next item and settling it, until none is left. */
function pickAll(plan: Plan): number {
  const { state } = openSession(plan);
  const start = performance.now();
  let picked = 0;
  for (let item = pickItem(state); item; item = pickItem(state)) {
    setStatus(state, item.id, 'done');
    picked += 1;
  }
  if (picked !== count) throw new Error(`${picked} of ${count} items were picked`);
  return (performance.now() - start) / count;
}

const good = {
  status: 'converged',
  code: 'goal.met',
  reason: 'gates met',
  iterations: 1,
  activeMs: 1,
  tokens: null,
  costUsd: null,
  tests: null,
  tree: 't',
  before: 'b',
  left: 't',
  commit: null,
  failures: [0],
  failureKey: '',
  work: 'w',
  failing: [],
  soft: [],
  paths: [],
  summary: '',
  gaveUp: null,
} as const;

/** The mean time of one decision of a session in which everything goes well; what follows it is not timed. */
function decideMany(plan: Plan): number {
  const { state, tell } = openSession(plan);
  let took = 0;
  for (let at = 0; at < decisions; at++) {
    const start = performance.now();
    const decision = decidePlan(state, `r${at}`);
    took += performance.now() - start;
    tell({ kind: 'plan.decided', decision });
    if (decision.kind !== 'run-item') continue;
    const { item, attempt, runId } = decision;
    const outcome = { ...good, failures: [0], failing: [], soft: [], paths: [] };
    tell({ kind: 'item.ended', item, attempt, runId, outcome });
  }
  return took / decisions;
}

function makeItems(): { id: string; task: string; dependsOn: string[] }[] {
  let seed = 7;
  const draw = (below: number): number => {
    seed = Math.imul(seed ^ (seed >>> 15), 0x2c1b3c6d) + 0x9e3779b9;
    return ((seed ^ (seed >>> 12)) >>> 0) % below;
  };
  return Array.from({ length: count }, (_, at) => {
    const before = new Set<number>();
    // The first ones have fewer to depend on; some later ones make up for it.
    const wanted = Math.min(at, at >= 100 && at < 106 ? 4 : 3);
    while (before.size < wanted) before.add(draw(at));
    return {
      id: `i${at}`,
      task: `Do number ${at}, and see that it holds.`,
      dependsOn: [...before].map((one) => `i${one}`),
    };
  });
}
