import { type Decision, type EventBody, emptyState, newCurrent, parseSpec } from '@agentgate/core';
import { expect, it } from 'vitest';
import { makeMemoryStore } from '../store/index.ts';
import { makeControl } from './control.ts';
import { perform } from './perform.ts';
import type { Ports } from './ports.ts';

it('counts the time of a strategy that a stop cut short', async () => {
  const parsed = parseSpec({ task: 'go', agent: ['true'], gates: { tests: 'x' } });
  if (parsed.kind === 'invalid') throw new Error('no spec');
  const state = {
    ...emptyState(),
    runId: 'r1',
    root: '/',
    spec: { ...parsed.spec, task: 'go' },
    iteration: 1,
  };
  state.current = newCurrent(1);
  const control = makeControl();
  let nowMs = 1_000;
  const ports = {
    store: makeMemoryStore(),
    clock: { monoMs: () => nowMs },
    advisor: {
      consult() {
        nowMs += 4_000;
        queueMicrotask(() => control.stop({ by: 'command' }));
        return new Promise(() => undefined);
      },
    },
  } as unknown as Ports;
  const because = { code: 'consult', reason: 'asked', confidence: 1, evidence: {}, also: [] };
  const decision: Decision = { kind: 'consult', iteration: 1, because: { ...because, action: 'continue' } };
  const facts: EventBody[] = [];
  for await (const fact of perform(state, decision, ports, control, {})) facts.push(fact);
  expect(facts).toMatchObject([
    { kind: 'strategy.answered', tookMs: 4_000, answer: { fault: { code: 'strategy.stopped' } } },
  ]);
});
