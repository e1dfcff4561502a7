import type { Plan } from './plan.ts';

/** The smallest plan that can be found by leaving things out, and that still breaks something. */
export async function shrink(plan: Plan, breaks: (plan: Plan) => Promise<boolean>): Promise<Plan> {
  let best = plan;
  for (let next = await firstBroken(best, breaks); next; next = await firstBroken(best, breaks)) best = next;
  return best;
}

async function firstBroken(plan: Plan, breaks: (plan: Plan) => Promise<boolean>): Promise<Plan | null> {
  for (const candidate of smallerThan(plan)) if (await breaks(candidate)) return candidate;
  return null;
}

/** Without one of the faults, without the agent's last turns, without what the agent does in one of them. */
function* smallerThan(plan: Plan): Generator<Plan> {
  for (const at of plan.faults.keys()) yield { ...plan, faults: plan.faults.toSpliced(at, 1) };
  if (plan.grants > 0) yield { ...plan, grants: plan.grants - 1 };
  if (plan.bySteps) yield { ...plan, bySteps: false };
  if (plan.noticeMs > 0) yield { ...plan, noticeMs: 0 };
  if (plan.windows.length > 0) yield { ...plan, windows: plan.windows.slice(1) };
  if (plan.turns.length > 1) {
    yield { ...plan, turns: plan.turns.slice(0, plan.turns.length >> 1) };
    yield { ...plan, turns: plan.turns.slice(0, -1) };
  }
  for (const [at, turn] of plan.turns.entries()) {
    const simple = { ...turn, acts: [], orphan: false, says: '' };
    if (turn.acts.length > 0 || turn.orphan) yield { ...plan, turns: plan.turns.with(at, simple) };
  }
}
