import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { heartbeatMs } from '../contract/stream.ts';
import { frameOf } from './frame.ts';
import { liveBody, makeBell, type Next } from './reader.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

function open() {
  const bell = makeBell();
  const frames: Next[] = [];
  const closed = vi.fn<() => void>();
  const going = new AbortController();
  const gone = going.signal;
  const body = liveBody(() => frames.shift() ?? null, { bell, closed, gone }).getReader();
  const read = async () => {
    const { value, done } = await body.read();
    return done ? null : new TextDecoder().decode(value);
  };
  const tell = (...some: Next[]) => {
    frames.push(...some);
    bell.ring();
  };
  return { read, tell, closed, going, body, left: () => frames.length };
}
const frame = (text: string): Next => ({ kind: 'frame', bytes: frameOf('events', text, '7') });

it('a reader to whom nothing happens hears a heartbeat every 15 seconds', async () => {
  const { read, closed } = open();
  expect(heartbeatMs).toBe(15_000);
  for (const beat of [1, 2, 3]) {
    const heard = read();
    await vi.advanceTimersByTimeAsync(heartbeatMs - 1);
    expect([beat, await Promise.race([heard, Promise.resolve('silence')])]).toEqual([beat, 'silence']);
    await vi.advanceTimersByTimeAsync(1);
    expect(await heard).toBe(': \n\n');
  }
  expect(closed).not.toHaveBeenCalled();
});

it('a frame comes at once, and the next beat is as long after it', async () => {
  const { read, tell } = open();
  const heard = read();
  await vi.advanceTimersByTimeAsync(10_000);
  tell(frame('[1]'));
  expect(await heard).toBe('id: 7\nevent: events\ndata: [1]\n\n');
  const beat = read();
  await vi.advanceTimersByTimeAsync(heartbeatMs - 1);
  expect(await Promise.race([beat, Promise.resolve('silence')])).toBe('silence');
  await vi.advanceTimersByTimeAsync(1);
  expect(await beat).toBe(': \n\n');
});

it('a frame is made when a reader takes it and not before, and its leaving is heard', async () => {
  const { read, tell, closed, left } = open();
  tell(frame('[1]'), frame('[2]'), { kind: 'end' });
  await vi.advanceTimersByTimeAsync(heartbeatMs * 2);
  expect(left()).toBe(3);
  expect([await read(), left()]).toEqual([expect.stringContaining('[1]'), 2]);
  expect([await read(), left()]).toEqual([expect.stringContaining('[2]'), 1]);
  expect([await read(), closed.mock.calls.length]).toEqual([null, 1]);
  const other = open();
  void other.read();
  await other.body.cancel();
  expect(other.closed).toHaveBeenCalledOnce();
});

it('a reader who goes while it waits, or was gone before, is waited for no longer', async () => {
  const { read, closed, going } = open();
  const heard = read();
  going.abort();
  expect([await heard, closed.mock.calls.length]).toEqual([null, 1]);
  const late = vi.fn<() => void>();
  liveBody(() => null, { bell: makeBell(), closed: late, gone: AbortSignal.abort() });
  expect(late).toHaveBeenCalledOnce();
});
