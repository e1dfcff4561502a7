import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { agentgate, makePlace, outcomeOf } from './support/command.ts';

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
  it('suspends when the state has no room, and goes on when it has', async () => {
    const place = makePlace();
    mkdirSync(place.state);
    mount('-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', place.state);
    try {
      place.write({
        '../agent.sh': 'head -c 300000 /dev/urandom > "f$AGENTGATE_ITERATION.bin"; echo x >> ../built\n',
      });
      const run = ['run', '--json', '-p', 'x', '--gate', 'test -f f6.bin', '--', 'sh', '../agent.sh'];
      const full = await agentgate(place, ...run);
      expect([full.exit, outcomeOf(full)]).toMatchObject([
        3,
        { kind: 'run.ended', status: 'suspended', code: 'suspended.disk-full' },
      ]);
      mount('-o', 'remount,size=30m', place.state);
      const resumed = await agentgate(place, 'resume', '--json');
      expect([resumed.exit, outcomeOf(resumed)]).toMatchObject([0, { status: 'converged', iterations: 6 }]);
      const built = execFileSync('wc', ['-l', join(dirname(place.workspace), 'built')]).toString();
      expect(Number.parseInt(built, 10)).toBe(6);
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
