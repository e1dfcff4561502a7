import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { percentile, phases, type Stopped, stopIn, ways } from './stops/trial.ts';

// `npm run stops` stops fifty times and prints the figures; the suite once in each phase.
const file = process.env['STOPS_FILE'];
const times = file === undefined ? phases.length : Number(process.env['STOPS'] ?? 50);
const longestMs = 11_000;
const rows: Stopped[] = [];

const trials = Array.from({ length: times }, (_, n) => {
  const phase = phases[n % phases.length]!;
  return { n: n + 1, phase, way: ways[(n + Math.floor(n / phases.length)) % ways.length]! };
});

afterAll(() => {
  if (file === undefined) return;
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify(rows));
});

describe.skipIf(process.platform !== 'linux')('a run that is stopped', () => {
  it.each(trials)('$n: $phase, by $way: all dead and recorded', { timeout: 120_000 }, async (trial) => {
    const stopped = await stopIn(trial.phase, trial.way);
    rows.push(stopped);
    expect(stopped).toMatchObject({ survivors: 0, code: 'user.stop' });
  });
  it('of a hundred times ninety-nine take at most eleven seconds', () => {
    const took = rows.map(({ tookMs }) => tookMs);
    expect(percentile(took, 99)).toBeLessThanOrEqual(longestMs);
  });
});
