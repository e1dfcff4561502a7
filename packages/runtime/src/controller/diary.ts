import type { Event } from '@agentgate/core';

/** What was decided after an iteration. */
export interface Decided {
  continue: boolean;
  code: string;
  reason: string;
  confidence: number;
}
export type Decisions = ReadonlyMap<number, Decided>;

export interface Diary {
  watch(event: Event): void;
  decisions: Decisions;
}

/** Remembers what was decided after each iteration; the state itself keeps only the codes. */
export function makeDiary(): Diary {
  const decisions = new Map<number, Decided>();
  let iteration = 0;
  return {
    decisions,
    watch(event) {
      if (event.kind !== 'decided') return;
      const { decision } = event;
      if (decision.kind !== 'start-iteration' && decision.kind !== 'end-run') return;
      const { code, reason, confidence } = decision.because;
      decisions.set(iteration, { continue: decision.kind === 'start-iteration', code, reason, confidence });
      if (decision.kind === 'start-iteration') iteration = decision.iteration;
    },
  };
}
