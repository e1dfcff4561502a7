import type { Fault } from '@agentgate/core';

/** How the main process came to its end. `unable` means that it never began. */
export type ProcessEnd =
  | { kind: 'exited'; code: number }
  | { kind: 'signalled'; signal: string }
  | { kind: 'timed-out'; afterMs: number }
  | { kind: 'aborted' }
  | { kind: 'unable'; fault: Fault };

/** One shape for every end. */
export interface ProcessResult {
  end: ProcessEnd;
  /** Head and tail of stdout and stderr together. */
  output: string;
  /** Head and tail of stdout alone; empty unless the request asked for it. */
  stdout: string;
  /** The same of stderr. */
  stderr: string;
  /** Everything the program wrote, kept or not. */
  bytes: number;
  truncated: boolean;
  /** From the request to the last leftover's end. */
  tookMs: number;
  /** How many processes besides the main one had to be ended. */
  swept: number;
  /** Processes that outlived the last signal, for example in a dead network mount; empty in a healthy system. */
  survivors: number[];
}
