import {
  type Answer,
  type Clock,
  type Event,
  FaultError,
  fault,
  strategies,
  type StrategyRegistry,
} from '@agentgate/core';
import { systemClock } from '../driver/clock.ts';
import { type Control, makeControl } from '../driver/control.ts';
import type { RunStore } from '../store/index.ts';
import { readContext, type RunContext } from './context.ts';
import { makeProgress, type Progress } from './progress.ts';
import { type ConvergenceSpec, type ReadySpec, readSpec } from './read-spec.ts';
import type { ConvergenceResult } from './result.ts';
import { runOnce } from './run-once.ts';

export interface ControllerOptions {
  /** A kind, a registered type, or a strategy of your own: an object, a class or a function. Goes before the spec's. */
  strategy?: unknown;
  /** Where types are looked up; the shared instance when none is given. */
  registry?: StrategyRegistry;
  /** A directory for the logs, or a store of your own. Without it each run is kept in memory and gone with its result. */
  store?: string | RunStore;
  clock?: Clock;
  /** The directory that a strategy module is looked for in; the current one when none is given. */
  root?: string;
  /** Asks the gates before the first build too, so that progress is measured from there. */
  baseline?: boolean;
  /** Asks `onSnapshot` again before converging: the gates count only when the hash is still the one they judged. */
  confirm?: boolean;
  /** How long a callback may take to settle after its signal was aborted. */
  graceMs?: number;
  /** The longest pause after a failed build. */
  longestPauseMs?: number;
  /** How long a strategy of your own may take for one answer; then hybrid decides. */
  strategyTimeoutMs?: number;
  /** Sees every event as it is recorded. */
  onEvent?(event: Event): void;
}

export interface Controller {
  /** Whether a run is under way. */
  readonly isRunning: boolean;
  /** Takes a spec for the runs that follow. Rejects with every mistake in it. */
  initialize(spec: ConvergenceSpec): Promise<void>;
  /** Runs to the end. Rejects only for a wrong use; whatever happens in the run is told by the result. */
  run(context: RunContext): Promise<ConvergenceResult>;
  getProgress(): Progress;
  /** Ends the run and resolves when it has ended; at once when there is none. */
  stop(reason?: string): Promise<void>;
  /** Cuts the build short and goes on with these words beside the task. */
  redirect(text: string): void;
  /** Answers a run that waits for a person: the strategy `manual`, or the move `ask`. */
  answer(answer: Answer, text?: string): void;
}

/** The loop as a library: callbacks build, snapshot, check and feed back; everything else is as in any other run. */
export function createController(options: ControllerOptions = {}): Controller {
  const { clock = systemClock, registry = strategies, strategyTimeoutMs = 60_000 } = options;
  let ready: ReadySpec | null = null;
  let running: { control: Control; ended: Promise<ConvergenceResult> } | null = null;
  let progress = makeProgress(clock, null);
  let runs = 0;
  const idle = (what: string) => {
    if (running)
      throw wrongUse('controller.busy', `${what} while a run is under way; await it, or stop() it first`);
  };
  return {
    get isRunning() {
      return running !== null;
    },
    async initialize(spec) {
      idle('cannot initialize');
      ready = readSpec(spec, { strategy: options.strategy, registry, strategyTimeoutMs });
      progress = makeProgress(clock, ready.spec);
      runs = 0;
    },
    async run(context) {
      idle('cannot run a second time');
      if (!ready) throw wrongUse('controller.new', 'cannot run yet: call initialize(spec) first');
      const callbacks = readContext(context);
      const control = makeControl();
      progress = makeProgress(clock, ready.spec);
      const again = runs++ > 0;
      const begin = { ready, context, callbacks, control, progress, again };
      // Begun only after `running` is set, so that the first callback already finds the truth.
      const ended = Promise.resolve()
        .then(() => runOnce({ ...begin, options: { ...options, clock, registry, strategyTimeoutMs } }))
        .finally(() => {
          running = null;
        });
      running = { control, ended };
      return ended;
    },
    getProgress: () => progress.read(),
    async stop(reason) {
      if (!running) return;
      const { control, ended } = running;
      control.stop({ by: 'api', ...(reason === undefined ? {} : { note: reason }) });
      // How it ended is told to whoever awaits the run.
      await ended.catch(() => undefined);
    },
    redirect: (text) => running?.control.redirect({ by: 'api', text }),
    answer: (answer, text) =>
      running?.control.answer({ answer, by: 'api', ...(text === undefined ? {} : { text }) }),
  };
}

const wrongUse = (code: string, message: string): FaultError => new FaultError(fault(code, message));
