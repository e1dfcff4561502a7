import type { Event } from '../packages/core/src/event.ts';
import { replay } from '../packages/core/src/replay.ts';
import { play, specOf, type World } from '../packages/core/src/testing/play.ts';
import { whatIf } from '../packages/core/src/what-if/index.ts';
import { type Measured, makeRow } from './figures.ts';
import { failedAt, gates } from './verdicts.ts';

const iterations = 1_000;
const warmUp = 1;
const rounds = 5;
/** What somebody who asks about a run is willing to wait. */
const promiseMs = 1_000;

/** Every decision of 10,000 events decided again, once as it was and once under a strategy that goes as far. */
export async function measureReplay(): Promise<Measured[]> {
  const events = makeHistory();
  const other = specOf({ strategy: { kind: 'ralph', max: 1_000 } }).strategy;
  const again: number[] = [];
  const under: number[] = [];
  for (let round = 0; round < warmUp + rounds; round++) {
    const start = performance.now();
    if (replay(events).differences.length > 0) throw new Error('the replay differs');
    const replayed = performance.now();
    if (whatIf(events, other).spent.iterations !== iterations)
      throw new Error('the other strategy ended early');
    const asked = performance.now();
    if (round < warmUp) continue;
    again.push(replayed - start);
    under.push(asked - replayed);
  }
  const beside = again.map(() => promiseMs);
  const note = `${events.length} events; beside is the promise`;
  return [
    makeRow('replay of 1,000 iterations', 1, { ours: again, beside }, note),
    makeRow('the same under another strategy', 1, { ours: under, beside }, note),
  ];
}

/** Really played; each iteration fixes something and breaks something else, so that none of them is stuck. */
function makeHistory(): readonly Event[] {
  const spec = specOf({
    gates,
    strategy: { kind: 'fixed', iterations },
    limits: { iterations, wallClock: '1000h' },
  });
  const world: World = {
    turn: (iteration) => ({ tree: `t${iteration}`, similar: [0.41, 0.37], tokens: 1200, costUsd: 0.01 }),
    judge: (gate, _, iteration) => failedAt(iteration, gate),
  };
  return play(spec, world).events;
}
