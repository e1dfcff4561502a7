import type { BuildEnd } from '@agentgate/core';

/** Who cut a build short, as the signal tells it. */
export function abortedBy({ reason }: AbortSignal): Extract<BuildEnd, { kind: 'aborted' }>['by'] {
  return reason === 'wall-clock' || reason === 'redirect' ? reason : 'stop';
}
