import { constants } from 'node:os';
import { fault } from '@agentgate/core';
import type { ProcessResult } from '../process/index.ts';
import type { ChildRequest, Failure } from './protocol.ts';

export type Ended = Pick<ProcessResult, 'end' | 'output'>;

/** Why a module's process came to its end without an answer. */
export function endedFailure(
  { end, output }: Ended,
  { over, memoryMb, during }: { over: boolean; memoryMb: number; during: string },
): Failure {
  if (over || /heap out of memory|Reached heap limit/.test(output)) {
    return { code: 'memory', detail: `used more than ${memoryMb} MB ${during}` };
  }
  switch (end.kind) {
    case 'unable':
      return { code: 'unable', detail: `could not be started: ${end.fault.message}` };
    case 'timed-out':
    case 'aborted':
      return { code: 'exited', detail: `was ended ${during}` };
    case 'signalled':
      return { code: 'exited', detail: `ended by ${end.signal} ${during}` };
    case 'exited': {
      const signal = signalOf(end.code);
      const how = signal === undefined ? `ended its process with code ${end.code}` : `ended by ${signal}`;
      return { code: 'exited', detail: `${how} ${during}${lastWords(output)}` };
    }
  }
}

// The shell between us and the module tells the signal that ended it as 128 and the signal's number.
function signalOf(code: number): string | undefined {
  return Object.entries(constants.signals).find(([, number]) => code === 128 + number)?.[0];
}

function lastWords(output: string): string {
  const line = output.trimEnd().split('\n').at(-1)?.trim() ?? '';
  return line === '' ? '' : `, last saying: ${line.slice(0, 160)}`;
}

/** During what, in words. */
export const when: Record<ChildRequest['op'], string> = {
  load: 'while it was loaded',
  decide: 'when it was asked',
  end: 'when it was told the end',
  judge: 'when it was asked',
};

/** A system that is out of descriptors or disk fails before there is any process. */
export const unstarted = (error: unknown): Ended => ({
  end: { kind: 'unable', fault: fault('process.unable', 'no process could be started', error) },
  output: '',
});
