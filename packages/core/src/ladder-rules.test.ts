import { describe, expect, it } from 'vitest';
import { isStuck, moveNames, movesInSession, movesText } from './ladder.ts';
import { failed, green, play, red, specOf, type Played, type World } from './testing/play.ts';

const moves = ({ state }: Played) =>
  state.ended?.moves?.map(({ move, after, effect }) => `${move} ${after} ${effect}`) ?? [];
const ended = ({ state }: Played) => `${state.ended?.status} ${state.ended?.code} ${state.ended?.iterations}`;
const five = ['a', 'b', 'c', 'd', 'e'];

describe('which endings a change may avert', () => {
  it.each([
    ['hybrid', 'loop.oscillation', true],
    ['hybrid', 'no-progress.stall', true],
    ['hybrid', 'strategy.no-progress', true],
    ['hybrid', 'strategy.agent-fails', true],
    ['hybrid', 'agent.false-claim', false],
    ['hybrid', 'limit.iterations', false],
    ['hybrid', 'awaiting-gate', false],
    ['adaptive', 'strategy.no-progress', true],
    ['adaptive', 'loop.snapshot-repeat', true],
    ['ralph', 'loop.output-similarity', true],
    ['ralph', 'strategy.no-progress', false],
    [{ kind: 'hybrid', base: 2, bonus: 2 }, 'loop.oscillation', false],
    [{ kind: 'hybrid', base: 2, bonus: 2 }, 'strategy.no-progress', false],
    [{ kind: 'hybrid', base: 2, bonus: 0 }, 'strategy.agent-fails', false],
  ])('%j, %s: %s', (strategy, code, expected) => {
    expect(isStuck(specOf({ strategy }), code)).toBe(expected);
  });
});

describe('the moves in a session that is held', () => {
  const spec = specOf({
    agent: { run: ['one'], escalate: ['two'] },
    stuck: { moves: ['differently', 'fresh', 'revert', 'escalate'], patience: 1 },
  });
  const idle = (told: object): World => {
    let isHeld = false;
    return {
      turn: () => ({}),
      judge: () => failed(five),
      happens: () => {
        if (isHeld) return undefined;
        isHeld = true;
        return { kind: 'session.held', host: 'claude', sessionId: 's', ...told };
      },
    };
  };
  it('are those that can happen to it, and the others come when it is driven from outside again', () => {
    const held = play(spec, idle({ moves: [...movesInSession] }));
    expect(moves(held)).toEqual(['differently 2 none']);
    const driven = play(spec, { turn: () => ({}), judge: () => failed(five) }, held.events, 'r2');
    expect(moves(driven).map((one) => one.split(' ')[0])).toContain('escalate');
  });
  it('are all of them where the record does not say, as before', () => {
    expect(moves(play(spec, idle({})))).toHaveLength(3);
  });
});

describe('the order of the moves', () => {
  /** Worse with every iteration. */
  const worse: World = {
    turn: (n) => ({ tree: `w${n}` }),
    judge: (_, tree) =>
      failed(Array.from({ length: tree === 'base' ? 1 : 1 + Number(tree.slice(1)) }, (_, at) => `t${at}`)),
  };
  it('takes worsening work back first, once, and then goes on with the rest in its order', () => {
    const played = play(specOf({ stuck: { moves: ['differently', 'revert', 'fresh'], patience: 1 } }), worse);
    expect(moves(played).map((one) => one.split(' ')[0])).toEqual(['revert', 'differently', 'fresh']);
  });
  it('takes nothing back when that is not among the moves', () => {
    const played = play(specOf({ stuck: { moves: ['differently'], patience: 1 } }), worse);
    expect(moves(played).map((one) => one.split(' ')[0])).toEqual(['differently']);
  });
  it('offers an agent that cannot run neither words nor a tree, but a person', () => {
    const failing: World = {
      turn: () => ({ end: { kind: 'failed', detail: 'x' } }),
      judge: () => failed(five),
      answers: () => ({ answer: 'stop' }),
    };
    const played = play(specOf({ stuck: { moves: ['differently', 'fresh', 'revert', 'ask'] } }), failing);
    expect(moves(played).map((one) => one.split(' ')[0])).toEqual(['ask']);
    expect(ended(played)).toBe('stopped user.stop 5');
  });
});

describe('a trial', () => {
  it('does not count builds that were cut short, and goes on while the tree moves behind a gate without degrees', () => {
    const late: World = {
      turn: (n) => (n <= 2 ? {} : { tree: `t${n}` }),
      judge: (_, __, n) => (n >= 9 ? green : red()),
    };
    const played = play(specOf({ stuck: { moves: ['differently'] } }), late);
    expect(ended(played)).toBe('converged goal.met 9');
    expect(moves(played)).toEqual(['differently 2 progress']);
    const cut: World = {
      turn: (n) => (n === 3 || n === 4 ? { end: { kind: 'interrupted' } } : n === 5 ? { tree: 'done' } : {}),
      judge: (_, tree) => (tree === 'done' ? green : failed(five)),
    };
    expect(ended(play(specOf({ stuck: { moves: ['differently'] } }), cut))).toBe('converged goal.met 5');
  });
  it('ends with real progress, and what follows is no longer its business', () => {
    const world: World = {
      turn: (n) => (n === 3 ? { tree: 'better' } : {}),
      judge: (_, tree) => failed(tree === 'better' ? ['a'] : five),
    };
    const played = play(specOf({ stuck: { moves: ['differently'] } }), world);
    expect(moves(played)).toEqual(['differently 2 progress', 'differently 5 none']);
  });
  it('has no effect when a limit ends the run in the middle of it', () => {
    const idle: World = { turn: () => ({}), judge: () => failed(five) };
    expect(moves(play(specOf({ limits: { iterations: 3 } }), idle))).toEqual(['differently 2 none']);
  });
});

it('lists moves in words, with where they led and what came of them', () => {
  expect(moveNames.ask).toBe('ask a person');
  expect(
    movesText([
      { move: 'revert', after: 4, because: 'x', effect: 'none', to: 0 },
      { move: 'revert', after: 6, because: 'x', effect: 'none', to: 3 },
      { move: 'fresh', after: 8, because: 'x', effect: 'progress' },
    ]),
  ).toBe(
    'back to the best tree (of the start) after iteration 4: no effect; back to the best tree (of iteration 3) after iteration 6: no effect; fresh context after iteration 8: progress',
  );
});
