import { type Fault, FaultError, fault } from '@agentgate/core';
import { toText } from './path.ts';

/** Runs the work of this room; what the system refused comes out as a fault, a bug as itself. */
export async function asFault<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const { code, syscall } = error as NodeJS.ErrnoException;
    if (code === undefined || syscall === undefined) throw error;
    throw new FaultError(systemFault(code, error as Error));
  }
}

export function goneFault(root: string): Fault {
  return fault('workspace.gone', `the directory ${root} is gone; put it back, then run resume`);
}

export function fullFault(cause: unknown): Fault {
  return fault(
    'state.full',
    'no space left on the disk for snapshots; free some space, then run resume',
    cause,
  );
}

export function pipeFault(path: string): Fault {
  return fault(
    'workspace.blocked',
    `${toText(path)} is not a regular file, and git reads it; remove it, then run resume`,
  );
}

function systemFault(code: string, error: Error): Fault {
  switch (code) {
    case 'ENOSPC':
    case 'EDQUOT':
      return fullFault(error);
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return fault(
        'workspace.denied',
        `the system refused: ${error.message}; allow it, then run resume`,
        error,
      );
    default:
      return fault(
        'workspace.failed',
        `the system failed: ${error.message}; mend that, then run resume`,
        error,
      );
  }
}
