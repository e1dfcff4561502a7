import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { foldPlan } from '../packages/core/src/plan/evolve-plan.ts';
import { pickItem } from '../packages/core/src/plan/start-item.ts';
import { setStatus } from '../packages/core/src/plan/regraph.ts';
import type { Plan } from '../packages/core/src/plan/work-item.ts';
import { loadPlan } from '../packages/runtime/src/plan/load-plan.ts';
import { type Measured, makeRow } from './figures.ts';

const count = 10_000;
const rounds = 5;

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
    ];
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

/** The mean time of finding the next item and settling it, until none is left. */
function pickAll(plan: Plan): number {
  const started = {
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
  } as const;
  const state = foldPlan([started]);
  const start = performance.now();
  let picked = 0;
  for (let item = pickItem(state); item; item = pickItem(state)) {
    setStatus(state, item.id, 'done');
    picked += 1;
  }
  if (picked !== count) throw new Error(`${picked} of ${count} items were picked`);
  return (performance.now() - start) / count;
}

function makeItems(): { id: string; task: string; dependsOn: string[] }[] {
  let seed = 7;
  const draw = (below: number): number => {
    seed = Math.imul(seed ^ (seed >>> 15), 0x2c1b3c6d) + 0x9e3779b9;
    return ((seed ^ (seed >>> 12)) >>> 0) % below;
  };
  return Array.from({ length: count }, (_, at) => {
    const before = new Set<number>();
    if (at > 3) for (let tries = 0; before.size < 3 && tries < 100; tries++) before.add(draw(at));
    return {
      id: `i${at}`,
      task: `Do number ${at}, and see that it holds.`,
      dependsOn: [...before].map((one) => `i${one}`),
    };
  });
}
