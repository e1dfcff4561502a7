import { PassThrough } from 'node:stream';
import { makeControl } from '@agentgate/runtime';
import { type Because, type Event, type EventBody, emptyState, type RunState } from '@agentgate/core';
import { describe, expect, it } from 'vitest';
import { attend, readAnswer } from './person.ts';
import type { Terminal } from './terminal.ts';

const because: Because = {
  code: 'ask',
  reason: 'x',
  confidence: 1,
  evidence: {},
  action: 'continue',
  also: [],
};
const asks: EventBody = {
  kind: 'decided',
  decision: { kind: 'ask', iteration: 1, forMs: 1000, default: 'stop', because },
};
const goesOn: EventBody = { kind: 'decided', decision: { kind: 'start-iteration', iteration: 2, because } };
const event = (body: EventBody): Event => ({ v: 1, seq: 1, at: '', ...body });

function desk() {
  const input = new PassThrough();
  const output = new PassThrough();
  let shown = '';
  const waiting: { text: string; done: () => void }[] = [];
  output.setEncoding('utf8').on('data', (text: string) => {
    shown += text;
    for (const one of waiting.splice(0)) {
      if (shown.includes(one.text)) one.done();
      else waiting.push(one);
    }
  });
  const says = (text: string) =>
    new Promise<void>((done) => (shown.includes(text) ? done() : waiting.push({ text, done })));
  const said: string[] = [];
  const terminal = { out: (text: string) => said.push(text), status: () => undefined } as unknown as Terminal;
  const control = makeControl();
  return {
    input,
    output,
    says,
    said,
    control,
    terminal,
    person: attend({ input, output }, terminal, control),
  };
}

describe('a person at the terminal', () => {
  it('is asked again until the answer is one', async () => {
    const { input, says, said, control, person } = desk();
    person.onEvent(event(asks), emptyState());
    await says('What next?');
    const { signal } = control.during(['answer']);
    const answered = new Promise((done) => signal.addEventListener('abort', done));
    input.write('perhaps\n');
    while (said.length === 0) await new Promise((done) => setImmediate(done));
    input.write('redirect use the old parser\n');
    await answered;
    expect(said.join()).toContain('is no answer');
    expect(control.takeAnswer()).toEqual({
      answer: 'redirect',
      text: 'use the old parser',
      by: 'prompt',
      iteration: 1,
    });
  });
  it('is asked about a gate that waits, and the answer holds for the tree at hand', async () => {
    const { input, says, control, person } = desk();
    const state = {
      ...emptyState(),
      spec: { gates: [{ name: 'review', kind: 'approval' }] },
      current: {
        tree: 'abc',
        verdicts: new Map([['review', { kind: 'pending', retryAfterMs: 1, note: 'Ship it?' }]]),
      },
    } as unknown as RunState;
    person.onEvent(event({ kind: 'decided', decision: { kind: 'wait', forMs: 1000, because } }), state);
    await says('Ship it?');
    const { signal } = control.during(['approval.given']);
    const answered = new Promise((done) => signal.addEventListener('abort', done));
    input.write('no, the name is wrong\n');
    await answered;
    expect(control.take()).toMatchObject([
      { gate: 'review', tree: 'abc', approved: false, note: 'the name is wrong' },
    ]);
  });
  it('is no longer asked when the run goes on without an answer', async () => {
    const { input, says, control, person } = desk();
    person.onEvent(event(asks), emptyState());
    await says('What next?');
    person.onEvent(event(goesOn), emptyState());
    input.write('stop\n');
    input.end();
    await new Promise((done) => setImmediate(done));
    expect(control.takeAnswer()).toBeNull();
  });
});

it.each([
  ['c', { answer: 'continue' }],
  ['Stop', { answer: 'stop' }],
  ['accept', { answer: 'accept' }],
  ['redirect keep the API', { answer: 'redirect', text: 'keep the API' }],
  ['redirect', null],
  ['stop it', null],
  ['', null],
  ['continueplease', null],
])('reads the answer %j', (line, expected) => {
  expect(readAnswer(line)).toEqual(expected);
});
