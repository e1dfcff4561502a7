import { describe, expect, it } from 'vitest';
import { failed, green, play, specOf, type World } from './testing/play.ts';
import type { Verdict } from './verdict.ts';

interface Story {
  before?: Verdict;
  now?: (n: number) => Verdict;
  trees?: readonly string[];
  gate?: Record<string, unknown>;
  blind?: boolean;
}

/** A run in which a gate was seen to say before the agent began what it says on an empty tree. */
function run({ before = failed(['a', 'b']), now, trees, gate = {}, blind = true }: Story) {
  let told = false;
  const world: World = {
    turn: (n) => ({ tree: trees?.[n - 1] ?? `t${n}` }),
    judge: (name, _, n) =>
      name === 'other' ? failed([`o${n}`, 'o']) : n === 0 ? before : (now?.(n) ?? before),
    happens: ({ current, baseline }) => {
      if (told || current?.iteration !== 0 || !baseline.has('other')) return undefined;
      told = true;
      const fact = { iteration: 0, attempt: 1, tree: 'base', tookMs: 1, output: null } as const;
      return { kind: 'gate.judged', gate: 'tests', verdict: before, ...fact, ...(blind ? { blind } : {}) };
    },
  };
  const spec = specOf({
    gates: { tests: { run: 'x', ...gate }, other: 'y' },
    limits: { iterations: 3 },
    detectors: { enabled: false },
    stuck: 'off',
  });
  return play(spec, world);
}
const ended = (story: Story) => {
  const { state } = run(story);
  return `${state.ended?.status} ${state.ended?.code} ${state.ended?.iterations}`;
};

describe('a gate that does not look at the workspace', () => {
  it('ends the run once it has said the same on two trees of the agent', () => {
    expect(ended({})).toBe('diverged gate.unfixable 2');
    expect(run({}).decisions.at(-1)?.because).toMatchObject({
      reason:
        'gate tests says the same on an empty tree, before the run and after every change: nothing in the workspace can turn it green',
      confidence: 0.95,
      action: 'fail',
      evidence: { gate: 'tests' },
    });
  });
  it('counts trees, and those of the agent alone', () => {
    expect(ended({ trees: ['one', 'one', 'one'] })).toBe('diverged limit.iterations 3');
    expect(ended({ trees: ['one', 'base', 'one'] })).toBe('diverged limit.iterations 3');
    expect(ended({ trees: ['one', 'one', 'two'] })).toBe('diverged gate.unfixable 3');
  });
});

describe('goes on with a gate that', () => {
  it.each<[string, Story]>([
    ['was not seen to be blind', { blind: false }],
    ['is soft', { gate: { severity: 'soft' } }],
    ['passes', { now: () => green }],
    ['was green before', { before: green, now: () => failed(['a', 'b']) }],
    ['runs out of time now', { now: () => ({ kind: 'timed-out', afterMs: 1, excerpt: '' }) }],
    ['shows another failure', { now: () => failed(['a', 'c']) }],
    ['shows fewer failures', { now: () => failed(['a']) }],
    ['shows more failures', { now: () => failed(['a', 'b', 'c']) }],
    ['says it in other words', { now: () => failed(['a', 'b'], { text: 'other' }) }],
  ])('%s', (_, story) => expect(ended(story)).toBe('diverged limit.iterations 3'));
});
