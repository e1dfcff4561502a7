import {
  type Built,
  type EventBody,
  emptyState,
  evolve,
  newCurrent,
  parseSpec,
  type RunState,
} from '@agentgate/core';
import { describe, expect, it } from 'vitest';
import { makeMemoryStore } from '../store/index.ts';
import { buildFacts } from './build.ts';
import { systemClock } from './clock.ts';
import { makeControl } from './control.ts';
import type { Ports } from './ports.ts';

/** A run in its second iteration, whose agent was about to start under the boot `before` when the controller died. */
function cutShort(before: string | null, told: { tokens?: number; costUsd?: number } = {}): RunState {
  const parsed = parseSpec({ task: 'go', agent: ['true'], gates: { tests: 'x' } });
  if (parsed.kind === 'invalid') throw new Error('no spec');
  const state = { ...emptyState(), runId: 'r1', root: '/', spec: { ...parsed.spec, task: 'go' } };
  state.iteration = 2;
  state.current = newCurrent(2);
  state.dearest = { tokens: told.tokens ?? null, costUsd: told.costUsd ?? null };
  const boot = before === null ? {} : { boot: before };
  return evolve(state, {
    v: 1,
    seq: 9,
    at: '',
    kind: 'agent.started',
    iteration: 2,
    marker: 'm',
    prompt: 'p',
    ...boot,
  });
}

const finished: Built = { end: { kind: 'finished' }, output: '', outputBytes: 0, tookMs: 1 };

/** What becomes of it on a resume under the boot `now`; `mark` tells whether the agent left its start mark. */
async function resumed(
  state: RunState,
  now: string | undefined,
  mark: boolean,
  built: Built = finished,
): Promise<EventBody[]> {
  const store = { ...makeMemoryStore(), hasStarted: () => mark, keep: () => 'ref' };
  const ports = {
    store,
    build: async () => built,
    clock: systemClock,
    scratch: () => ({ path: '/tmp', remove: () => undefined }),
    keepFds: [],
    ...(now === undefined ? {} : { boot: now }),
  } as unknown as Ports;
  const facts: EventBody[] = [];
  const words = { prompt: 'p', feedback: '', redirects: 0 };
  for await (const fact of buildFacts(state, words, ports, makeControl(), {})) facts.push(fact);
  return facts;
}

describe('an agent that was started when the controller died', () => {
  it.each([
    ['left its mark', 'one', 'one', true, 'interrupted'],
    ['left no mark', 'one', 'one', false, 'finished'],
    // A machine that went down may have forgotten the mark: who may have worked has worked.
    ['left no mark, and the machine went down', 'one', 'two', false, 'interrupted'],
    ['left its mark, and the machine went down', 'one', 'two', true, 'interrupted'],
    ['left no mark, in a log from before', null, 'two', false, 'finished'],
    ['left no mark, where the system does not tell', 'one', undefined, false, 'finished'],
  ] as const)('and %s', async (_name, before, now, mark, end) => {
    const facts = await resumed(cutShort(before), now, mark);
    expect(facts).toMatchObject([{ kind: 'agent.ended', iteration: 2, end: { kind: end } }]);
  });

  it('is taken to have used as much as the dearest that told, and says that it is assumed', async () => {
    const told = { tokens: 700, costUsd: 0.3 };
    expect(await resumed(cutShort('one', told), 'one', true)).toMatchObject([{ ...told, estimated: true }]);
    const [fact] = await resumed(cutShort('one', { tokens: 700 }), 'one', true);
    expect(fact).toMatchObject({ tokens: 700, estimated: true });
    expect(fact).not.toHaveProperty('costUsd');
  });

  it('of which nobody ever told is taken to have used nothing, and nothing is assumed', async () => {
    const [fact] = await resumed(cutShort('one'), 'one', true);
    for (const name of ['tokens', 'costUsd', 'estimated']) expect(fact).not.toHaveProperty(name);
  });
});

describe('an agent that was stopped', () => {
  const dearest = { tokens: 700, costUsd: 0.3 };
  const ended = async (built: Partial<Built>, told: { tokens?: number; costUsd?: number } = dearest) => {
    const stopped: Built = { ...finished, end: { kind: 'aborted', by: 'stop' }, ...built };
    const [fact] = await resumed(cutShort('one', told), 'one', false, stopped);
    const { tokens, costUsd, estimated } = fact as Extract<EventBody, { kind: 'agent.ended' }>;
    return [tokens, costUsd, estimated];
  };

  it('and told nothing is taken to have used as much as the dearest that told', async () => {
    expect(await ended({})).toEqual([700, 0.3, true]);
    expect(await ended({ tokens: 5 })).toEqual([5, 0.3, true]);
  });
  it('counts with what it told, if it told everything that others tell', async () => {
    expect(await ended({ tokens: 5, costUsd: 0.1 })).toEqual([5, 0.1, undefined]);
    expect(await ended({ tokens: 5 }, { tokens: 700 })).toEqual([5, undefined, undefined]);
  });
  it('before it began has used nothing', async () => {
    expect(await ended({ tookMs: 0 })).toEqual([undefined, undefined, undefined]);
  });
  it('is told from one that ended by itself, which may have used nothing', async () => {
    expect(await ended({ end: { kind: 'finished' } })).toEqual([undefined, undefined, undefined]);
  });
});
