import {
  detect,
  invariant,
  type IterationRecord,
  parseSpec,
  type RunSpec,
  strategies,
  type StrategyContext,
} from '@agentgate/core';
import type { Trace } from '../traces/trace.ts';
import { recordsOf } from './records.ts';

/** After which iteration a strategy ends a run, had it been asked from the first one on. */
export type StopsAfter = (trace: Trace) => number;

const unbounded = 1000;
/** A spec allows no more iterations than these; a trace of another program may name any number. */
const most = 10_000;

/** The strategy and the detectors that ship, asked after every failing iteration, with no ladder to try first. */
export function shipped(strategy: Record<string, unknown>): StopsAfter {
  const specs = new Map<number, RunSpec>();
  const decider = strategies.create(String(strategy['kind']), specOf(strategy, unbounded).strategy);
  return (trace) => {
    const horizon = Math.min(trace.horizon ?? unbounded, most);
    const spec = specs.get(horizon) ?? specOf(strategy, horizon);
    specs.set(horizon, spec);
    const records = recordsOf(trace);
    let done = 1;
    while (done < records.length) {
      const isStuck = detect(spec, records.slice(0, done)).length > 0;
      if (isStuck || !decider.decide(contextOf(spec, records, done)).continue) break;
      done += 1;
    }
    return done;
  };
}

function specOf(strategy: Record<string, unknown>, iterations: number): RunSpec {
  const parsed = parseSpec({
    task: 'replay',
    agent: ['none'],
    gates: { recorded: 'none' },
    limits: { iterations },
    strategy,
  });
  invariant(parsed.kind === 'spec', 'a strategy of the table is a valid one');
  return { ...parsed.spec, task: 'replay' };
}

function contextOf(spec: RunSpec, records: readonly IterationRecord[], done: number): StrategyContext {
  const history = records.slice(0, done - 1);
  return {
    runId: 'replay',
    iteration: done,
    index: done - 1,
    sinceStart: done,
    granted: 0,
    limits: spec.limits,
    elapsedMs: 0,
    tokens: null,
    costUsd: null,
    goalSatisfied: false,
    build: 'finished',
    current: records[done - 1]!,
    history,
    bestScoreBefore: history.reduce((best, { score }) => Math.max(best, score), 0),
    tree: records[done - 1]!.tree,
    gates: [],
    output: null,
  };
}
