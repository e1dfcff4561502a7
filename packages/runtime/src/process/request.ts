import type { Readable } from 'node:stream';

/** One program to run, with everything it gets and every limit it has. */
export interface ProcessRequest {
  /** No shell: pass `['/bin/sh', '-c', text]` for shell text. */
  argv: readonly [string, ...string[]];
  cwd: string;
  /** The complete environment; the marker is added to it. */
  env: Record<string, string>;
  /** Every process of this request is found again by it; requests that share it do not end each other's. */
  marker: string;
  /** Written and closed; a stream stays open as long as it is. Without it the program reads the null device. */
  stdin?: string | Readable;
  timeoutMs?: number;
  /** From the polite signal to the one that cannot be refused; 5 s unless told. */
  graceMs?: number;
  /** Ends the program the way a time-out does. */
  signal?: AbortSignal;
  /** Whole characters as they come, stdout and stderr in order of arrival; told apart only where they are kept apart. */
  onOutput?: (chunk: string, from: 'stdout' | 'stderr') => void;
  /** How much of the beginning is kept; 256 KiB unless told. */
  headBytes?: number;
  /** How much of the end is kept; 256 KiB unless told. */
  tailBytes?: number;
  /** Descriptors the program inherits, from 3 upwards in this order. */
  keepFds?: readonly number[];
  /** Keeps stdout and stderr a second time, each alone, for reports that the other must not break. */
  separate?: boolean;
}
