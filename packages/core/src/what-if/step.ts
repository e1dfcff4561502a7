import type { Decision } from '../decision.ts';
import type { Event } from '../event.ts';
import type { MoveKind } from '../spec.ts';

/** What was decided after one iteration. */
export interface Step {
  iteration: number;
  kind: 'went-on' | 'ended';
  /** The move of the ladder that was made before it went on. */
  move?: MoveKind;
  code: string;
  reason: string;
}

/** The step that a decision is, after an iteration; null for one that only judges, waits or asks. */
export function stepOf(decision: Decision, iteration: number, move: MoveKind | null): Step | null {
  if (decision.kind !== 'start-iteration' && decision.kind !== 'end-run') return null;
  const { code, reason } = decision.because;
  const kind = decision.kind === 'end-run' ? 'ended' : 'went-on';
  return { iteration, kind, code, reason, ...(move === null ? {} : { move }) };
}

/** What was decided after each iteration of a recorded run; number 0 is the baseline. */
export function recordedSteps(events: Iterable<Event>): Step[] {
  const steps: Step[] = [];
  let iteration = 0;
  let move: MoveKind | null = null;
  for (const event of events) {
    if (event.kind !== 'decided') continue;
    const { decision } = event;
    if (decision.kind === 'make-move') move = decision.move;
    const step = stepOf(decision, iteration, move);
    if (!step) continue;
    keepStep(steps, step);
    move = null;
    if (decision.kind === 'start-iteration') iteration = decision.iteration;
  }
  return steps;
}

/** An iteration is decided on once; where a run went on behind an end, what came last counts. */
export function keepStep(steps: Step[], step: Step): void {
  if (steps.at(-1)?.iteration === step.iteration) steps.pop();
  steps.push(step);
}
