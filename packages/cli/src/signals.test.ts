import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { hearSignals, type Signal } from './signals.ts';

let heard: string[];
let unhook: () => void;
const hear = (by: Signal, times: number) => void heard.push(`${by} ${times}`);
const send = (by: Signal) => process.emit(by, by);

beforeEach(() => {
  heard = [];
  vi.useFakeTimers({ toFake: ['performance'] });
});
afterEach(() => {
  unhook();
  vi.useRealTimers();
});

describe('signals', () => {
  it('are counted over all kinds', () => {
    unhook = hearSignals(hear);
    send('SIGINT');
    send('SIGTERM');
    send('SIGHUP');
    expect(heard).toEqual(['SIGINT 1', 'SIGTERM 2', 'SIGHUP 3']);
  });

  it('that a wrapper passes on are one press; a key that is held down is not', () => {
    unhook = hearSignals(hear);
    send('SIGINT');
    vi.advanceTimersByTime(60);
    send('SIGINT');
    send('SIGINT');
    expect(heard).toEqual(['SIGINT 1']);
    vi.advanceTimersByTime(60);
    send('SIGINT');
    expect(heard).toEqual(['SIGINT 1', 'SIGINT 2']);
  });

  it('go to the newest hearer alone, and back to the one before', () => {
    const before = process.listeners('SIGINT');
    const other: string[] = [];
    const outer = hearSignals((by) => void other.push(by));
    unhook = hearSignals(hear);
    expect(process.listenerCount('SIGINT')).toBe(1);
    send('SIGINT');
    unhook();
    send('SIGINT');
    outer();
    expect([heard, other]).toEqual([['SIGINT 1'], ['SIGINT']]);
    expect(process.listeners('SIGINT')).toEqual(before);
    unhook = () => undefined;
  });
});
