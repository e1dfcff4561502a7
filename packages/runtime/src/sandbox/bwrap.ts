import { mountsOf } from './mounts.ts';
import { isFullRoot } from './root.ts';

export { isFullRoot } from './root.ts';

/** What confined processes see, and what they may change. */
export interface Confinement {
  /** The program as found by the probe. */
  bwrap: string;
  /** The folder processes work in, as they see it (its real path). */
  root: string;
  /** The host folder mounted there; the root itself when absent. */
  from?: string;
  /** `off` and `loopback` are the same here: a network of its own, with nothing in it but `lo`. */
  network: 'off' | 'loopback' | 'on';
  /** Host paths that must not be seen: an empty folder or an empty file lies over each. */
  hide: readonly string[];
  /** Host paths visible but not writable, beside the root. */
  readOnly?: readonly string[];
  /** Host paths that may be written, beside the root. */
  readWrite?: readonly string[];
  /** `whole`: the user's home as it is; `tools`: toolchains and caches visible, secrets hidden (for gates). */
  home: 'whole' | 'tools';
  /** A private folder on the host that lies over /tmp; it is emptied afterwards by the caller. */
  tmp?: string;
}

/**
 * The command line that runs `argv` confined: PID, IPC and (unless on) network namespaces, dying with its parent.
 * It works in `cwd`, which is the root unless told.
 */
export function confinedArgv(
  argv: readonly string[],
  confinement: Confinement,
  cwd: string = confinement.root,
): [string, ...string[]] {
  return [
    confinement.bwrap,
    ...namespaces(),
    ...(confinement.network === 'on' ? [] : ['--unshare-net']),
    ...mountsOf(confinement),
    '--chdir',
    cwd,
    '--',
    '/bin/sh',
    '-c',
    LAST_WORDS,
    'sh',
    ...argv,
  ];
}

// With the main process the whole namespace ends at once; a `tee` behind it gets the moment it needs for its
// last words. The shell takes the polite signal only to outlive it: what it waits for decides.
const LAST_WORDS = [
  'trap : TERM INT HUP; "$@"; code=$?; n=0',
  'while [ $n -lt 5 ] && set -- /proc/[0-9]* && [ $# -gt 2 ]; do sleep 0.02; n=$((n+1)); done',
  'exit $code',
].join('; ');

function namespaces(): string[] {
  const separate = [
    '--unshare-pid',
    '--unshare-ipc',
    '--unshare-uts',
    '--unshare-cgroup-try',
    '--die-with-parent',
    '--cap-drop',
    'ALL',
  ];
  // A user namespace maps one user only. A root that may do without keeps what root is used to do with
  // files of other users, as in a container; none of what it keeps reaches mounts or other processes.
  if (isFullRoot()) return [...separate, ...FILE_CAPABILITIES.flatMap((one) => ['--cap-add', one])];
  const [uid, gid] = [process.getuid?.() ?? 0, process.getgid?.() ?? 0];
  return ['--unshare-user', '--uid', String(uid), '--gid', String(gid), ...separate];
}

const FILE_CAPABILITIES = [
  'CAP_CHOWN',
  'CAP_DAC_OVERRIDE',
  'CAP_FOWNER',
  'CAP_FSETID',
  'CAP_KILL',
  'CAP_NET_BIND_SERVICE',
  // Without it root cannot make a user namespace, which some tools shut their own children in with.
  'CAP_SETFCAP',
  'CAP_SETGID',
  'CAP_SETUID',
];
