import { closeSync, existsSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { startIn } from './stops/trial.ts';
import { agentgate, makePlace, outcomeOf, type Place, start } from './support/command.ts';
import { newWord, settled, until, withWord } from './support/processes.ts';

const linux = process.platform === 'linux';
const patient = { timeout: 120_000 };

/** The runs of a place as `list` shows them. */
async function runsOf(place: Place): Promise<{ runId: string; status: string }[]> {
  const { stdout } = await agentgate(place, 'list', '--json');
  const lines = stdout.split('\n').filter((line) => line !== '');
  return lines.map((line) => JSON.parse(line) as { runId: string; status: string });
}

/** An agent that leaves a line for each time it works; the first time it does not listen and does not end. */
function makeDeafPlace(word: string): Place {
  const place = makePlace({ 'a.txt': '' });
  place.write({
    '../agent.sh': `echo "$AGENTGATE_ITERATION" >> ../builds.txt; echo x >> a.txt
[ -e ../ready ] && exit 0
trap '' TERM INT HUP; ( ( sleep ${word} & ) & ); touch ../ready; while :; do sleep ${word}; done\n`,
  });
  return place;
}

const flags = [
  'run',
  '-p',
  'x',
  '--max-iterations',
  '3',
  '--gate',
  'test -e never',
  '--',
  'sh',
  '../agent.sh',
];
const buildsOf = (place: Place): number =>
  readFileSync(join(dirname(place.workspace), 'builds.txt'), 'utf8')
    .trim()
    .split('\n').length;

describe.skipIf(!linux)('the second request ends everything at once', () => {
  it.each([
    ['SIGINT', 'SIGINT'],
    ['SIGTERM', 'SIGHUP'],
    ['SIGHUP', 'stop'],
    ['stop', 'stop'],
    ['stop --now', null],
  ])('%s, then %s: nobody is left, and a resume counts exactly', patient, async (first, second) => {
    const word = newWord();
    const place = makeDeafPlace(word);
    const { child, ended } = start(place, flags);
    const ask = (how: string) =>
      how.startsWith('stop')
        ? agentgate(place, ...how.split(' '))
        : Promise.resolve(child.kill(how as NodeJS.Signals));
    let fromMs = 0;
    child.on('exit', () => (fromMs = performance.now() - fromMs));
    try {
      await until(() => existsSync(join(dirname(place.workspace), 'ready')));
      if (second === null) fromMs = performance.now();
      const asked = ask(first);
      if (second !== null) {
        // Stopped for the first time, and not yet for the second.
        await sleep(first === 'stop' ? 1_500 : 300);
        fromMs = performance.now();
        await ask(second);
      }
      const end = await ended;
      expect(end.exit).toBe(130);
      expect(end.stderr).toMatch(/ended at once; agentgate resume \w{6} goes on where it stood/);
      if (first.startsWith('SIG')) expect(end.stderr).toMatch(/Once more kills it at once; agentgate resume/);
      // A command has to start before it can ask.
      expect(fromMs).toBeLessThan(second?.startsWith('SIG') ? 1_000 : 6_000);
      expect(await settled(word)).toEqual([]);
      await asked;
      expect(await runsOf(place)).toMatchObject([{ status: expect.stringMatching(/cut short|running/) }]);
      const resumed = await agentgate(place, 'resume', '--json');
      expect(outcomeOf(resumed)).toMatchObject({ code: 'limit.iterations', iterations: 3 });
      expect(buildsOf(place)).toBe(3);
    } finally {
      child.kill('SIGKILL');
      for (const pid of withWord(word)) process.kill(pid, 'SIGKILL');
      place.remove();
    }
  });

  it('a controller that hears nothing any more is killed by stop --now', patient, async () => {
    const word = newWord();
    const place = makeDeafPlace(word);
    const { child, ended } = start(place, flags);
    try {
      await until(() => existsSync(join(dirname(place.workspace), 'ready')));
      child.kill('SIGSTOP');
      const stopped = await agentgate(place, 'stop', '--now');
      expect([stopped.exit, stopped.stderr]).toEqual([0, '']);
      expect((await ended).signal).toBe('SIGKILL');
      expect(await settled(word)).toEqual([]);
    } finally {
      child.kill('SIGKILL');
      for (const pid of withWord(word)) process.kill(pid, 'SIGKILL');
      place.remove();
    }
  });

  it('a terminal that is gone does not keep the run from its end', patient, async () => {
    const place = makePlace();
    const flags = ['run', '-p', 'x', '--gate', 'false', '--agent', 'touch ../ready; sleep 600'];
    const { child, ended } = start(place, flags);
    try {
      await until(() => existsSync(join(dirname(place.workspace), 'ready')));
      child.stdout?.destroy();
      child.stderr?.destroy();
      child.kill('SIGHUP');
      expect((await ended).exit).toBe(130);
      expect(await runsOf(place)).toMatchObject([{ status: 'stopped' }]);
    } finally {
      child.kill('SIGKILL');
      place.remove();
    }
  });

  it('under nohup the end of the terminal is not the end of the run', patient, async () => {
    const place = makePlace();
    const agent = 'touch ../ready; until [ -e ../go ]; do sleep 0.05; done; touch done';
    const base = dirname(place.workspace);
    // What nohup makes of a terminal: an input that cannot be read.
    const input = openSync('/dev/null', 'w');
    const flags = ['run', '--json', '-p', 'x', '--gate', 'test -e done', '--agent', agent];
    const { child, ended } = start(place, flags, input);
    try {
      await until(() => existsSync(join(base, 'ready')));
      child.kill('SIGHUP');
      writeFileSync(join(base, 'go'), '');
      expect(outcomeOf(await ended)).toMatchObject({ status: 'converged', iterations: 1 });
    } finally {
      closeSync(input);
      child.kill('SIGKILL');
      place.remove();
    }
  });

  it('a run whose controller was killed is at once shown as cut short', patient, async () => {
    const word = newWord();
    const place = makeDeafPlace(word);
    const { child, ended } = start(place, flags);
    try {
      await until(() => existsSync(join(dirname(place.workspace), 'ready')));
      expect(await runsOf(place)).toMatchObject([{ status: 'running' }]);
      child.kill('SIGKILL');
      await ended;
      expect(await runsOf(place)).toMatchObject([{ status: 'cut short' }]);
      expect((await agentgate(place, 'show')).stdout).toContain('The run was cut short');
    } finally {
      for (const pid of withWord(word)) process.kill(pid, 'SIGKILL');
      place.remove();
    }
  });

  it('the same signal passed on by a wrapper is one press', patient, async () => {
    const place = makePlace();
    const word = newWord();
    const { child, ended, isThere } = startIn(place, 'agent', word);
    try {
      await isThere;
      child.kill('SIGINT');
      await sleep(20);
      child.kill('SIGINT');
      expect(outcomeOf(await ended)).toMatchObject({ status: 'stopped', code: 'user.stop' });
    } finally {
      child.kill('SIGKILL');
      for (const pid of withWord(word)) process.kill(pid, 'SIGKILL');
      place.remove();
    }
  });
});

describe.skipIf(!linux)('a signal in the first moments', () => {
  it.each([0, 50, 100, 150, 200, 300, 400, 600])('after %i ms ends cleanly', patient, async (ms) => {
    const word = newWord();
    const place = makePlace();
    const agent = `sleep ${word}`;
    const { child, ended } = start(place, ['run', '-p', 'x', '--gate', 'false', '--agent', agent, '--json']);
    try {
      await sleep(ms);
      child.kill('SIGTERM');
      const { exit, signal, stderr } = await ended;
      // Before Node runs the first line of ours, the system ends it by itself.
      expect([130, 'SIGTERM']).toContain(exit ?? signal);
      expect(stderr).toBe('');
      expect(await settled(word)).toEqual([]);
      for (const { status } of await runsOf(place)) expect(status).toBe('stopped');
    } finally {
      child.kill('SIGKILL');
      place.remove();
    }
  });
});
