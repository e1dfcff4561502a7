import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { attempt, type Survivors, type Trial, trials } from './escape/trial.ts';
import { agentgate, makePlace, outcomeOf } from './support/command.ts';
import { hasSandbox } from './support/sandbox.ts';

// `npm run escape` tries everything and prints the table; the suite tries the worst style each time.
const file = process.env['ESCAPE_FILE'];
const worst = trials.filter(({ style }) => style === 'wiped, setsid, closed');
const rows: (Trial & Survivors)[] = [];

afterAll(() => {
  if (file === undefined) return;
  mkdirSync(dirname(file), { recursive: true });
  const place = (row: Trial) => trials.findIndex((trial) => nameOf(trial) === nameOf(row));
  writeFileSync(file, JSON.stringify({ hasSandbox, rows: rows.toSorted((a, b) => place(a) - place(b)) }));
});

const nameOf = ({ style, who, end }: Trial) => `${style}, ${who}, ${end}`;
const tried = (sandbox: Trial['sandbox']) =>
  (file === undefined ? worst : trials)
    .filter((one) => one.sandbox === sandbox)
    .map((trial): [string, Trial] => [nameOf(trial), trial]);

describe.skipIf(!hasSandbox)('nobody gets out of the sandbox', () => {
  it.concurrent.each(tried('bwrap'))('%s', { timeout: 60_000 }, async (_name, trial) => {
    const survivors = await attempt(trial);
    rows.push({ ...trial, ...survivors });
    expect(survivors).toEqual({ left: 0, later: 0 });
  });
});

describe.skipIf(process.platform !== 'linux')('without a sandbox', () => {
  it.concurrent.each(tried('none'))('%s', { timeout: 60_000 }, async (_name, trial) => {
    const survivors = await attempt(trial);
    rows.push({ ...trial, ...survivors });
    // Nothing ties the worst style to us, and nobody can sweep after a kill before the next command does.
    const promised = trial.style === 'wiped, setsid, closed' ? 1 : 0;
    expect(survivors.later).toBeLessThanOrEqual(promised);
    if (trial.end === 'stop') expect(survivors.left).toBeLessThanOrEqual(promised);
  });
});

it('the outcome of a run without a sandbox says what is not proven', async () => {
  const place = makePlace();
  try {
    const flags = ['-p', 'x', '--gate', 'test -e done', '--agent', 'touch done', '--json'];
    const free = outcomeOf(await agentgate(place, 'run', ...flags, '--sandbox', 'none'));
    expect(free).toMatchObject({ status: 'converged' });
    expect(free['caveats']).toEqual([
      expect.stringMatching(/^gate test was judged in the workspace itself/),
      expect.stringMatching(/^the agent ran without a sandbox \(as asked\)/),
      expect.stringMatching(/^the gates ran without a sandbox \(as asked\)/),
    ]);
  } finally {
    place.remove();
  }
});

it('a sandbox that is asked for and does not work is a fault before anything runs', async () => {
  const place = makePlace({ '../bin/bwrap': '#!/bin/sh\nexit 1\n' });
  try {
    spawnSync('chmod', ['+x', `${dirname(place.workspace)}/bin/bwrap`]);
    place.env['PATH'] = `${dirname(place.workspace)}/bin:${place.env['PATH']}`;
    const flags = ['-p', 'x', '--gate', 'true', '--agent', 'touch began', '--json'];
    const refused = await agentgate(place, 'run', ...flags, '--sandbox', 'bwrap');
    expect([refused.exit, outcomeOf(refused)]).toEqual([
      4,
      expect.objectContaining({ kind: 'refused', code: 'sandbox.unable' }),
    ]);
    const open = outcomeOf(await agentgate(place, 'run', ...flags, '--sandbox', 'auto'));
    expect(open['caveats']).toContainEqual(
      expect.stringMatching(/^the agent ran .*bubblewrap does not work/),
    );
  } finally {
    place.remove();
  }
});
