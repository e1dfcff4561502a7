import { judgeOn, type Situation } from '../packages/core/src/policy/index.ts';
import { learn } from '../packages/lab/src/policy/learn.ts';
import { situationAfter } from '../packages/lab/src/traces/situation.ts';
import type { Trace } from '../packages/lab/src/traces/trace.ts';
import { chanceOf, type Measured, makeRow } from './figures.ts';

const decisions = 50_000;
const asked = 20_000;
const rounds = 5;

/** Deciding with a learned model, and learning it anew, each beside its promise. */
export async function measureForecast(): Promise<Measured[]> {
  const traces = makeTraces();
  const model = learn(traces, { target: 0.97, only: 'adaptive' });
  const situations: Situation[] = traces
    .flatMap((trace) => trace.iterations.slice(1).map((_, at) => situationAfter(trace, at + 1)))
    .slice(0, asked);
  const deciding: number[] = [];
  const learning: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const took = cpuMsOf(() => {
      for (const situation of situations)
        if (judgeOn(model, situation).kind !== 'learned') throw new Error('nothing was learned');
    });
    deciding.push(took / situations.length);
    learning.push(cpuMsOf(() => learn(traces, { target: 0.97 })));
  }
  const promised = (ms: number) => deciding.map(() => ms);
  const seen = `${model.seen.decisions} decisions of ${model.seen.runs} runs`;
  return [
    makeRow(
      'a decision of adaptive',
      1,
      { ours: deciding, beside: promised(0.05) },
      'time of the processor; beside is the promise',
    ),
    makeRow(
      'learning from 50,000 decisions',
      1,
      { ours: learning, beside: promised(2000) },
      `${seen}; time of the processor; beside is the promise`,
    ),
  ];
}

/** What the processor spent: both are plain computing, and what else the machine does is none of their matter. */
function cpuMsOf(work: () => unknown): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** Runs that look like recorded ones in everything that costs time: groups, gates, scores, hashes. */
function makeTraces(): Trace[] {
  const next = chanceOf(8);
  const traces: Trace[] = [];
  for (let made = 0; made < decisions; ) {
    const length = 2 + Math.floor(next() * 9);
    const solved = next() < 0.4;
    const iterations = Array.from({ length }, (_, at) => ({
      ok: solved && at === length - 1,
      score: solved && at === length - 1 ? 1 : Math.floor(next() * 10) / 10,
      passed: Math.floor(next() * 5),
      failed: 1,
      total: 6,
      gate: next() < 0.5 ? 'test' : 'build',
      failKey: `k${Math.floor(next() * 4)}`,
      out: `o${Math.floor(next() * 30)}`,
      outChars: Math.floor(next() * 900),
      sim: next(),
    }));
    made += length - 1;
    const model = `agent ${Math.floor(next() * 10)}`;
    const task = `t${traces.length}`;
    traces.push({
      v: 1,
      source: 'bench',
      suite: 's',
      task,
      model,
      mode: 'repair',
      horizon: 10,
      solved,
      iterations,
    });
  }
  return traces;
}
