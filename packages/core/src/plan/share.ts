import type { PlanState } from './plan-state.ts';

/** What an attempt may use at most of its session, beside iterations. What the plan does not limit is not there. */
export interface ItemShare {
  wallClock: number;
  tokens?: number;
  cost?: number;
}

/**
 * What is set aside for an attempt that begins: all that nobody has used or was promised, or beside others a part of
 * it. However many work at the same time, together they have what the session has.
 */
export function shareOf(state: PlanState, place: 'workspace' | 'worktree'): ItemShare {
  const { plan, session, inFlight, records } = state;
  const { wallClock, tokens, cost } = plan.limits;
  const promised = [...inFlight].flatMap((id) => records.get(id)!.share ?? []);
  const parts = place === 'worktree' ? Math.max(1, plan.maxParallel - inFlight.size) : 1;
  const left = (name: keyof ItemShare, limit: number, used: number | null | undefined): number => {
    const others = promised.reduce((sum, one) => sum + (one[name] ?? 0), 0);
    return Math.max(0, limit - (used ?? 0) - others) / parts;
  };
  return {
    wallClock: left('wallClock', wallClock, session?.activeMs),
    ...(tokens === undefined ? {} : { tokens: left('tokens', tokens, session?.tokens) }),
    ...(cost === undefined ? {} : { cost: left('cost', cost, session?.costUsd) }),
  };
}
