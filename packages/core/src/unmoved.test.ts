import { expect, it } from 'vitest';
import { composeFeedback } from './feedback.ts';
import { failed, green, play, specOf, type Turn } from './testing/play.ts';

/** A gate whose findings have other names each time, as one with a time in them has. */
const restless = (_: string, __: string, iteration: number) => failed([`a at ${iteration}`, 'b']);

it.each<[string, (iteration: number) => Turn]>([
  ['never changes', () => ({})],
  ['goes to and fro', (iteration) => ({ tree: iteration % 2 === 0 ? 'x' : 'y' })],
])('a tree that %s gets no better by what its gate calls its failures', (_, turn) => {
  const { state } = play(specOf({ stuck: 'off' }), { turn, judge: restless });
  expect(state.ended!.status).toBe('diverged');
  expect(state.ended!.iterations).toBeLessThan(8);
});

it('a flaky gate on an unmoved tree earns no iteration', () => {
  const { state } = play(specOf({ stuck: 'off' }), {
    turn: () => ({ tree: 'same' }),
    judge: (_, __, iteration) => (iteration % 2 === 0 ? failed(['a', 'b']) : failed(['b'])),
  });
  expect(state.ended!.iterations).toBeLessThan(6);
});

it('a failed build that was judged all the same is told so', () => {
  const { state } = play(specOf({ limits: { iterations: 2 } }), {
    turn: (iteration) => ({ tree: `t${iteration}`, end: { kind: 'failed', detail: 'exit 1' } }),
    judge: (_, tree) => (tree === 'done' ? green : failed(['a'])),
  });
  expect(composeFeedback(state)).toContain(
    'your run failed (exit 1). What it left was judged: 1 of 1 gates fail.',
  );
});
