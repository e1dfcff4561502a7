import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { deaf } from './stops/trial.ts';
import {
  agentgate,
  commandPath,
  type Ended,
  makePlace,
  outcomeOf,
  type Place,
  start,
} from './support/command.ts';
import { newWord, settled, until, withWord } from './support/processes.ts';

const races = 20;
const rival = ['run', '-p', 'x', '--gate', 'test -e go', '--agent', 'until [ -e go ]; do sleep 0.01; done'];

const busyWords = /held by run (\w{6}) \(process (\d+), since \d{4}-\d\d-\d\dT[\d:.]+Z\)/;

describe('two runs that start at the same moment', () => {
  it(`have exactly one owner, ${races} times over`, { timeout: 400_000 }, async () => {
    const place = makePlace();
    const took: number[] = [];
    const starts: number[] = [];
    try {
      for (let race = 0; race < races; race++) {
        starts.push(await twoStarts(place));
        took.push(await oneRace(place));
      }
      // The command has to start, too, which takes most of it, and two of them at once.
      expect(median(took) - median(starts)).toBeLessThan(1_000);
    } finally {
      place.remove();
    }
  });
});

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;

/** How long two commands that do nothing take to start and leave, side by side. */
async function twoStarts(place: Place): Promise<number> {
  const fromMs = performance.now();
  await Promise.all([agentgate(place, 'list', '--json'), agentgate(place, 'list', '--json')]);
  return performance.now() - fromMs;
}

/** Starts two at once and waits for the loser, who names the winner. Answers how long the loser took. */
async function oneRace(place: Place): Promise<number> {
  const fromMs = performance.now();
  const two = [start(place, [...rival, '--json']), start(place, [...rival, '--json'])];
  const first = await Promise.race(two.map(async ({ ended }, at) => ({ end: await ended, at })));
  const tookMs = performance.now() - fromMs;
  place.write({ go: '' });
  const winner = two[1 - first.at]!;
  const won = await winner.ended;
  const { runId } = outcomeOf(won);
  expect([first.end.exit, won.exit]).toEqual([75, 0]);
  expect(busyWords.exec(first.end.stderr)?.slice(1)).toEqual([runId, String(winner.child.pid)]);
  expect(outcomeOf(first.end)).toMatchObject({ kind: 'busy', holder: { runId, pid: winner.child.pid } });
  expect(await statusesOf(place)).not.toContain('cut short');
  rmSync(join(place.workspace, 'go'));
  return tookMs;
}

async function statusesOf(place: Place): Promise<string[]> {
  const { stdout } = await agentgate(place, 'list', '--json');
  const lines = stdout.split('\n').filter((line) => line !== '');
  return lines.map((line) => (JSON.parse(line) as { status: string }).status);
}

describe.skipIf(process.platform !== 'linux')('a controller that was killed', () => {
  /** Kills a controller and leaves its agent, which does not listen, and a child that got away. */
  async function killed(place: Place, word: string, more = ''): Promise<Ended> {
    const mark = join(dirname(place.workspace), 'ready');
    place.write({ '../deaf.sh': `${more}${deaf(word, mark)}\n` });
    const { child, ended } = start(place, ['run', '-p', 'x', '--gate', 'false', '--agent', 'sh ../deaf.sh']);
    await until(() => existsSync(mark));
    child.kill('SIGKILL');
    return ended;
  }

  it.each([
    ['holds its lock', ''],
    ['has closed every descriptor', 'exec 3>&- 4>&- 5>&- 6>&-; '],
  ])(
    'leaves the workspace free at once though an agent that %s lives, which the next run ends',
    { timeout: 120_000 },
    async (_name, more) => {
      const place = makePlace();
      const word = newWord();
      try {
        await killed(place, word, more);
        expect(withWord(word).length).toBeGreaterThan(0);
        const fromMs = performance.now();
        const next = await agentgate(place, 'check', '--gate', 'true');
        expect([next.exit, next.stderr]).toEqual([0, '']);
        expect(performance.now() - fromMs).toBeLessThan(5_000);
        expect(await settled(word)).toEqual([]);
        const flags = ['-p', 'y', '--gate', 'test -e done', '--agent', 'touch done', '--json'];
        expect(outcomeOf(await agentgate(place, 'run', ...flags))).toMatchObject({ status: 'converged' });
      } finally {
        for (const pid of withWord(word)) process.kill(pid, 'SIGKILL');
        place.remove();
      }
    },
  );

  it('leaves the workspace free at once also where its parent does not collect it', {
    timeout: 120_000,
  }, async () => {
    const place = makePlace();
    const word = newWord();
    const mark = join(dirname(place.workspace), 'ready');
    place.write({ '../deaf.sh': `${deaf(word, mark)}\n` });
    const run = [
      process.execPath,
      commandPath,
      'run',
      '-p',
      'x',
      '--gate',
      'false',
      '--agent',
      'sh ../deaf.sh',
    ];
    // A shell that becomes another program forgets its children.
    const parent = spawn('sh', ['-c', '"$@" >/dev/null 2>&1 & echo $!; exec sleep 600', 'sh', ...run], {
      cwd: place.workspace,
      env: place.env,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    try {
      const [line] = await once(parent.stdout, 'data');
      const pid = Number(line);
      await until(() => existsSync(mark));
      process.kill(pid, 'SIGKILL');
      await until(() => readFileSync(`/proc/${pid}/stat`, 'latin1').includes(') Z '));
      expect(await statusesOf(place)).toEqual(['cut short']);
      const stop = await agentgate(place, 'stop');
      expect([stop.exit, stop.stderr]).toEqual([
        2,
        expect.stringMatching(/nobody drives run \w{6} \(it was cut/),
      ]);
      const next = await agentgate(place, 'check', '--gate', 'true');
      expect([next.exit, next.stderr]).toEqual([0, '']);
      expect(await settled(word)).toEqual([]);
    } finally {
      parent.kill('SIGKILL');
      for (const pid of withWord(word)) process.kill(pid, 'SIGKILL');
      place.remove();
    }
  });

  it('leaves orphans over whom two runs race: one owner, and nobody else is killed', {
    timeout: 120_000,
  }, async () => {
    const place = makePlace();
    const word = newWord();
    try {
      await killed(place, word);
      await oneRaceAfterKill(place);
      expect(await settled(word)).toEqual([]);
    } finally {
      for (const pid of withWord(word)) process.kill(pid, 'SIGKILL');
      place.remove();
    }
  });
});

/** Starts four at once; three of them lose, and the fourth is left alone to its end. */
async function oneRaceAfterKill(place: Place): Promise<void> {
  const many = Array.from({ length: 4 }, () => start(place, [...rival, '--json']));
  let over = 0;
  for (const { ended } of many) void ended.then(() => (over += 1));
  await until(() => over === 3);
  place.write({ go: '' });
  const ends = await Promise.all(many.map(({ ended }) => ended));
  expect(ends.map(({ exit }) => exit).toSorted()).toEqual([0, 75, 75, 75]);
}
