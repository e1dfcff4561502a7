import { describe, expect, it } from 'vitest';
import { approachWords } from './item-prompt.ts';
import type { PlanDecision } from './plan-decision.ts';
import { begun, endOf, failing, planOf, playPlan, type PlanWorld, statusesOf } from './testing/play-plan.ts';

const own = (id: string, more: object = {}) => ({
  id,
  task: `do ${id}`,
  gates: { own: `test ${id}` },
  ...more,
});
const plan = planOf({ items: [own('a'), own('b')] });

/** Every attempt leaves another tree, and an item is red in the workspace from one attempt to another. */
const brokenBy = (breaker: string, broken: string): PlanWorld & { isRed: boolean } => {
  let trees = 0;
  const world = {
    isRed: false,
    run: ({ item }: { item: string }) => {
      if (item === breaker) world.isRed = true;
      if (item === broken) world.isRed = false;
      return { left: `tree ${++trees}`, tests: 3 };
    },
    judge: (item: string) => item !== broken || !world.isRed,
  };
  return world;
};
const told = (decisions: readonly PlanDecision[]) =>
  decisions.map((one) => ('item' in one ? `${one.kind} ${one.item}` : one.kind));

describe('an item that was done and that others broke', () => {
  it('is opened again before the plan is complete, told what fails, and judged with all others after that', () => {
    const played = playPlan(plan, brokenBy('b', 'a'));
    expect(told(played.decisions)).toEqual([
      'run-item a',
      'settle a',
      'run-item b',
      'settle b',
      'judge-item a',
      'reopen a',
      'run-item a',
      'settle a',
      'judge-item a',
      'judge-item b',
      'end-session',
    ]);
    const again = played.decisions[6]!;
    expect(again).toMatchObject({ approach: 'mend', from: null });
    expect([endOf(played), played.state.tests]).toEqual(['complete', 6]);
  });
  it('hears which gates fail', () => {
    let words: string | null = null;
    const world = brokenBy('b', 'a');
    playPlan(plan, {
      ...world,
      run: (decision, state) => {
        if (decision.approach === 'mend') words = approachWords(state, decision);
        return world.run!(decision, state);
      },
    });
    expect(words).toContain('these fail now: all');
  });
  it('is stuck where nobody mends it, and what it had left stays, since others build upon it', () => {
    const world = brokenBy('b', 'a');
    const played = playPlan(plan, {
      ...world,
      run: (decision, state) =>
        decision.approach === 'mend'
          ? failing({ left: 'worse', before: 'tree 2' })
          : decision.attempt > 1
            ? failing({ left: 'worse', before: 'tree 2', iterations: 1 })
            : world.run!(decision, state),
    });
    expect([endOf(played), statusesOf(played)]).toMatchObject(['stuck', { a: 'stuck', b: 'done' }]);
    const reverted = played.decisions.find(({ kind }) => kind === 'revert-item');
    expect(reverted).toMatchObject({ works: [{ before: 'tree 2' }, { before: 'tree 2' }] });
    expect(played.state.records.get('a')!.lying).toEqual([{ before: 'start', left: 'tree 1' }]);
  });
  it('opens what it is a part of again', () => {
    const parts = planOf({ items: [{ id: 'p', parts: [own('x')] }, own('y')] });
    const played = playPlan(parts, brokenBy('y', 'x'));
    expect(begun(played)).toEqual(['x', 'y', 'x']);
    expect([endOf(played), statusesOf(played)]).toEqual(['complete', { p: 'done', x: 'done', y: 'done' }]);
  });
  it('does not go back and forth with another one for ever', () => {
    let trees = 0;
    let last = 'b';
    const played = playPlan(plan, {
      run: ({ item }) => {
        last = item;
        return { left: `tree ${++trees}`, iterations: 0 };
      },
      judge: (item) => item === last,
    });
    expect(endOf(played)).toBe('stuck');
    expect(begun(played).length).toBeLessThan(10);
  });
  it('is judged by soft gates as well: what fails there is a caveat', () => {
    const played = playPlan(plan, {
      run: ({ item }) => ({ left: item }),
      soft: (item) => (item === 'a' ? ['lint'] : []),
    });
    expect([endOf(played), statusesOf(played)]).toEqual([
      'complete-with-caveats',
      { a: 'done-with-caveats', b: 'done' },
    ]);
    expect(played.state.records.get('a')?.reason).toBe('lint fails since it was done');
  });
  it('is neither complete nor broken where it cannot be judged', () => {
    const played = playPlan(plan, {
      run: ({ item }) => ({ left: item }),
      unable: (item) => (item === 'a' ? 'no docker' : null),
    });
    expect(played.state.session?.ended).toMatchObject({
      status: 'error',
      reason: expect.stringContaining('no docker'),
    });
    expect(statusesOf(played)).toEqual({ a: 'done', b: 'done' });
  });
});

describe('what is done is not judged again', () => {
  const judgements = (world: PlanWorld, of = plan) =>
    playPlan(of, world).decisions.filter(({ kind }) => kind === 'judge-item');
  it('where the workspace is as it was', () => {
    expect(judgements({ run: () => ({ left: 'same' }) })).toEqual([]);
  });
  it('for gates that all have in common: whoever came last was judged by them', () => {
    const shared = planOf({
      gates: { all: 'test' },
      items: [
        { id: 'a', task: 'a' },
        { id: 'b', task: 'b' },
      ],
    });
    expect(judgements({ run: ({ item }) => ({ left: item }) }, shared)).toEqual([]);
  });
  it('where a person stops it before', () => {
    const said = { run: ({ item }: { item: string }) => ({ left: item }) };
    const played = playPlan(plan, {
      ...said,
      say: (at) => (at === 4 ? [{ kind: 'stop.requested', by: 'me' }] : []),
    });
    expect(endOf(played)).toBe('stopped');
  });
  it('inside of an alternative that was given up', () => {
    const either = planOf({
      items: [{ id: 'g', alternatives: [{ id: 'one', parts: [own('one1'), own('one2')] }, own('two')] }],
      limits: { item: 1 },
    });
    const played = judgements(
      { run: ({ item }) => (item === 'one2' ? failing({ left: item }) : { left: item }), judge: () => false },
      either,
    );
    expect(played).toEqual([]);
  });
});
