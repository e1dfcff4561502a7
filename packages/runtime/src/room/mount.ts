import { spawn } from 'node:child_process';
import { statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Fault, FaultError, fault } from '@agentgate/core';
import { findProgram } from '../find-program.ts';
import { makeFolder } from '../make-folder.ts';
import { isFullRoot } from '../sandbox/bwrap.ts';

/** A mounted room. It lives as long as its keeper, a process that holds the mounts and waits for our end. */
export interface Mounted {
  /** Words before a command that let it begin inside the mounts. */
  enter: readonly string[];
  /** The file system as the room sees it, readable from outside. */
  view: string;
  close(): Promise<void>;
}

export interface MountPlan {
  /** The folder that the other names here are relative to; none of them may hold a comma or a colon. */
  dir: string;
  /** The folder that takes what is written: `<name>/upper`, with `<name>/work` and `<name>/merged` beside it. */
  name: string;
  /** The layers below it, the topmost first. */
  lower: readonly string[];
  /** Where the merged folder is to be seen. */
  root: string;
  /** Host paths shown read-only at places of the merged folder. */
  shown: readonly { from: string; at: string }[];
  /** Host folders that may be written without being changed. */
  caches: readonly string[];
}

/** Mounts the layers in a namespace of their own. Throws `room.mount` with the words of whoever refused. */
export async function mountRoom(plan: MountPlan): Promise<Mounted> {
  makeFolders(plan);
  const keeper = spawn(toolAt('unshare'), keeperArgs(plan), {
    cwd: plan.dir,
    stdio: 'pipe',
    env: plainEnv(),
  });
  const ended = new Promise<void>((resolve) => keeper.once('close', () => resolve()));
  let said = '';
  keeper.stderr.on('data', (chunk: Buffer) => {
    said = `${said}${chunk}`.slice(0, 2_000);
  });
  keeper.stdin.on('error', () => {}); // It ended before us, which its close event tells.
  const isReady = await new Promise<boolean>((resolve) => {
    keeper.stdout.once('data', () => resolve(true));
    keeper.once('error', (error) => {
      said = error.message;
      resolve(false);
    });
    void ended.then(() => resolve(false));
  });
  if (!isReady) throw new FaultError(mountFault(said));
  const target = String(keeper.pid);
  return {
    enter: [
      toolAt('nsenter'),
      ...(isFullRoot() ? [] : ['--preserve-credentials', '--user']),
      '--mount',
      '--target',
      target,
      '--',
    ],
    view: `/proc/${target}/root`,
    async close() {
      keeper.stdin.end();
      await ended;
    },
  };
}

/** Makes what is written writable again and takes it away, whatever modes a gate gave to it. */
export function removeArgv(path: string): [string, ...string[]] {
  return ['/bin/sh', '-c', 'rm -rf "$1" 2>/dev/null || { chmod -R u+rwX "$1"; rm -rf "$1"; }', 'sh', path];
}

// Positions instead of quoted text, so that no path is ever read as a word of the shell.
const script = `
set -e
lower=$1 name=$2 root=$3
shift 3
mount -t overlay overlay -o "lowerdir=$lower,upperdir=$name/upper,workdir=$name/work,userxattr" "$name/merged"
while [ "$1" != -- ]; do
  mount -o bind,ro "$1" "$name/merged/$2"
  shift 2
done
shift
mount --rbind "$name/merged" "$root"
count=0
for cache in "$@"; do
  over="$name/caches/$count"
  mount -t overlay overlay -o "lowerdir=$cache,upperdir=$over/upper,workdir=$over/work,userxattr" "$cache"
  count=$((count + 1))
done
echo ready
read -r end || true
`;

function keeperArgs({ lower, name, root, shown, caches }: MountPlan): string[] {
  return [
    // A real root keeps all its users; anyone else is alone in a namespace in which he may mount.
    ...(isFullRoot() ? [] : ['--user', '--map-root-user']),
    '--mount',
    '/bin/sh',
    '-c',
    script,
    'sh',
    lower.join(':'),
    name,
    root,
    ...shown.flatMap(({ from, at }) => [from, at]),
    '--',
    ...caches,
  ];
}

function makeFolders({ dir, name, shown, caches }: MountPlan): void {
  for (const part of ['upper', 'work', 'merged']) makeFolder(join(dir, name, part));
  for (const at of caches.keys()) {
    for (const part of ['upper', 'work']) makeFolder(join(dir, name, 'caches', String(at), part));
  }
  for (const { from, at } of shown) makePlace(join(dir, name, 'upper', at), statSync(from).isDirectory());
}

function makePlace(path: string, isDir: boolean): void {
  makeFolder(isDir ? path : dirname(path));
  if (!isDir) writeFileSync(path, '', { flag: 'a' });
}

function toolAt(name: string): string {
  const path = findProgram(name, '/', plainEnv());
  if (path === null) throw new FaultError(mountFault(`${name} is not installed`));
  return path;
}

function plainEnv(): NodeJS.ProcessEnv {
  return { PATH: `${process.env['PATH'] ?? ''}:/usr/sbin:/usr/bin:/sbin:/bin`, LC_ALL: 'C' };
}

function mountFault(said: string): Fault {
  const why = said.trim().split('\n')[0] || 'nobody says why';
  return fault(
    'room.mount',
    `cannot mount the room of the gates: ${why}; let gates run in place, or see agentgate doctor`,
  );
}
