import type { IterationRecord } from '../../state.ts';
import type { GateView, StrategyContext } from '../strategy.ts';

/** A context of an ordinary failing iteration, for tests; whatever is given replaces what is ordinary. */
export function contextAt(iteration: number, rest: Partial<StrategyContext> = {}): StrategyContext {
  return {
    runId: 'r1',
    iteration,
    index: iteration - 1,
    sinceStart: iteration,
    granted: 0,
    limits: { iterations: 20, wallClock: 3_600_000, maxWait: 1_000 },
    elapsedMs: iteration * 1_000,
    tokens: null,
    costUsd: null,
    goalSatisfied: false,
    build: 'finished',
    current: recordAt(iteration),
    history: Array.from({ length: iteration - 1 }, (_, at) => recordAt(at + 1)),
    bestScoreBefore: 0,
    tree: `tree-${iteration}`,
    gates: [gateView()],
    output: `words of ${iteration}`,
    ...rest,
  };
}

export function gateView(rest: Partial<GateView> = {}): GateView {
  return {
    name: 'tests',
    kind: 'command',
    severity: 'hard',
    verdict: 'failed',
    passed: false,
    level: 0.5,
    failures: ['adds'],
    levels: [],
    ...rest,
  };
}

export const greenGate = (name = 'tests'): GateView =>
  gateView({ name, verdict: 'passed', passed: true, level: 1, failures: [] });

export function recordAt(iteration: number, rest: Partial<IterationRecord> = {}): IterationRecord {
  const ordinary = {
    iteration,
    build: 'finished',
    judged: true,
    tree: `tree-${iteration}`,
    work: `work-${iteration}`,
    substance: `substance-${iteration}`,
    failures: 1,
    failureKey: 'key',
    textKey: null,
    score: 0.5,
    fixed: 0,
    broken: 0,
    unmasked: false,
    opaque: 0,
    progress: null,
    novel: false,
    newTree: true,
    newFailures: false,
    binary: false,
    moved: true,
    claimed: false,
    similar: [],
    silent: false,
    code: 'continue.base',
    tookMs: 700,
    tokens: 50,
    gates: { tests: false },
    at: '2026-01-01T00:00:00.000Z',
  };
  return { ...ordinary, ...rest } as IterationRecord;
}
