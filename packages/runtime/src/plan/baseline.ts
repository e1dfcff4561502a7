import { fold, type NamedGate, type RunSpec, type Verdict } from '@agentgate/core';
import { judgeOnce } from '../driver/judge-once.ts';
import { readHistory } from '../store/index.ts';
import { judgementsOf } from './judgements.ts';
import { hasRun, type Stage } from './stage.ts';
import { makeWorktree, removeWorktree, worktreeHome } from './worktree.ts';

/**
 * What the gates of an item showed before: in its first run, before the agent began. A gate that asks only for what is
 * new, and was not in that run, is judged on the tree that the plan began with. Before anything was done there is none.
 */
export async function baselineOf(
  stage: Stage,
  item: string,
  spec: RunSpec,
): Promise<ReadonlyMap<string, Verdict>> {
  if (spec.gates.every(({ baseline, flaky }) => baseline !== 'no-new' && !flaky)) return new Map();
  const own = await ofFirstRun(stage, item, spec.gates);
  const missing = spec.gates.filter(({ name, baseline }) => baseline === 'no-new' && !own.has(name));
  const { base } = stage.state();
  if (missing.length === 0 || base === null) return own;
  return new Map([...own, ...(await onTree(stage, item, base, { ...spec, gates: missing }))]);
}

async function ofFirstRun(
  stage: Stage,
  item: string,
  gates: readonly NamedGate[],
): Promise<Map<string, Verdict>> {
  const first = stage
    .state()
    .records.get(item)!
    .attempts.find(({ outcome }) => outcome.started !== false);
  if (!first || !hasRun(stage, first.runId)) return new Map();
  const { spec, baseline } = fold(await readHistory(stage.runs, first.runId));
  const then = new Set((spec?.gates ?? []).map((gate) => JSON.stringify(gate)));
  const isSame = (gate: NamedGate) => then.has(JSON.stringify(gate));
  return new Map([...baseline].filter(([name]) => gates.some((one) => one.name === name && isSame(one))));
}

/** In a directory that is thrown away. */
async function onTree(stage: Stage, item: string, tree: string, spec: RunSpec) {
  const { home, env, signal } = stage;
  const known = judgementsOf(stage, `base ${tree}`);
  const found = new Map(
    spec.gates.flatMap((gate) => {
      const verdict = known.recall(gate)?.verdict;
      return verdict ? [[gate.name, verdict] as const] : [];
    }),
  );
  if (found.size === spec.gates.length) return found;
  const own = worktreeHome(home, stage.state().planId, `${item}.base`, env);
  try {
    await makeWorktree(home, own, tree);
    for await (const { standing, judgement } of judgeOnce(own.root, spec, signal, undefined, known)) {
      known.keep(standing.gate, judgement);
      found.set(standing.gate.name, judgement.verdict);
    }
    return found;
  } finally {
    removeWorktree(own);
  }
}
