import {
  type Event,
  type EventOf,
  learnedFrom,
  type Spent,
  type StoredModel,
  type StrategySpec,
  type WhatIf,
  whatIf,
} from '@agentgate/core';
import { stillMissing } from '../learning/still-missing.ts';
import type { Trace } from '../traces/trace.ts';
import { taskKey } from '../traces/trace.ts';
import { type Interval, intervalsOf } from './intervals.ts';

/** A run of the history: its events, and what they are as a trace. */
export interface PastRun {
  runId: string;
  events: readonly Event[];
  trace: Trace;
}

/** A strategy that the history is decided again under. */
export interface Contender {
  name: string;
  strategy: StrategySpec;
  /** For `adaptive`: what it is taken to have known when this run began. */
  modelFor?: (run: PastRun) => StoredModel | null;
}

/** What one strategy would have made of a history. */
export interface Compared {
  name: string;
  runs: number;
  tasks: number;
  /** Recorded solves, and how many of them it would have kept. */
  solved: number;
  kept: number;
  /** Runs in which it would have gone on behind the record: of those nothing is known. */
  beyond: number;
  /** Runs whose solve it would have lost. */
  lost: string[];
  retained: Interval;
  /** Shares of what the recorded runs used. Money and tokens count where they were told. */
  saved: { iterations: Interval; activeMs: Interval; tokens: Interval; costUsd: Interval };
  /** The same as sums. */
  savedInAll: Spent;
  /** Of `adaptive`: so many more solved runs are missing before it decides otherwise than hybrid. */
  missing?: number;
}

/** Decides every run again under every strategy. Deterministic: the same history compares the same. */
export function compare(runs: readonly PastRun[], contenders: readonly Contender[]): Compared[] {
  return contenders.map((one) => {
    const told = runs.map((run) => ({
      run,
      what: whatIf(run.events, one.strategy, { begun: begunWith(one, run) }),
    }));
    const row = tableRow(one.name, told);
    return one.modelFor ? { ...row, missing: stillMissing(runs.map(({ trace }) => trace)) } : row;
  });
}

/** Each run begins with what the strategy is taken to have known, and ignores no stop. */
function begunWith({ strategy, modelFor }: Contender, run: PastRun) {
  return (event: EventOf<'run.started'>): EventOf<'run.started'> => {
    if (strategy.kind !== 'adaptive' || !modelFor) return event;
    return { ...event, learned: { ...learnedFrom(modelFor(run), event.runId), explores: false } };
  };
}

const names = ['retained', 'iterations', 'activeMs', 'tokens', 'costUsd'] as const;

function tableRow(name: string, told: readonly { run: PastRun; what: WhatIf }[]): Compared {
  const { retained, ...saved } = intervalsOf(
    names,
    told.map(({ run, what }) => ({ task: taskKey(run.trace), parts: partsOf(run, what) })),
  );
  const solved = told.filter(({ run }) => run.trace.solved);
  const lost = solved.filter(({ what }) => what.losesSolve).map(({ run }) => run.runId);
  const sum = (of: keyof Spent) => {
    const known = told.map(({ what }) => what.saved[of]).filter((one) => one !== null);
    return known.length === 0 ? null : Number(known.reduce((a, b) => a + b, 0).toFixed(6));
  };
  return {
    name,
    runs: told.length,
    tasks: new Set(told.map(({ run }) => taskKey(run.trace))).size,
    solved: solved.length,
    kept: solved.length - lost.length,
    beyond: told.filter(({ what }) => what.ends === 'beyond').length,
    lost,
    retained,
    saved,
    savedInAll: {
      iterations: sum('iterations') ?? 0,
      activeMs: sum('activeMs') ?? 0,
      tokens: sum('tokens'),
      costUsd: sum('costUsd'),
    },
  };
}

function partsOf({ trace }: PastRun, { losesSolve, saved, spent }: WhatIf) {
  const part = (of: keyof Spent) => ({ over: saved[of] ?? 0, under: (saved[of] ?? 0) + (spent[of] ?? 0) });
  return {
    retained: trace.solved ? { over: losesSolve ? 0 : 1, under: 1 } : { over: 0, under: 0 },
    iterations: part('iterations'),
    activeMs: part('activeMs'),
    tokens: part('tokens'),
    costUsd: part('costUsd'),
  };
}
