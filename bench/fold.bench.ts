import { decide } from '../packages/core/src/decide.ts';
import type { Event } from '../packages/core/src/event.ts';
import { fold } from '../packages/core/src/evolve.ts';
import { play, specOf, type World } from '../packages/core/src/testing/play.ts';
import { hash64 } from '../packages/core/src/text/index.ts';
import { type Measured, makeRow, medianOf } from './figures.ts';
import { failedAt, gates } from './verdicts.ts';

const iterations = 10_000;
const warmUp = 1;
const rounds = 5;

/** Folding the history of 10,000 iterations and deciding on the last, beside parsing its lines. */
export async function measureFold(): Promise<Measured[]> {
  const lines = makeHistory().map((event) => JSON.stringify(event));
  const ours: number[] = [];
  const beside: number[] = [];
  for (let round = 0; round < warmUp + rounds; round++) {
    const start = performance.now();
    const events = lines.map((line) => JSON.parse(line) as Event);
    const parsed = performance.now();
    const decision = decide(fold(events));
    const decided = performance.now();
    if (decision.kind !== 'end-run') throw new Error(`the last decision was ${decision.kind}`);
    if (round < warmUp) continue;
    beside.push(parsed - start);
    ours.push(decided - parsed);
  }
  const both = medianOf(ours.map((took, at) => (took + beside[at]!) / beside[at]!));
  const megabytes = lines.reduce((sum, line) => sum + line.length + 1, 0) / 1e6;
  const note = `${lines.length} events, ${megabytes.toFixed(0)} MB; parse and fold together ${both.toFixed(2)} of parse`;
  return [makeRow('fold and decide, 10,000 iterations', 2.5, { ours, beside }, note)];
}

/**
 * Really played, with a stop and a resume in the middle, and cut off before the decision on the last iteration.
 * That one fixes nothing, so the detectors look at the whole series.
 */
function makeHistory(): Event[] {
  const spec = specOf({ gates, strategy: 'hybrid', limits: { iterations, wallClock: '1000h' } });
  const world: World = {
    turn: (iteration) => ({ tree: treeOf(iteration), similar: [0.41, 0.37], tokens: 1200, costUsd: 0.01 }),
    judge: (gate, _, iteration) => failedAt(Math.min(iteration, iterations - 1), gate),
  };
  const stopped = play(spec, { ...world, stops: (iteration) => iteration >= iterations / 2 });
  const { events, state } = play(spec, world, stopped.events, 'r2');
  if (state.iteration !== iterations)
    throw new Error(`played ${state.iteration} of ${iterations} iterations`);
  return events.slice(0, -2);
}

const treeOf = (iteration: number): string =>
  `${hash64(`a${iteration}`)}${hash64(`b${iteration}`)}${hash64(`c${iteration}`)}`.slice(0, 40);
