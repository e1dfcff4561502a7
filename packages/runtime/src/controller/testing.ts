import type { Clock } from '@agentgate/core';
import { systemClock } from '../driver/clock.ts';
import type { RunContext } from './context.ts';
import { type ControllerOptions, createController } from './controller.ts';
import type { ConvergenceSpec } from './read-spec.ts';
import type { ConvergenceResult } from './result.ts';

/** The real clock, run faster: an hour of a run is 3.6 s at 1000. */
export function fastClock(times: number): Clock {
  return {
    wallMs: () => systemClock.wallMs(),
    monoMs: () => systemClock.monoMs() * times,
    sleep: (ms, signal) => systemClock.sleep(ms / times, signal),
    after: (ms, act) => systemClock.after(ms / times, act),
  };
}

/** Resolves when the signal is aborted: a callback that hangs, but listens. */
export const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((done) => {
    if (signal.aborted) return done();
    return signal.addEventListener('abort', () => done(), { once: true });
  });

/** A promise with its ends in the hand of the test. */
export function promised<T = void>(): { promise: Promise<T>; resolve: (value: T) => void } {
  let resolve!: (value: T) => void;
  const promise = new Promise<T>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}

export interface Played {
  result: ConvergenceResult;
  /** Every call in its order, such as `build 1`. */
  calls: string[];
}

/** Runs a spec with callbacks that are ordinary unless said otherwise, and notes every call. */
export async function play(
  spec: ConvergenceSpec,
  context: Partial<RunContext> = {},
  options: ControllerOptions = {},
): Promise<Played> {
  const calls: string[] = [];
  const controller = createController({ clock: fastClock(1_000), ...options });
  await controller.initialize(spec);
  const ordinary: RunContext = {
    onBuild: () => ({ success: true }),
    onSnapshot: ({ iteration }) => ({ hash: `tree ${iteration}` }),
    onGateCheck: () => ({ passed: false, failures: [{ message: 'it fails' }] }),
    onFeedback: () => 'mend it',
  };
  const { onBuild, onSnapshot, onGateCheck, onFeedback } = { ...ordinary, ...context };
  const result = await controller.run({
    ...context,
    onBuild: (at) => (calls.push(`build ${at.iteration}`), onBuild(at)),
    onSnapshot: (at) => (calls.push(`snapshot ${at.iteration}`), onSnapshot?.(at)),
    onGateCheck: (gate, at) => (calls.push(`gate ${gate.name} ${at.iteration}`), onGateCheck(gate, at)),
    onFeedback: (failures, at) => (calls.push(`feedback ${at.iteration}`), onFeedback?.(failures, at)),
  });
  return { result, calls };
}
