import type { ChildProcess } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { type Ended, endFamily, type Patience } from './ending.ts';
import { Family } from './family.ts';
import { pathOfFd } from './marker.ts';
import { Output } from './output.ts';
import type { ProcessRequest } from './request.ts';
import type { ProcessEnd, ProcessResult } from './result.ts';
import { startProcess } from './start.ts';

const GRACE_MS = 5_000;
const DRAIN_MS = 2_000;
const LONGEST_TIMER_MS = 2 ** 31 - 1;

let started = 0;

// A `tee` behind the main process or a worker on its way out ends by itself in a moment, and its
// last words are worth that moment.
const LEFTOVERS: Patience = { settleMs: 100, graceMs: 1_000 };

/**
 * Runs one program to its end and leaves nobody behind. The end is told by the exit of the main
 * process, never by its pipes. Never throws for what the program does, and always returns.
 */
export async function supervise(request: ProcessRequest): Promise<ProcessResult> {
  const startMs = performance.now();
  const output = new Output(request);
  const { end, ended } = request.signal?.aborted
    ? makeUnstarted({ kind: 'aborted' })
    : await live(request, output);
  const tookMs = performance.now() - startMs;
  return { end, ...output.result(), tookMs, swept: ended.count, survivors: ended.survivors };
}

interface Life {
  end: ProcessEnd;
  ended: Ended;
}

async function live(request: ProcessRequest, output: Output): Promise<Life> {
  // Others of the same marker may run at the same time, and none may end another's processes.
  const marker = `${request.marker}/${++started}`;
  const start = await startProcess({ ...request, marker });
  if (start.kind === 'unable') return makeUnstarted(start);
  const { child, leader, streams } = start;
  const family = new Family(marker, leader, pathOfFd(request.keepFds?.[0]));
  output.listen(streams.stdout, streams.stderr);
  if (streams.stdin !== null) feed(streams.stdin, request.stdin ?? '');
  const end = await readEnd(child, request);
  const ended = await endFamily(family, choosePatience(end, request));
  streams.stdin?.destroy();
  await output.drain(DRAIN_MS);
  // One that cannot be killed must not keep us alive as well.
  child.unref();
  return { end, ended };
}

function makeUnstarted(end: ProcessEnd): Life {
  return { end, ended: { count: 0, survivors: [] } };
}

function feed(stdin: Writable, input: string | Readable): void {
  // A program need not read its input; how it ends tells whether that mattered.
  stdin.on('error', () => stdin.destroy());
  if (typeof input === 'string') stdin.end(input);
  else input.pipe(stdin);
}

function readEnd(child: ChildProcess, { timeoutMs, signal }: ProcessRequest): Promise<ProcessEnd> {
  return new Promise((resolve) => {
    const settle = (end: ProcessEnd) => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
      resolve(end);
    };
    const onAbort = () => settle({ kind: 'aborted' });
    const timer =
      timeoutMs === undefined
        ? undefined
        : setTimeout(
            () => settle({ kind: 'timed-out', afterMs: timeoutMs }),
            Math.min(timeoutMs, LONGEST_TIMER_MS),
          );
    child.on('exit', (code, killedBy) => settle(makeExit(code, killedBy)));
    signal?.addEventListener('abort', onAbort);
    if (signal?.aborted) onAbort();
  });
}

function makeExit(code: number | null, signal: string | null): ProcessEnd {
  return signal === null ? { kind: 'exited', code: code ?? 0 } : { kind: 'signalled', signal };
}

function choosePatience(end: ProcessEnd, { graceMs = GRACE_MS }: ProcessRequest): Patience {
  const byItself = end.kind === 'exited' || end.kind === 'signalled';
  return byItself
    ? { ...LEFTOVERS, graceMs: Math.min(LEFTOVERS.graceMs, graceMs) }
    : { settleMs: 0, graceMs };
}
