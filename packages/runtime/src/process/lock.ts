import { spawn } from 'node:child_process';
import { closeSync, constants, fstatSync, openSync, statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { FaultError, fault } from '@agentgate/core';
import { type Holder, readHolder, writeHolder } from './lock-holder.ts';
import { takePidLock } from './pid-lock.ts';

/** The lock, or who has it. It stays while we, or a process that inherited `fd`, live and hold it. */
export type LockResult =
  | { kind: 'held'; fd: number; rename(runId: string): void; release(): void }
  | { kind: 'busy'; holder: Holder | null };

const PAUSE_MS = 20;

/** Takes a lock, and waits for it only where told. The kernel frees it when the last holder ends, however. */
export async function takeLock(path: string, holder: Holder, patienceMs = 0): Promise<LockResult> {
  for (const fromMs = performance.now(); ; ) {
    const fd = openLockFile(path);
    const answer = await lockDescriptor(fd, path).catch((error) => {
      closeSync(fd);
      throw error;
    });
    if (answer === 'locked' && isFileOf(fd, path)) return hold(fd, holder);
    closeSync(fd);
    if (answer === 'no-locker') return takePidLock(`${path}.pid`, holder);
    if (answer === 'busy' && performance.now() - fromMs >= patienceMs)
      return { kind: 'busy', holder: await readHolder(path) };
    if (answer === 'busy') await sleep(PAUSE_MS);
    // Locked, but the file was removed meanwhile and another may be at its place: that one counts.
  }
}

function openLockFile(path: string): number {
  try {
    return openSync(path, constants.O_RDWR | constants.O_CREAT, 0o644);
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOSPC' || error.code === 'EDQUOT'))
      throw new FaultError(
        fault('state.full', `no space left to make the lock file ${path}; free some, then try again`, error),
      );
    throw new FaultError(fault('lock.unable', `cannot open the lock file ${path}`, error));
  }
}

function hold(fd: number, holder: Holder): LockResult {
  writeHolder(fd, holder);
  let open = true;
  const release = () => {
    if (!open) return;
    open = false;
    writeHolder(fd, null);
    closeSync(fd);
  };
  const rename = (runId: string) => writeHolder(fd, { ...holder, runId });
  return { kind: 'held', fd, rename, release };
}

function isFileOf(fd: number, path: string): boolean {
  const ours = fstatSync(fd);
  const there = statSync(path, { throwIfNoEntry: false });
  return there !== undefined && there.ino === ours.ino && there.dev === ours.dev;
}

type Answer = 'locked' | 'busy' | 'no-locker';

// The lock belongs to the open file, which the locking child shares with us: it stays ours when the
// child ends. Node alone cannot ask for it.
const LOCKERS: readonly [string, ...string[]][] = [
  ['flock', '-n', '-x', '3'],
  [
    'perl',
    '-e',
    'use Fcntl ":flock"; open(my $f, "+<&=", 3) or exit 2; exit(flock($f, LOCK_EX | LOCK_NB) ? 0 : 1)',
  ],
];

async function lockDescriptor(fd: number, path: string): Promise<Answer> {
  for (const locker of LOCKERS) {
    const end = await runLocker(locker, fd);
    if (end === 0) return 'locked';
    if (end === 1) return 'busy';
    if (end !== 'missing') {
      throw new FaultError(fault('lock.unable', `cannot lock ${path}: ${locker[0]} ended with ${end}`));
    }
  }
  return 'no-locker';
}

function runLocker([program, ...args]: readonly [string, ...string[]], fd: number): Promise<number | string> {
  return new Promise((resolve) => {
    // A lock on a dead network mount can hang; nobody should wait for it.
    const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'ignore', fd], timeout: 5_000 });
    child.on('error', (error: NodeJS.ErrnoException) =>
      resolve(error.code === 'ENOENT' ? 'missing' : error.message),
    );
    child.on('exit', (code, signal) => resolve(code ?? signal ?? 'no code'));
  });
}
