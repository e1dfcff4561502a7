import type { RunState } from '@agentgate/core';

/** How it stands with a run that has not ended. */
export function openWords({ runId, held, paused }: RunState, isDriven: boolean): string {
  if (isDriven) return 'The run is going on.';
  if (held) return `The run works in a session of ${held.host}; agentgate status tells more.`;
  const why = paused ? 'is paused between two iterations' : 'was cut short';
  return `The run ${why}; agentgate resume ${runId} goes on with it.`;
}
