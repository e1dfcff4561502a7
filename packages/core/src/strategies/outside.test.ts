import { describe, expect, it } from 'vitest';
import type { StrategyAnswer } from '../event.ts';
import { fold } from '../evolve.ts';
import { fault } from '../fault.ts';
import { composeFeedback } from '../feedback.ts';
import { failed, green, play, specOf, type Played, type World } from '../testing/play.ts';

const ended = ({ state }: Played) =>
  `${state.ended?.status} ${state.ended?.code} after ${state.ended?.iterations}`;
const custom = (max = 10) => specOf({ strategy: { kind: 'custom', module: 'mine.mjs', max } });
const world = (
  advise: (n: number) => StrategyAnswer,
  judge: World['judge'] = () => failed(['a']),
): World => ({
  turn: (n) => ({ tree: `t${n}` }),
  judge,
  advise,
});
const say = (more: boolean, rest: object = {}): StrategyAnswer => ({
  kind: 'advice',
  continue: more,
  reason: more ? 'once more' : 'enough',
  ...rest,
});

describe('custom', () => {
  it('goes on and stops as the module says, under names of its own', () => {
    const played = play(
      custom(),
      world((n) => say(n < 3, { code: 'goal.met' })),
    );
    expect(ended(played)).toBe('diverged strategy.custom.goal.met after 3');
    expect(played.decisions.filter((one) => one.kind === 'consult')).toHaveLength(3);
  });
  it('cannot converge a run whose gates are red, nor keep one going whose gates are green', () => {
    const claims = play(
      custom(),
      world(() => say(false, { action: 'complete', code: 'converged' })),
    );
    expect(ended(claims)).toMatch(/^diverged/);
    const met = play(
      custom(),
      world(
        () => say(true),
        () => green,
      ),
    );
    expect(ended(met)).toBe('converged goal.met after 1');
    expect(met.decisions.some((one) => one.kind === 'consult')).toBe(false);
  });
  it('is never asked past its maximum', () => {
    expect(
      ended(
        play(
          custom(4),
          world(() => say(true)),
        ),
      ),
    ).toBe('diverged limit.iterations after 4');
  });
  it('hands its words to the next iteration', () => {
    const played = play(
      custom(2),
      world(() => say(true, { feedback: 'Look at the lexer.' })),
    );
    const at = played.events.findIndex((one) => one.kind === 'strategy.answered');
    expect(at).toBeGreaterThan(0);
    expect(
      composeFeedback(
        play(
          custom(1),
          world(() => say(true)),
        ).state,
      ),
    ).not.toContain('lexer');
    expect(played.state.strategyWords).toBeNull();
  });
  it('has its words in the feedback of the next iteration, once', () => {
    const { events } = play(
      custom(3),
      world((n) => say(true, n === 1 ? { feedback: 'Look at the lexer.' } : {})),
    );
    const before = (iteration: number) => {
      const at = events.findIndex(
        (one) =>
          one.kind === 'decided' &&
          one.decision.kind === 'start-iteration' &&
          one.decision.iteration === iteration,
      );
      return composeFeedback(fold(events.slice(0, at + 1)));
    };
    expect(before(2)).toContain('Look at the lexer.');
    expect(before(3)).not.toContain('Look at the lexer.');
  });
  it('has its reason, confidence and action in the decision, and its metadata in the log', () => {
    const played = play(
      custom(),
      world(() => say(false, { confidence: 0.4, action: 'timeout', metadata: { seen: 3 } })),
    );
    expect(played.decisions.at(-1)?.because).toMatchObject({
      reason: 'enough',
      confidence: 0.4,
      action: 'timeout',
    });
    expect(played.events).toContainEqual(
      expect.objectContaining({ answer: expect.objectContaining({ metadata: { seen: 3 } }) }),
    );
  });
  it('that fails is replaced by hybrid for that decision, and the reason says so', () => {
    const broken: StrategyAnswer = { kind: 'failed', fault: fault('module.threw', 'mine.mjs threw: oops') };
    const played = play(
      custom(),
      world((n) => (n === 1 ? broken : say(false))),
    );
    expect(ended(played)).toBe('diverged strategy.custom.stop after 2');
    const went = played.decisions.find((one) => one.kind === 'start-iteration' && one.iteration === 2);
    expect(went?.because.reason).toContain('hybrid decides for custom: mine.mjs threw: oops');
    expect(went?.because.evidence).toMatchObject({ fallback: 'hybrid', instead: 'custom' });
  });
});

describe('adaptive', () => {
  it('says openly that hybrid decides while nothing was learned', () => {
    const played = play(
      specOf({ strategy: 'adaptive', stuck: 'off' }),
      world(() => say(true)),
    );
    const went = played.decisions.find((one) => one.kind === 'start-iteration' && one.iteration === 2);
    expect(went?.because.reason).toContain('hybrid decides for adaptive: nothing was learned here');
  });
  it('decides exactly as hybrid does', () => {
    const judge: World['judge'] = (_, tree, n) => (n >= 6 ? green : failed([`x${n}`, tree]));
    const codes = (strategy: string) =>
      play(
        specOf({ strategy }),
        world(() => say(true), judge),
      ).decisions.map((one) => one.because.code);
    expect(codes('adaptive')).toEqual(codes('hybrid'));
  });
});
