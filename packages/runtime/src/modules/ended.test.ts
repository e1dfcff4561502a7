import { fault } from '@agentgate/core';
import { expect, test } from 'vitest';
import { endedFailure } from './ended.ts';

const seen = { over: false, memoryMb: 64, during: 'when it was asked' };

test.each([
  {
    end: { kind: 'exited', code: 0 },
    output: '',
    says: 'exited: ended its process with code 0 when it was asked',
  },
  {
    end: { kind: 'exited', code: 1 },
    output: 'a\nlast\n',
    says: 'exited: ended its process with code 1 when it was asked, last saying: last',
  },
  { end: { kind: 'exited', code: 137 }, output: '', says: 'exited: ended by SIGKILL when it was asked' },
  {
    end: { kind: 'exited', code: 134 },
    output: 'FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory',
    says: 'memory: used more than 64 MB when it was asked',
  },
  {
    end: { kind: 'signalled', signal: 'SIGTERM' },
    output: '',
    says: 'exited: ended by SIGTERM when it was asked',
  },
  { end: { kind: 'aborted' }, output: '', says: 'exited: was ended when it was asked' },
  {
    end: { kind: 'unable', fault: fault('process.unable', 'no room') },
    output: '',
    says: 'unable: could not be started: no room',
  },
] as const)('a process that ended says why: $says', ({ end, output, says }) => {
  const { code, detail } = endedFailure({ end, output }, seen);
  expect(`${code}: ${detail}`).toBe(says);
});

test('a process that was ended for its memory says so, however it ended', () => {
  const failure = endedFailure({ end: { kind: 'aborted' }, output: '' }, { ...seen, over: true });
  expect(failure).toEqual({ code: 'memory', detail: 'used more than 64 MB when it was asked' });
});
