import { type Decision, type EventBody, emptyState, parseSpec, type RunState } from '@agentgate/core';
import { expect, it } from 'vitest';
import { makeMemoryStore } from '../store/index.ts';
import { makeControl } from './control.ts';
import { perform } from './perform.ts';
import type { Ports } from './ports.ts';

type Ways = Awaited<ReturnType<Ports['notify']>>;

/** Ends a run whose forge and chat never answer unless they are told to leave it; `stopMs` is when somebody stops it. */
async function endedWith(stopMs: number | null): Promise<{ facts: EventBody[]; tookMs: number }> {
  const parsed = parseSpec({ task: 'go', agent: ['true'], gates: { tests: 'x' } });
  if (parsed.kind === 'invalid') throw new Error('no spec');
  const spec = { ...parsed.spec, task: 'go' };
  const state: RunState = { ...emptyState(), runId: 'r1', root: '/', spec, atHand: 'tree' };
  const control = makeControl();
  let nowMs = 0;
  const due: { atMs: number; act: () => void }[] = [];
  const after = (ms: number, act: () => void) => {
    const entry = { atMs: nowMs + ms, act };
    due.push(entry);
    return { cancel: () => void due.splice(due.indexOf(entry), 1) };
  };
  const untilCut = (signal: AbortSignal | undefined, naturalMs: number): Promise<boolean> =>
    new Promise((done) => {
      const answer = after(naturalMs, () => done(true));
      const cut = () => {
        answer.cancel();
        done(false);
      };
      if (signal?.aborted) cut();
      else signal?.addEventListener('abort', cut);
    });
  const ports = {
    store: makeMemoryStore(),
    clock: { monoMs: () => nowMs, after },
    deliver: async (_request: unknown, signal?: AbortSignal) =>
      (await untilCut(signal, 120_000))
        ? { kind: 'delivered', as: 'pr', tree: 'tree' }
        : { kind: 'delivered', as: 'pr', tree: 'tree', problem: 'late' },
    notify: async (_request: unknown, signal?: AbortSignal): Promise<Ways> => [
      { way: 'command', ok: await untilCut(signal, 10_000) },
    ],
  } as unknown as Ports;
  const because = { code: 'user.stop', reason: 'stopped', confidence: 1, evidence: {}, also: [] };
  const decision: Decision = {
    kind: 'end-run',
    status: 'stopped',
    caveats: [],
    goalSatisfied: false,
    because: { ...because, action: 'fail' },
  };
  if (stopMs === 0) control.stop({ by: 'command' });
  else if (stopMs !== null) after(stopMs, () => control.stop({ by: 'command' }));
  const facts: EventBody[] = [];
  const over = (async () => {
    for await (const fact of perform(state, decision, ports, control, {})) facts.push(fact);
  })().then(() => true);
  // Everything that can happen now has happened when nothing has for a turn of the loop.
  const settled = () => Promise.race([over, new Promise<false>((done) => setImmediate(() => done(false)))]);
  while (!(await settled())) {
    const next = due.toSorted((a, b) => a.atMs - b.atMs)[0];
    if (!next) throw new Error('nothing will ever happen again');
    due.splice(due.indexOf(next), 1);
    nowMs = next.atMs;
    next.act();
  }
  return { facts, tookMs: nowMs };
}

it.each([
  ['before the run came to its end', 0, 3_000],
  ['while its end is handed on', 60_000, 63_000],
])(
  'a stop %s leaves a forge and a chat three seconds, and what did not go out is told',
  async (_, at, took) => {
    const { facts, tookMs } = await endedWith(at);
    expect(tookMs).toBe(took);
    expect(facts).toMatchObject([
      { kind: 'delivered', problem: 'late' },
      { kind: 'notified', ways: [{ ok: false }] },
      { kind: 'run.ended' },
    ]);
  },
);

it('without a stop both have the time that they take', async () => {
  const { facts, tookMs } = await endedWith(null);
  expect(tookMs).toBe(130_000);
  expect(facts).toMatchObject([
    { kind: 'delivered', tree: 'tree' },
    { kind: 'notified', ways: [{ ok: true }] },
    {},
  ]);
  expect(facts[0]).not.toHaveProperty('problem');
});
