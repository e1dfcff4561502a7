import type { Clock } from '@agentgate/core';
import { beforeEach, describe, expect, it } from 'vitest';
import { makeMemoryStore, type RunStore } from '../store/index.ts';
import { type Control, makeControl } from './control.ts';
import { forgetStops, watchInbox } from './inbox.ts';

let store: RunStore;
let control: Control;
let poll: () => void;
/** Time passes when the test says so. */
const clock = {
  after(_ms: number, call: () => void) {
    poll = call;
    return { cancel: () => undefined };
  },
} as unknown as Clock;

const watch = (known: string[] = [], before: string | null = null) =>
  watchInbox(store, 'r1', control, { clock, known: new Set(known), before });
const heard = () => control.take();
const left = () => store.letters('r1').map(({ request }) => request.kind);

beforeEach(() => {
  store = makeMemoryStore();
  store.create('r1');
  control = makeControl();
});

describe('a letter', () => {
  it('is handed over with its name, and done with only when the log holds it', () => {
    store.request('r1', { kind: 'redirect', text: 'other words' });
    watch();
    expect(heard()).toEqual([
      { kind: 'redirect.requested', by: 'command', letter: '1', text: 'other words' },
    ]);
    expect(left()).toEqual(['redirect']);
    control.recorded();
    expect(left()).toEqual([]);
  });

  it('is handed over once, however often the inbox is looked at', () => {
    watch();
    store.request('r1', { kind: 'redirect', text: 'a' });
    poll();
    poll();
    expect(heard()).toHaveLength(1);
    poll();
    expect(heard()).toEqual([]);
  });

  it('that the log holds already is not said twice, only cleared away', () => {
    store.request('r1', { kind: 'redirect', text: 'a' });
    store.request('r1', { kind: 'redirect', text: 'b' });
    watch(['1']);
    expect(heard()).toMatchObject([{ letter: '2', text: 'b' }]);
    expect(store.letters('r1').map(({ name }) => name)).toEqual(['2']);
  });
});

describe('a letter to a run that had ended', () => {
  it('reaches the one that goes on from it, once', () => {
    store.create('r0');
    store.request('r0', { kind: 'redirect', text: 'late' });
    watch([], 'r0');
    expect(heard()).toMatchObject([{ kind: 'redirect.requested', text: 'late' }]);
    control.recorded();
    expect(store.letters('r0')).toEqual([]);
  });
});

describe('an answer', () => {
  it('is done with only when the log holds it, and tells its letter', () => {
    store.request('r1', { kind: 'answer', answer: 'continue' });
    watch();
    expect(left()).toEqual(['answer']);
    expect(control.takeAnswer()).toMatchObject({ answer: 'continue', letter: '1' });
    expect(left()).toEqual(['answer']);
    control.recorded();
    expect(left()).toEqual([]);
  });

  it('that another one has replaced is cleared away', () => {
    watch();
    store.request('r1', { kind: 'answer', answer: 'continue' });
    poll();
    store.request('r1', { kind: 'answer', answer: 'stop' });
    poll();
    expect(store.letters('r1').map(({ request }) => request)).toMatchObject([{ answer: 'stop' }]);
    expect(control.takeAnswer()).toMatchObject({ answer: 'stop' });
  });
});

describe('a stop', () => {
  it('from before its owner came is over; other words still count', () => {
    store.request('r1', { kind: 'stop' });
    store.request('r1', { kind: 'redirect', text: 'a' });
    forgetStops(store, 'r1');
    watch();
    expect([control.signal.aborted, left()]).toEqual([false, ['redirect']]);
  });

  it('asks the first time, and means at once the second time, whoever asked before', () => {
    watch();
    store.request('r1', { kind: 'stop', note: 'enough' });
    poll();
    expect([control.signal.aborted, control.urgent.aborted]).toEqual([true, false]);
    expect(heard()).toMatchObject([{ kind: 'stop.requested', letter: '1', note: 'enough' }]);
    store.request('r1', { kind: 'stop' });
    poll();
    expect(control.urgent.aborted).toBe(true);
  });

  it('means at once when it says so', () => {
    watch();
    store.request('r1', { kind: 'stop', now: true });
    poll();
    expect([control.signal.aborted, control.urgent.aborted]).toEqual([false, true]);
  });
});
