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
