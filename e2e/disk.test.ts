import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { agentgate, makePlace, outcomeOf, type Place, start } from './support/command.ts';

const mount = (...args: string[]) => execFileSync('mount', args, { stdio: 'pipe' });
const umount = (path: string) => execFileSync('umount', ['-l', path], { stdio: 'pipe' });

/** A small disk of its own can only be mounted by root. */
const mayMount = (() => {
  if (process.getuid?.() !== 0) return false;
  const place = makePlace();
  try {
    mount('-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', place.workspace);
    umount(place.workspace);
    return true;
  } catch {
    return false;
  } finally {
    place.remove();
  }
})();

describe.runIf(mayMount)('a disk in the way (needs root and mounts)', () => {
  /** A workspace whose state lies on a small disk of its own. */
  function makeSmall(size: string): Place {
    const place = makePlace({ 'a.txt': '' });
    mkdirSync(place.state);
    mount('-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', place.state);
    return place;
  }

  const filler = (place: Place): string => join(place.state, 'filler');
  const builds = (place: Place): number =>
    readFileSync(join(dirname(place.workspace), 'built'), 'utf8')
      .trim()
      .split('\n').length;

  /** The events of the newest run, read from its log. */
  async function eventsOf(place: Place): Promise<{ kind: string; iteration?: number }[]> {
    const { stdout } = await agentgate(place, 'show', '--json');
    return stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { kind: string; iteration?: number });
  }

  const suspended = { kind: 'run.ended', status: 'suspended', code: 'suspended.disk-full' };
  const limits = ['--max-iterations', '6', '--integrity', 'off'];

  it.each([
    ['while the agent works', 'agent', ['agent.ended']],
    ['while a gate judges', 'gate', ['agent.ended', 'snapshot.taken', 'gate.judged', 'gate.judged']],
  ])('a disk that becomes full %s loses no fact, and the count stays exact', async (_name, who, facts) => {
    const place = makeSmall('14m');
    try {
      // Somebody fills the disk to the last byte, once, in the second iteration.
      const fill = `[ "$(wc -l < ../built)" != 2 ] || [ -e ../filled ] || { touch ../filled; cat /dev/zero > ${filler(place)} 2>/dev/null; }`;
      place.write({
        '../agent.sh': `echo x >> ../built; echo x >> a.txt; ${who === 'agent' ? fill : ':'}\n`,
        '../gate.sh': `[ -e ../built ] || exit 1; ${who === 'gate' ? fill : ':'}; test "$(wc -l < a.txt)" -ge 4\n`,
      });
      const gates = ['--gate', 'first=sh ../gate.sh', '--gate', 'second=test "$(wc -l < a.txt)" -ge 4'];
      const run = ['run', '--json', '-p', 'x', ...gates, ...limits, '--', 'sh', '../agent.sh'];
      const full = await agentgate(place, ...run);
      expect([full.exit, full.stderr, outcomeOf(full)]).toMatchObject([3, '', suspended]);
      const events = await eventsOf(place);
      expect(events.at(-1)).toMatchObject(suspended);
      const of = events.filter(({ iteration, kind }) => iteration === 2 && kind !== 'fault.raised');
      expect(of.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['agent.started', ...facts]));
      expect(of.filter(({ kind }) => facts.includes(kind)).map(({ kind }) => kind)).toEqual(facts);

      const refused = await agentgate(place, 'resume', '--json');
      expect([refused.exit, outcomeOf(refused)]).toMatchObject([3, { kind: 'refused', code: 'state.full' }]);
      expect(refused.stderr).toMatch(/no space left to write .*; free some, then try again/);
      expect(builds(place)).toBe(2);

      rmSync(filler(place));
      const resumed = await agentgate(place, 'resume', '--json');
      expect([resumed.exit, outcomeOf(resumed)]).toMatchObject([0, { status: 'converged', iterations: 4 }]);
      expect(builds(place)).toBe(4);
    } finally {
      umount(place.state);
      place.remove();
    }
  });

  it('suspends when the snapshots have no room any more, and goes on when they have', async () => {
    const place = makeSmall('14m');
    try {
      place.write({
        '../agent.sh': 'head -c 2000000 /dev/urandom > "f$AGENTGATE_ITERATION.bin"; echo x >> ../built\n',
      });
      const run = ['run', '--json', '-p', 'x', '--gate', 'test -f f6.bin', '--', 'sh', '../agent.sh'];
      const full = await agentgate(place, ...run);
      expect([full.exit, outcomeOf(full)]).toMatchObject([3, suspended]);
      const events = await eventsOf(place);
      const last = builds(place);
      expect(events.filter(({ kind }) => kind === 'agent.ended')).toHaveLength(last);
      mount('-o', 'remount,size=60m', place.state);
      const resumed = await agentgate(place, 'resume', '--json');
      expect([resumed.exit, outcomeOf(resumed)]).toMatchObject([0, { status: 'converged', iterations: 6 }]);
      expect(builds(place)).toBe(6);
    } finally {
      umount(place.state);
      place.remove();
    }
  });

  it('waits for room in a night, calls nobody meanwhile, and goes on by itself', async () => {
    const place = makeSmall('20m');
    try {
      const fill = `[ "$(wc -l < ../built)" != 2 ] || cat /dev/zero > ${filler(place)} 2>/dev/null`;
      place.write({ '../agent.sh': `echo x >> ../built; echo x >> a.txt; ${fill}; true\n` });
      execFileSync('git', ['init', '-q'], { cwd: place.workspace, env: place.env });
      const gate = ['--gate', 'test "$(wc -l < a.txt)" -ge 4'];
      const run = ['run', '--overnight', '--json', '-p', 'x', ...gate, ...limits, '--', 'sh', '../agent.sh'];
      const { child, ended } = start(place, run);
      const built: number[] = [];
      child.stderr!.on('data', (text) => {
        if (!String(text).includes('waiting for room') || built.length > 0) return;
        built.push(builds(place));
        rmSync(filler(place));
      });
      const night = await ended;
      expect([night.exit, outcomeOf(night)]).toMatchObject([0, { status: 'converged', iterations: 4 }]);
      expect(night.stdout).toContain('"code":"suspended.disk-full"');
      expect([...built, builds(place)]).toEqual([2, 4]);
    } finally {
      umount(place.state);
      place.remove();
    }
  });

  it('does not begin where there is no room even to say so', async () => {
    const place = makeSmall('4m');
    try {
      place.write({ '../agent.sh': 'echo x >> ../built\n' });
      const run = ['run', '--json', '-p', 'x', '--gate', 'false', '--', 'sh', '../agent.sh'];
      const refused = await agentgate(place, ...run);
      expect([refused.exit, outcomeOf(refused)]).toMatchObject([3, { kind: 'refused', code: 'state.full' }]);
      expect(existsSync(join(dirname(place.workspace), 'built'))).toBe(false);
      expect((await agentgate(place, 'list', '--json')).stdout).toBe('');
    } finally {
      umount(place.state);
      place.remove();
    }
  });

  it('comes to a clear end when the workspace becomes read-only, the log safe', async () => {
    const place = makePlace({ 'a.txt': '' });
    mount('--bind', place.workspace, place.workspace);
    try {
      place.write({
        '../agent.sh': `echo x > made.txt || exit 1; mount -o remount,ro,bind ${place.workspace}\n`,
      });
      const ended = await agentgate(
        place,
        'run',
        '--json',
        '-p',
        'x',
        '--gate',
        'test -f done.txt',
        '--',
        'sh',
        '../agent.sh',
      );
      expect([ended.exit, outcomeOf(ended)]).toMatchObject([1, { status: 'diverged' }]);
      expect(ended.stderr).toBe('');
      expect(existsSync(join(place.workspace, 'made.txt'))).toBe(true);
      expect((await agentgate(place, 'show')).exit).toBe(0);
    } finally {
      umount(place.workspace);
      place.remove();
    }
  });
});

it('leaves at once when there is no place for the files of an agent, and goes on when there is', async () => {
  const place = makePlace({ 'a.txt': '' });
  const tmp = join(dirname(place.workspace), 'tmp');
  mkdirSync(tmp);
  place.env['TMPDIR'] = tmp;
  // The wall clock is a timer of an hour: whoever waits for it does not leave.
  place.write({ '../agent.sh': `echo x >> a.txt; rm -rf ${tmp}\n` });
  const gate = ['--gate', 'test "$(wc -l < a.txt)" -ge 2', '--integrity', 'off', '--max-wall-clock', '1h'];
  const ended = await agentgate(place, 'run', '--json', '-p', 'x', ...gate, '--', 'sh', '../agent.sh');
  expect(outcomeOf(ended)).toMatchObject({ status: 'error', code: 'error.build' });
  mkdirSync(tmp);
  expect(outcomeOf(await agentgate(place, 'resume', '--json'))).toMatchObject({ status: 'converged' });
  place.remove();
});
