import type { EventOf } from './event.ts';
import type { RunState } from './state.ts';

const dimensions = ['tokens', 'costUsd'] as const;

/** What one that was cut short used, nobody heard: it counts as the dearest so far, or as the first that tells. */
export function countSpending(state: RunState, event: EventOf<'agent.ended'>): void {
  const isCut = wasCut(event);
  if (isCut && (event.estimated || event.tokens === undefined || event.costUsd === undefined))
    state.unheard += 1;
  for (const what of dimensions) {
    const told = event[what];
    if (told === undefined) state.unpriced[what] += isCut ? 1 : 0;
    else if (event.estimated) state[what] = (state[what] ?? 0) + told;
    else {
      state[what] = (state[what] ?? 0) + told * (1 + state.unpriced[what]);
      state.unpriced[what] = 0;
    }
  }
  if (event.atLeast) state.tokensAtLeast = true;
  if (!event.estimated) state.dearest = dearer(state.dearest, event);
}

/** Whether an agent worked and was ended before it could tell what it had used. */
const wasCut = ({ end, tookMs }: EventOf<'agent.ended'>): boolean =>
  end.kind === 'interrupted' || (end.kind === 'aborted' && tookMs > 0);

function dearer(
  before: RunState['dearest'],
  { tokens, costUsd }: EventOf<'agent.ended'>,
): RunState['dearest'] {
  const most = (one: number | null, other = 0) =>
    one === null && other === 0 ? null : Math.max(one ?? 0, other);
  return { tokens: most(before.tokens, tokens), costUsd: most(before.costUsd, costUsd) };
}

/** The same for one whose end will never be recorded. */
export function countUnheard(state: RunState): void {
  for (const what of dimensions) {
    const most = state.dearest[what];
    if (most === null) state.unpriced[what] += 1;
    else state[what] = (state[what] ?? 0) + most;
  }
  state.unheard += 1;
}

/** Another session, or none: nothing of it has been counted. */
export function enterSession(state: RunState, sessionId: string | null): void {
  state.sessionId = sessionId;
  state.sessionUsed = { tokens: 0, costUsd: 0 };
}

export function countSession(state: RunState, { sessionId, tokens, costUsd }: EventOf<'agent.ended'>): void {
  if (sessionId !== undefined && sessionId !== state.sessionId) enterSession(state, sessionId);
  state.sessionUsed.tokens += tokens ?? 0;
  state.sessionUsed.costUsd += costUsd ?? 0;
}

/** What one build has used of its session: what it tells of the whole, less what was counted already. */
export function usedSince(
  { sessionId, sessionUsed }: RunState,
  now: { sessionId?: string; total?: { tokens?: number; costUsd?: number } },
): { tokens?: number; costUsd?: number } {
  const before = now.sessionId === sessionId ? sessionUsed : { tokens: 0, costUsd: 0 };
  const { tokens, costUsd } = now.total ?? {};
  return {
    ...(tokens === undefined ? {} : { tokens: Math.max(0, tokens - before.tokens) }),
    ...(costUsd === undefined ? {} : { costUsd: Math.max(0, Number((costUsd - before.costUsd).toFixed(9))) }),
  };
}
