import type { CommandContext } from '@stricli/core';
import { FaultError, fault } from '@agentgate/core';
import { propose } from './completion/proposals.ts';
import { exitCodeOfFault } from './exit-code.ts';
import type { Desk } from './person.ts';
import type { Terminal } from './terminal.ts';

/** What every command is given. */
export interface Context extends CommandContext {
  readonly terminal: Terminal;
  /** Both ends of a terminal, where a person can be asked; null in a pipe or in CI. */
  readonly desk: Desk | null;
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly version: string;
  /** The words after `--`: the agent. */
  readonly agentCommand: readonly string[];
  exit(code: number): void;
}

export interface CommonFlags {
  directory?: string;
  json?: boolean;
}

/** The flags that every command has. */
export const common = {
  directory: {
    kind: 'parsed',
    parse: String,
    brief: 'work in this directory',
    optional: true,
    placeholder: 'dir',
  },
  json: { kind: 'boolean', brief: 'print JSON for machines', optional: true, withNegated: false },
} as const;
const runName = {
  parse: String,
  brief: 'the run; the newest by default',
  placeholder: 'run',
  optional: true,
  proposeCompletions: propose.runs,
} as const;
/** The run a command is about; `openRun` takes the newest when none is named. */
export const runArgument = { kind: 'tuple', parameters: [runName] } as const;
/** The same where the words of the command are something else. */
export const runFlag = { kind: 'parsed', ...runName } as const;

/** A file with the task, for commands that begin a run. */
export const taskArgument = {
  kind: 'tuple',
  parameters: [
    {
      parse: String,
      brief: 'a file with the task, such as PROMPT.md',
      placeholder: 'task-file',
      optional: true,
    },
  ],
} as const;

export const quietFlag = {
  kind: 'boolean',
  brief: 'print only the outcome',
  optional: true,
  withNegated: false,
} as const;
export const configFlag = {
  kind: 'parsed',
  parse: String,
  brief: 'the spec file (agentgate.yaml)',
  optional: true,
  placeholder: 'file',
} as const;
export const commonAliases = { C: 'directory' } as const;

/** Turns a fault of the world into a sentence and an exit code; a user never sees a stack trace for it. */
export function guarded<F, A extends readonly unknown[]>(
  act: (this: Context, flags: F, ...args: A) => Promise<number> | number,
): (this: Context, flags: F, ...args: A) => Promise<void> {
  return async function guardedCommand(this: Context, flags: F, ...args: A) {
    try {
      this.exit(await act.call(this, flags, ...args));
    } catch (thrown) {
      const error = refusalOf(thrown) ?? thrown;
      if (!(error instanceof FaultError)) throw error;
      if ((flags as CommonFlags).json) {
        this.terminal.out(
          JSON.stringify({ kind: 'refused', code: error.fault.code, message: error.fault.message }),
        );
      }
      this.terminal.err(`agentgate: ${error.fault.message}${causeOf(error)}`);
      this.exit(exitCodeOfFault(error.fault.code));
    }
  };
}

/** What the system does not let us do with a file, or has no room for, is no bug of ours. */
const refusals: Readonly<Record<string, string>> = {
  EACCES: 'check whose it is and its permissions',
  EPERM: 'check whose it is and its permissions',
  ENOTDIR: 'what lies on the way there is no folder; name another place',
  EROFS: 'it lies on a disk that cannot be written',
  ENOSPC: 'no space is left; free some, then try again',
  EDQUOT: 'no space is left; free some, then try again',
  EIO: 'the disk failed',
  EMFILE: 'too many files are open; raise the limit (ulimit -n)',
  ENFILE: 'too many files are open on this machine',
};

/** The same where it is a folder that cannot be made. */
const noFolder: Readonly<Record<string, string>> = {
  ENOENT: 'nothing can be made there; name another place',
  EEXIST: 'what lies there is no folder; name another place',
  ...refusals,
};

function refusalOf(error: unknown): FaultError | null {
  const { code, syscall, path } = error as NodeJS.ErrnoException;
  const why = (syscall === 'mkdir' ? noFolder : refusals)[code ?? ''];
  if (!(error instanceof Error) || why === undefined || path === undefined) return null;
  return new FaultError(fault('system.refused', `cannot ${syscall} ${path} (${code}): ${why}`));
}

const causeOf = ({ fault }: FaultError): string =>
  fault.cause && !fault.message.includes(fault.cause) ? `\n  because: ${fault.cause.split('\n')[0]}` : '';
