import type { ChildProcess, StdioOptions } from 'node:child_process';
import { closeSync } from 'node:fs';
import { Socket } from 'node:net';
import type { Readable, Writable } from 'node:stream';
import { invariant } from '@agentgate/core';
import { closePipe, openPipe, type Pipe } from './pipe.ts';
import type { ProcessRequest } from './request.ts';

/** Our ends of a program's streams. */
export interface Streams {
  stdin: Writable | null;
  stdout: Readable;
  /** Null when stderr goes into the same pipe as stdout, which keeps their order exact. */
  stderr: Readable | null;
}

/** The streams of a program that is about to start: settle exactly one of `take` and `discard`. */
export interface PreparedStreams {
  stdio: StdioOptions;
  /** Gives our ends and closes the program's ends on our side. */
  take(child: ChildProcess): Streams;
  discard(): void;
}

/** Prepares the streams for one request. */
export async function prepareStreams(request: ProcessRequest): Promise<PreparedStreams> {
  const output = await openPipe();
  const shared = output !== null && request.separate !== true;
  const errors = shared ? null : await openPipe();
  const pipes = [output, errors].filter((pipe) => pipe !== null);
  const stdin = request.stdin === undefined ? 'ignore' : 'pipe';
  const stdout = output?.writeFd ?? 'pipe';
  const stderr = shared ? stdout : (errors?.writeFd ?? 'pipe');
  return {
    stdio: [stdin, stdout, stderr, ...(request.keepFds ?? [])],
    take: (child) => {
      for (const { writeFd } of pipes) closeSync(writeFd);
      return {
        stdin: child.stdin,
        stdout: openReader(output, child.stdout),
        stderr: shared ? null : openReader(errors, child.stderr),
      };
    },
    discard: () => pipes.forEach(closePipe),
  };
}

function openReader(pipe: Pipe | null, socket: Readable | null): Readable {
  if (pipe !== null) return new Socket({ fd: pipe.readFd, readable: true, writable: false });
  invariant(socket !== null, 'a program without a pipe has a socket');
  return socket;
}
