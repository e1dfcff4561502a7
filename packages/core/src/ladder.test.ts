import { describe, expect, it } from 'vitest';
import { decide } from './decide.ts';
import { composeFeedback } from './feedback.ts';
import { fold } from './evolve.ts';
import { failed, green, play, specOf, type Played, type Turn, type World } from './testing/play.ts';
import type { Verdict } from './verdict.ts';

const five = ['a', 'b', 'c', 'd', 'e'];
const world = (turn: (n: number) => Turn, judge: (tree: string, n: number) => Verdict): World => ({
  turn,
  judge: (_, tree, n) => judge(tree, n),
});
/** Changes nothing whatever it is told. */
const idle = world(
  () => ({}),
  () => failed(five),
);
const moves = ({ state }: Played) =>
  state.ended?.moves?.map(({ move, after, effect }) => `${move} after ${after}: ${effect}`);
const ended = ({ state }: Played) =>
  `${state.ended?.status} ${state.ended?.code} after ${state.ended?.iterations}`;
/** What the agent is told before an iteration. */
const told = ({ events }: Played, iteration: number): string => {
  const at = events.findIndex(
    (one) =>
      one.kind === 'decided' &&
      one.decision.kind === 'start-iteration' &&
      one.decision.iteration === iteration,
  );
  return composeFeedback(fold(events.slice(0, at + 1)));
};

describe('the ladder', () => {
  it('takes every move before it gives up, and lists them with their effect', () => {
    const played = play(specOf(), idle);
    expect(ended(played)).toBe('diverged no-progress.no-changes after 6');
    expect(moves(played)).toEqual(['differently after 2: none', 'fresh after 4: none']);
    expect(played.state.ended?.reason).toMatch(/tried: try differently .* no effect; fresh context/);
  });

  it('is left out when it is off, and shorter when moves are left out', () => {
    expect(ended(play(specOf({ stuck: 'off' }), idle))).toBe('diverged no-progress.no-changes after 2');
    expect(moves(play(specOf({ stuck: { moves: ['fresh'], patience: 1 } }), idle))).toEqual([
      'fresh after 2: none',
    ]);
  });

  it('converges when a move helps, and says which one did', () => {
    const helped = play(
      specOf(),
      world(
        (n) => (n >= 5 ? { tree: 'solved' } : {}),
        (tree) => (tree === 'solved' ? green : failed(five)),
      ),
    );
    expect(ended(helped)).toBe('converged goal.met after 5');
    expect(moves(helped)).toEqual(['differently after 2: none', 'fresh after 4: progress']);
  });

  it('goes back to the best tree when the work gets worse, and measures from there', () => {
    const worse = (n: number): Turn => ({ tree: `w${n}` });
    const size = (tree: string) => (tree === 'w1' ? 1 : Number(tree.slice(1)) + 1);
    const played = play(
      specOf(),
      world(worse, (tree) => failed(tree === 'base' ? five : five.concat(five).slice(0, size(tree)))),
    );
    const back = played.decisions.find((one) => one.kind === 'make-move');
    expect(back).toMatchObject({ move: 'revert', tree: 'w1', to: 1 });
    // What was green on the best tree and is red again after it is no progress when it turns green.
    expect(moves(played)?.[0]).toMatch(/^revert after \d+: none$/);
    expect(ended(played)).toMatch(/^diverged no-progress\.divergence/);
  });

  it('counts what a revert brings back as no progress, and what follows it as progress', () => {
    const judge = (tree: string): Verdict =>
      ({ base: failed(five), w1: failed(['a', 'b']), solved: green })[tree] ?? failed(five);
    const played = play(
      specOf({ stuck: { moves: ['revert'] } }),
      world((n) => (n === 1 ? { tree: 'w1' } : n <= 3 ? { tree: `bad${n}` } : { tree: 'solved' }), judge),
    );
    expect(ended(played)).toBe('converged goal.met after 4');
    expect(moves(played)).toEqual(['revert after 3: progress']);
    expect(told(played, 4)).toContain('brought back to its best tree, that of iteration 1');
    expect(told(played, 4)).toContain('## Gate tests: 2 findings');
  });

  it('goes to the next agents one by one', () => {
    const spec = specOf({
      agent: { run: ['one'], escalate: ['two', { run: ['three'] }] },
      stuck: { moves: ['escalate'], patience: 1 },
    });
    const played = play(spec, idle);
    expect(moves(played)).toEqual(['escalate after 2: none', 'escalate after 3: none']);
    expect(played.state.rung).toBe(2);
    expect(played.state.ended?.caveats).toContain('agent 3 of the ladder did the last of the work');
  });

  it('goes to the next agent when one fails each time, without words in between', () => {
    const spec = specOf({ agent: { run: ['one'], escalate: ['two'] } });
    const played = play(
      spec,
      world(
        (n) => (n <= 5 ? { end: { kind: 'failed', detail: 'it exited with 1' } } : { tree: 'solved' }),
        (tree) => (tree === 'solved' ? green : failed(five)),
      ),
    );
    expect(ended(played)).toBe('converged goal.met after 6');
    expect(moves(played)).toEqual(['escalate after 5: progress']);
  });

  it('begins again after real progress, not after a tree that only moves', () => {
    const played = play(
      specOf({ limits: { iterations: 12 } }),
      world(
        (n) => (n === 3 ? { tree: 'some' } : {}),
        (tree) => failed(tree === 'some' ? ['a', 'b'] : five),
      ),
    );
    expect(moves(played)).toEqual([
      'differently after 2: progress',
      'differently after 5: none',
      'fresh after 7: none',
    ]);
    expect(ended(played)).toBe('diverged loop.snapshot-repeat after 9');
  });

  it('never goes past a limit', () => {
    expect(ended(play(specOf({ limits: { iterations: 3 } }), idle))).toMatch(/after 3$/);
    expect(ended(play(specOf({ strategy: { kind: 'hybrid', base: 2, bonus: 1 } }), idle))).toMatch(
      / after [23]$/,
    );
  });

  it('ends with caveats, not with moves, when only soft gates fail', () => {
    const gates = { tests: 'x', lint: { run: 'y', severity: 'soft' } };
    const played = play(specOf({ gates }), {
      turn: () => ({}),
      judge: (gate) => (gate === 'lint' ? failed(['l']) : green),
    });
    expect(ended(played)).toBe('converged goal.hard-only after 2');
    expect(moves(played)).toBeUndefined();
  });
});

describe('what the agent is told after a move', () => {
  const played = play(specOf(), {
    ...world(
      (n) => ({ tree: `t${n % 2}` }),
      (tree) => failed(tree === 't1' ? ['a'] : ['b', 'c']),
    ),
  });
  it('names the pattern, what was tried, and asks for another way', () => {
    const text = told(played, (played.state.ended?.moves?.[0]?.after ?? 0) + 1);
    expect(text).toContain('goes round in a circle');
    expect(text).toContain('take another way');
    expect(text).toMatch(/- 2: changed the tree \(a\.js\), 2 failing/);
  });
  it('leaves the past out of a fresh context', () => {
    const fresh = played.state.ended?.moves?.find((one) => one.move === 'fresh');
    const text = told(played, (fresh?.after ?? 0) + 1);
    expect(text).toContain('Begin anew');
    expect(text).not.toContain('Earlier iterations');
  });
});

it('a fresh context forgets the session, the others keep it', () => {
  const session = (after: number) => {
    const { events } = play(specOf(), idle);
    const told = events.map((one) =>
      one.kind === 'agent.ended' ? { ...one, sessionId: `s${one.iteration}` } : one,
    );
    const at = told.findIndex(
      (one) =>
        one.kind === 'decided' &&
        one.decision.kind === 'start-iteration' &&
        one.decision.iteration === after + 1,
    );
    return fold(told.slice(0, at + 1)).sessionId;
  };
  expect(session(2)).toBe('s2');
  expect(session(4)).toBeNull();
});

describe('the ladder and what happens around it', () => {
  it('begins anew for a person who goes on, also in the middle of a trial', () => {
    const spec = specOf({ agent: { run: ['one'], escalate: ['two'] }, stuck: { moves: ['escalate'] } });
    const first = play(spec, idle);
    expect(ended(first)).toMatch(/after 4$/);
    const more = play({ ...spec, limits: { ...spec.limits, iterations: 200 } }, idle, first.events, 'r2', {
      iterations: 1,
    });
    expect(Number(more.state.ended?.iterations)).toBeGreaterThanOrEqual(6);
  });
  it('goes back only to a tree that is better than the one at hand', () => {
    const judge = (tree: string): Verdict =>
      tree === 't3'
        ? failed(['a', 'b'])
        : { kind: 'failed', findings: [{ id: 'x', title: 'x', synthetic: true }], excerpt: '' };
    const played = play(
      specOf({ stuck: { moves: ['differently', 'revert'], patience: 1 } }),
      world((n) => ({ tree: n >= 3 ? 't3' : `t${n}` }), judge),
    );
    expect(played.decisions.filter((one) => one.kind === 'make-move').map((one) => one.move)).not.toContain(
      'revert',
    );
  });
  it('takes no broken build for better because the tests behind it were spared', () => {
    const gates = { build: 'x', tests: { run: 'y', skipIf: 'gate.build.failed' } };
    const played = play(specOf({ gates }), {
      turn: (n) => ({ tree: n === 1 ? 't1' : 't2' }),
      judge: (gate, tree) => {
        if (gate === 'build') return tree === 't1' ? failed(['broken']) : green;
        return failed(['a', 'b', 'c', 'd']);
      },
    });
    expect(played.state.ended?.best?.tree).not.toBe('t1');
    expect(played.decisions.some((one) => one.kind === 'make-move' && one.tree === 't1')).toBe(false);
  });
  it('is not kept from ending by a claim rule that ends at once', () => {
    const strategy = { kind: 'ralph', max: 30, onFalseClaim: 'stop' };
    const played = play(
      specOf({ strategy }),
      world(
        (n) => (n > 2 ? { claim: true, tree: `t${n}` } : {}),
        () => failed(five),
      ),
    );
    expect(ended(played)).toBe('diverged agent.false-claim after 3');
  });
});

it('a move that cannot be made is recorded, and the next one is taken', () => {
  const { events } = play(specOf({ stuck: { moves: ['differently'] } }), idle);
  const at = events.findIndex((one) => one.kind === 'move.made');
  const blocked = events
    .slice(0, at + 1)
    .map((one) => (one.kind === 'move.made' ? { ...one, problem: 'something lies in the way' } : one));
  const state = fold(blocked);
  expect(state.moves).toMatchObject([{ move: 'differently', effect: 'none' }]);
  expect(decide(state)).toMatchObject({ kind: 'end-run', because: { code: 'no-progress.no-changes' } });
});
