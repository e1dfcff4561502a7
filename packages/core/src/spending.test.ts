import { describe, expect, it } from 'vitest';
import { sessionFor } from './agent-of.ts';
import { caveatsOf } from './caveats.ts';
import { countSession, countSpending, usedSince } from './spending.ts';
import { emptyState } from './state.ts';
import { specOf } from './testing/play.ts';

const ended = (over: object) =>
  ({ kind: 'agent.ended', iteration: 1, ...over }) as Parameters<typeof countSession>[1];

describe('a session that tells only what it has used in all', () => {
  it('is counted once, however often it goes on', () => {
    const state = emptyState();
    let counted = 0;
    for (const total of [100, 250, 250, 900]) {
      const { tokens = 0 } = usedSince(state, { sessionId: 'a', total: { tokens: total } });
      counted += tokens;
      countSession(state, ended({ sessionId: 'a', tokens }));
    }
    expect(counted).toBe(900);
  });
  it('has been paid for as far as it was guessed', () => {
    const state = emptyState();
    countSession(state, ended({ sessionId: 'a', tokens: 100, costUsd: 0.1 }));
    // One was cut short and counted as the dearest; what the next one tells covers it, too.
    countSession(state, ended({ tokens: 100, costUsd: 0.1, estimated: true }));
    expect(usedSince(state, { sessionId: 'a', total: { tokens: 350, costUsd: 0.35 } })).toEqual({
      tokens: 150,
      costUsd: 0.15,
    });
    expect(usedSince(state, { sessionId: 'a', total: { tokens: 150, costUsd: 0.15 } })).toEqual({
      tokens: 0,
      costUsd: 0,
    });
  });
  it('owes nothing of another one', () => {
    const state = emptyState();
    countSession(state, ended({ sessionId: 'a', tokens: 100 }));
    expect(usedSince(state, { sessionId: 'b', total: { tokens: 40 } })).toEqual({ tokens: 40 });
    expect(usedSince(state, { sessionId: 'b' })).toEqual({});
  });
});

it('tokens of which only a part is told are a lower bound from then on, and their limit says so', () => {
  const state = { ...emptyState(), spec: specOf({ limits: { tokens: 5_000 } }), iteration: 2 };
  const bound = 'the agent tells only a part of its tokens, so the limit on them binds late';
  const counted = (over: object) => countSpending(state, ended({ end: { kind: 'finished' }, ...over }));
  counted({ tokens: 100 });
  expect([state.tokensAtLeast, caveatsOf(state, null, 'diverged').includes(bound)]).toEqual([false, false]);
  counted({ tokens: 100, atLeast: true });
  counted({ tokens: 100 });
  expect([state.tokens, state.tokensAtLeast]).toEqual([300, true]);
  expect(caveatsOf(state, null, 'diverged')).toContain(bound);
  expect(caveatsOf({ ...state, spec: specOf({}) }, null, 'diverged')).not.toContain(bound);
});

it.each([
  [{ agent: 'claude' }, 's'],
  [{ agent: { kind: 'claude', context: 'fresh' } }, null],
  [{ agent: 'claude', strategy: 'ralph' }, null],
  [{ agent: { kind: 'claude', context: 'resume' }, strategy: 'ralph' }, 's'],
  // A command makes of it what it wants.
  [{ agent: ['any'], strategy: 'ralph' }, 's'],
  [{ agent: { kind: 'claude', escalate: [{ kind: 'codex', context: 'fresh' }] }, rung: 1 }, null],
])(
  '%j goes on in the session %j',
  ({ rung = 0, ...input }: { rung?: number; agent: unknown; strategy?: unknown }, session) => {
    expect(sessionFor({ ...emptyState(), spec: specOf(input), rung, sessionId: 's' })).toBe(session);
  },
);
