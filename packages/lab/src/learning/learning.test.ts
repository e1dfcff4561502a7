import { judgeOn } from '@agentgate/core';
import { describe, expect, it } from 'vitest';
import { situationAfter } from '../traces/situation.ts';
import type { Trace } from '../traces/trace.ts';
import { learnFor, learnForRuns } from './learn-for.ts';
import { modelsApart, modelWithout } from './models-apart.ts';

const retention = { mode: 'retention', target: 0.99, value: undefined, explore: 0.05 } as const;
const traceOf = (at: number, more: Partial<Trace> = {}): Trace => ({
  v: 1,
  source: '/w',
  suite: 'tests',
  task: `task ${at}`,
  model: 'claude',
  mode: 'repair',
  horizon: 5,
  solved: at % 3 !== 0,
  iterations: Array.from({ length: at % 3 === 0 ? 5 : 2 }, (_, i) => ({
    ok: at % 3 !== 0 && i === 1,
    score: 0,
    gate: 'tests',
    costUsd: 0.5,
  })),
  ...more,
});
const traces = Array.from({ length: 45 }, (_, at) => traceOf(at));

describe('learning for adaptive', () => {
  it('needs to know what iterations cost where a solve is weighed against them', () => {
    const value = { ...retention, mode: 'value', value: 5 } as const;
    expect(learnFor(traces, value)).toMatchObject({
      mode: 'value',
      value: { solveUsd: 5, iterationUsd: 0.5 },
    });
    const silent = traces.map((one) => ({
      ...one,
      iterations: one.iterations.map((iteration) => ({ ...iteration, costUsd: null })),
    }));
    expect(() => learnFor(silent, value)).toThrow(
      /no agent here told what an iteration costs.*mode=retention/,
    );
    const model = learnForRuns(silent, value);
    expect(model).toMatchObject({ mode: 'value', value: null, seen: { runs: 45 }, laws: {} });
    expect(judgeOn(model, situationAfter(silent[0]!, 1))).toEqual({ kind: 'unlearned', why: model.note });
    expect(learnForRuns(traces, value)).toEqual(learnFor(traces, value));
  });
  it('says what is missing, and not what things cost, before there is any run', () => {
    const model = learnForRuns([], { ...retention, mode: 'value', value: 5 });
    expect(judgeOn(model, situationAfter(traces[0]!, 1))).toMatchObject({
      why: expect.stringContaining('10 more runs'),
    });
  });
  it('takes the newest where there is more than can be learned from in time', () => {
    const long = Array.from({ length: 40 }, (_, at) => ({
      ...traceOf(3 * at),
      horizon: 2_000,
      iterations: Array.from({ length: 2_000 }, () => ({ ok: false, score: 0, gate: 'tests' })),
    }));
    const { seen } = learnFor([...traces, ...long], retention);
    expect(seen.decisions).toBeLessThan(50_000);
    expect(seen).toMatchObject({ solved: 30, runs: expect.any(Number) });
    expect(seen.runs).toBeLessThan(85);
  });
  it('keeps the task that is judged out of what is learned', () => {
    const judged = traces[1]!;
    const again = { ...judged, run: 'another run of it' };
    expect(modelWithout([...traces, again], judged, retention).seen).toMatchObject({ runs: 44, tasks: 44 });
    for (const [trace, model] of modelsApart(traces, retention)) {
      expect(model.seen.tasks).toBeLessThan(45);
      expect(trace.source).toBe('/w');
    }
  });
  it('never crosses from one project to another', () => {
    const elsewhere = traces.map((one) => ({ ...one, source: '/elsewhere' }));
    expect(modelWithout([...traces, ...elsewhere], traces[0]!, retention).seen.runs).toBe(44);
    const models = modelsApart([...traces, ...elsewhere.slice(0, 5)], retention);
    expect(models.get(elsewhere[0]!)?.laws.repair?.kind).toBe('hybrid');
  });
});
