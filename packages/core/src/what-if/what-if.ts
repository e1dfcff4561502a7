import type { Event, EventOf } from '../event.ts';
import { fold } from '../evolve.ts';
import type { Status } from '../outcome.ts';
import { rankOf } from '../assess.ts';
import type { RunState } from '../state.ts';
import type { StrategySpec } from '../spec.ts';
import { strategies } from '../strategies/index.ts';
import type { StrategyRegistry } from '../strategies/registry.ts';
import { recordedSteps, type Step } from './step.ts';
import { walk } from './walk.ts';

/** What a run, or the part of it that another strategy would have let happen, took. */
export interface Spent {
  iterations: number;
  activeMs: number;
  tokens: number | null;
  costUsd: number | null;
}

/** How the run was recorded. */
export interface RecordedRun {
  runId: string;
  strategy: StrategySpec;
  status: Status | null;
  code: string | null;
  solved: boolean;
  spent: Spent;
  steps: readonly Step[];
}

/** The same run under another strategy, as far as the record tells. */
export interface WhatIf {
  strategy: StrategySpec;
  /**
   * `earlier`: it would have ended before the recorded end. `same`: with it. `beyond`: it would have gone on behind
   * the recorded end, where nothing is known.
   */
  ends: 'earlier' | 'same' | 'beyond';
  status: Status | null;
  code: string | null;
  reason: string | null;
  spent: Spent;
  saved: Spent;
  /** Solved within what it would have let happen. */
  solved: boolean;
  /** The recorded run was solved, and under this strategy it would have ended before that. */
  losesSolve: boolean;
  /** The best tree that it would never have seen, with the number of its failures. */
  betterLater: { iteration: number; failures: number } | null;
  steps: readonly Step[];
  /** What is taken for granted where the two strategies would have done different things. */
  assumptions: readonly string[];
}

export interface WhatIfOptions {
  registry?: StrategyRegistry;
  /** Changes the first event of each run, such as what it knew when it began. */
  begun?: (event: EventOf<'run.started'>) => EventOf<'run.started'>;
}

/** Strategies that ask somebody: what they would have answered is on no record. */
const asking: readonly string[] = ['manual', 'custom'];

/** Why a strategy cannot be asked about a recorded run; null where it can. */
export function whyNoWhatIf({ kind }: StrategySpec): string | null {
  if (!asking.includes(kind)) return null;
  const who = kind === 'manual' ? 'a person' : 'a module';
  return `${kind} asks ${who}, and what would have been answered is on no record`;
}

/** How a run stands on the record. */
export function recordedRun(events: readonly Event[]): RecordedRun {
  const state = fold(events);
  const { ended } = state;
  return {
    runId: state.runId,
    strategy: state.spec!.strategy,
    status: ended?.status ?? null,
    code: ended?.code ?? null,
    solved: ended?.status === 'converged',
    spent: spentOf(state),
    steps: recordedSteps(events),
  };
}

/**
 * Decides a recorded run again, iteration by iteration, under another strategy, until that one ends it. Exact for
 * stopping: whatever it lets happen is what did happen. Beyond the recorded end nothing is known.
 */
export function whatIf(
  events: readonly Event[],
  strategy: StrategySpec,
  { registry = strategies, begun = (event) => event }: WhatIfOptions = {},
): WhatIf {
  const recorded = recordedRun(events);
  const { state, steps, ends, end, assumptions } = walk(events, strategy, { registry, begun });
  const spent = spentOf(state);
  const solved = ends === 'earlier' ? end?.status === 'converged' : ends === 'same' ? recorded.solved : false;
  return {
    strategy,
    ends,
    status: end?.status ?? null,
    code: end?.because.code ?? null,
    reason: end?.because.reason ?? null,
    spent,
    saved: lessOf(recorded.spent, spent),
    solved,
    losesSolve: recorded.solved && !solved,
    betterLater: ends === 'earlier' ? betterLater(fold(events), state) : null,
    steps,
    assumptions: [...new Set([...contextAssumption(recorded.strategy, strategy), ...assumptions])],
  };
}

const spentOf = ({ iteration, activeMs, tokens, costUsd }: RunState): Spent => ({
  iterations: iteration,
  activeMs,
  tokens,
  costUsd,
});

function lessOf(all: Spent, part: Spent): Spent {
  const less = (one: number | null, other: number | null) =>
    one === null ? null : Number((one - (other ?? 0)).toFixed(9));
  return {
    iterations: all.iterations - part.iterations,
    activeMs: Number((all.activeMs - part.activeMs).toFixed(9)),
    tokens: less(all.tokens, part.tokens),
    costUsd: less(all.costUsd, part.costUsd),
  };
}

function betterLater(all: RunState, seen: RunState): WhatIf['betterLater'] {
  const { best, bestJudged } = all;
  if (!best || !bestJudged || best.iteration <= seen.iteration) return null;
  return { iteration: best.iteration, failures: rankOf(bestJudged)[0] === 0 ? 0 : bestJudged.failures.size };
}

/** Ralph begins each iteration with a fresh context where the agent has one to go on in; others go on. */
function contextAssumption(recorded: StrategySpec, other: StrategySpec): string[] {
  if ((recorded.kind === 'ralph') === (other.kind === 'ralph')) return [];
  return ['whether the agent begins each iteration with a fresh context is taken as it was'];
}
