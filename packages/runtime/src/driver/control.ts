import type { EventBody } from '@agentgate/core';

type StopRequest = Extract<EventBody, { kind: 'stop.requested' }>;

/** The way by which a stop reaches a run while it works. */
export interface Control {
  /** Aborted as soon as a stop is asked for. */
  readonly signal: AbortSignal;
  stop(request: Omit<StopRequest, 'kind'>): void;
  /** Requests that the log does not hold yet. */
  take(): StopRequest[];
}

export function makeControl(): Control {
  const controller = new AbortController();
  const requests: StopRequest[] = [];
  return {
    signal: controller.signal,
    stop(request) {
      if (controller.signal.aborted) return;
      requests.push({ kind: 'stop.requested', ...request });
      controller.abort('stop');
    },
    take: () => requests.splice(0),
  };
}
