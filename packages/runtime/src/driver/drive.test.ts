import { type EventBody, FaultError, fault, fold, parseSpec } from '@agentgate/core';
import { expect, it } from 'vitest';
import { makeMemoryStore } from '../store/index.ts';
import { systemClock } from './clock.ts';
import { makeControl } from './control.ts';
import { drive } from './drive.ts';
import type { Ports } from './ports.ts';

const snapshot = {
  tree: 't',
  work: 'w',
  substance: 's',
  changed: { added: 0, modified: 0, deleted: 0, paths: [] },
  leftOut: [],
  nested: [],
};

it('an agent whose end the log does not take is not given back: the run stays open with what it knows', async () => {
  const parsed = parseSpec({ task: 'go', agent: ['true'], gates: { tests: 'x' }, integrity: 'off' });
  if (parsed.kind === 'invalid') throw new Error('no spec');
  const spec = { ...parsed.spec, task: 'go' };
  const kept = makeMemoryStore();
  kept.create('r1');
  const first = { kind: 'run.started', runId: 'r1', version: 't', root: '/', nonce: 'n', specHash: 'h' };
  await kept.append('r1', 0, [{ ...first, source: 's', spec } as EventBody]);
  const refusal = new FaultError(fault('state.full', 'no space left'));
  const append: typeof kept.append = async (runId, seq, bodies) => {
    if (bodies.some((one) => one.kind === 'agent.ended')) throw refusal;
    return kept.append(runId, seq, bodies);
  };
  const control = makeControl();
  let done = 0;
  const ports = {
    store: { ...kept, append },
    clock: systemClock,
    workspace: { root: '/', snapshot: async () => snapshot, changedPaths: async () => [] },
    judge: async () => ({
      verdict: { kind: 'failed', findings: [], excerpt: '', textKey: '' },
      tookMs: 1,
      output: '',
    }),
    async build() {
      control.redirect({ by: 'command', text: 'other words' }, () => (done += 1));
      return { end: { kind: 'finished' }, output: '', outputBytes: 0, tookMs: 1 };
    },
    advisor: null,
    scratch: () => ({ path: '/tmp', remove: () => undefined }),
    keepFds: [],
  } as unknown as Ports;
  await expect(drive('r1', ports, control)).rejects.toBe(refusal);
  const state = fold(await kept.read('r1'));
  expect([state.iteration, state.open?.kind, state.ended]).toEqual([1, 'start-iteration', null]);
  // What a person said meanwhile is not done with either.
  expect(done).toBe(0);
});
