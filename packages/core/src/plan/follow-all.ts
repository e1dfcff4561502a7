import { because } from './because.ts';
import { evolvePlan } from './evolve-plan.ts';
import type { PlanState } from './plan-state.ts';
import type { Redirect } from './redirect.ts';

/**
 * The plan as it will be when everything that persons said is followed, for judging what they say next. The state is
 * used up by it; what is under way is taken as ended.
 */
export function followAll(state: PlanState, more: readonly Redirect[] = []): PlanState {
  for (const id of state.inFlight) state.records.get(id)!.open = null;
  state.inFlight.clear();
  state.redirects.push(...more);
  while (state.redirects.length > 0)
    evolvePlan(state, {
      v: 1,
      seq: state.seq + 1,
      at: state.lastAt,
      kind: 'plan.decided',
      decision: { kind: 'redirect', because: because('user.redirect', 'as if it were followed') },
    });
  return state;
}
