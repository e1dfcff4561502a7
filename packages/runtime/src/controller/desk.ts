import { type BuildEnd, type Clock, FaultError, fault, type RunState } from '@agentgate/core';
import type { Control } from '../driver/control.ts';
import { call, type Called, wordsOf } from './call.ts';
import type { Callbacks, CallContext, GateFailure, LevelAnswer } from './context.ts';

/** What the ports of one run share: the caller's functions, the clock, the way to stop, and what was said last. */
export interface Desk {
  readonly about: Omit<CallContext, 'iteration' | 'signal'>;
  readonly callbacks: Callbacks;
  readonly clock: Clock;
  readonly control: Control;
  readonly graceMs: number;
  /** The gates and the snapshot are asked before the first build. */
  readonly baseline: boolean;
  /** The snapshot is asked once more before the run converges. */
  readonly confirm: boolean;
  state: RunState | null;
  said: Said;
}

/** The newest word of each callback, as the caller gave it. */
export interface Said {
  /** The iteration that is built or judged; 0 before the first build. */
  iteration: number;
  built: BuildEnd['kind'] | null;
  output: string | null;
  snapshot: unknown;
  /** What stands for the tree, whether it was told or not. */
  tree: string;
  gates: Map<string, { iteration: number; failures: GateFailure[]; levels: LevelAnswer[] | null }>;
  /** The hard gate whose failure stops the run, and when. */
  stopper: { gate: string; iteration: number } | null;
  feedbackMs: number;
  /** What was thrown, by phase. */
  thrown: Map<string, unknown>;
  warnings: string[];
}

export const nothingSaid = (): Said => ({
  iteration: 0,
  built: null,
  output: null,
  snapshot: null,
  tree: untold(0),
  gates: new Map(),
  stopper: null,
  feedbackMs: 0,
  thrown: new Map(),
  warnings: [],
});

/** Stands for the tree of an iteration whose hash nobody told. Each is another one, so that none looks repeated. */
export const untold = (iteration: number): string => `untold:${iteration}`;
export const isTold = (tree: string): boolean => !tree.startsWith('untold:');

interface StepRequest {
  /** The callback's name, for messages. */
  name: string;
  phase: string;
  iteration: number;
  /** Without one the step is cut short by a stop alone. */
  signal?: AbortSignal;
  limitMs?: number;
  /** For what is given no signal there is nothing to wait for. */
  graceMs?: number;
}

/** Calls one of the caller's functions as a step of the run. */
export async function callStep<T>(
  desk: Desk,
  { name, phase, iteration, signal, limitMs, graceMs = desk.graceMs }: StepRequest,
  act: (context: CallContext) => T | Promise<T>,
): Promise<Called<T>> {
  const own = signal ? null : desk.control.during(['stop.requested']);
  const request = { clock: desk.clock, graceMs, ...(limitMs === undefined ? {} : { limitMs }) };
  try {
    const called = await call({ ...request, signal: signal ?? own!.signal }, (aborts) =>
      act({ ...desk.about, iteration, signal: aborts }),
    );
    if (called.kind === 'threw') desk.said.thrown.set(phase, called.error);
    if (called.kind === 'cut' && called.abandoned)
      desk.said.warnings.push(
        `${name} of iteration ${iteration} did not settle within ${graceMs} ms after it was cut short; nobody waits for it any more`,
      );
    return called;
  } finally {
    own?.done();
  }
}

type Step = Pick<StepRequest, 'name' | 'phase' | 'iteration'>;

/** Throws when a callback threw or did not answer in time: the run ends as an error of its phase. */
export function mustAnswer<T>(
  step: Step,
  called: Called<T>,
  hint = '',
): Exclude<Called<T>, { kind: 'threw' }> {
  if (called.kind === 'threw')
    throw brokenStep(step, `threw in iteration ${step.iteration}: ${wordsOf(called.error)}${hint}`);
  if (called.kind === 'cut' && called.reason === 'time-out')
    throw brokenStep(step, `did not answer in time in iteration ${step.iteration}`);
  return called;
}

/** The fault of a callback; `why` follows its name. */
export function brokenStep({ name, phase }: Step, why: string): FaultError {
  return new FaultError(fault(`callback.${phase}`, `${name} ${why}`));
}

/** The active time that is left, and a little more for a step that is under way when it is used. */
export function stepLimitMs({ state }: Desk, leastMs = 10_000): number {
  return Math.max(leastMs, (state?.spec?.limits.wallClock ?? 0) - (state?.activeMs ?? 0));
}
