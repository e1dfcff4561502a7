import type { Status } from '@agentgate/core';

/** What every command that judges answers to its caller. Documented, and never renumbered. */
export const exitCode = {
  /** Converged. */
  ok: 0,
  /** Not converged: diverged or partial. */
  notConverged: 1,
  /** Wrong usage or an invalid spec; nothing ran. */
  usage: 2,
  /** Stopped or suspended; can be resumed. */
  stopped: 3,
  /** Could not judge: something around the work is broken. */
  error: 4,
  /** Somebody else holds the workspace. */
  busy: 75,
  /** Ended by SIGINT, SIGTERM or SIGHUP. */
  signalled: 130,
} as const;

/** The exit code of a run that ended so. */
export function exitCodeOf(status: Status, stoppedBy: string | null): number {
  switch (status) {
    case 'converged':
      return exitCode.ok;
    case 'partial':
    case 'diverged':
      return exitCode.notConverged;
    case 'stopped':
      return stoppedBy?.startsWith('SIG') ? exitCode.signalled : exitCode.stopped;
    case 'suspended':
      return exitCode.stopped;
    case 'error':
      return exitCode.error;
  }
}

const usageFaults = new Set([
  'spec.missing',
  'plan.missing',
  'plan.none',
  'plan.unknown',
  'plan.edited',
  'run.unknown',
  'run.none',
  'run.converged',
  'run.open',
  'usage',
  'run.linked',
  'run.empty',
  'workspace.missing',
]);

/** The exit code for a fault that no run recorded. */
export function exitCodeOfFault(code: string): number {
  if (usageFaults.has(code) || (code.startsWith('deliver.') && code !== 'deliver.denied'))
    return exitCode.usage;
  return code === 'state.full' ? exitCode.stopped : exitCode.error;
}
