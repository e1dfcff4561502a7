import { describe, expect, it } from 'vitest';
import type { Decision } from './decision.ts';
import { fault } from './fault.ts';
import { failed, green, type Played, play, specOf, type World } from './testing/play.ts';
import type { ProtectedChange } from './tampering.ts';
import type { LevelResult, Verdict } from './verdict.ts';

type Ending = Extract<Decision, { kind: 'end-run' }>;
const last = ({ decisions }: Played) => decisions.at(-1) as Ending;
const also = (played: Played) => last(played).because.also.map((one) => one.code);
const moving: World = { turn: (n) => ({ tree: `t${n}` }), judge: () => failed(['a']) };
const idle: World = { ...moving, turn: () => ({}) };
const soft = (run: string, rest: Record<string, unknown> = {}) => ({ run, severity: 'soft', ...rest });

describe('only soft gates still fail', () => {
  const gates = {
    tests: 'x',
    lint: soft('y'),
    style: soft('z'),
    docs: soft('d'),
    later: soft('m', { when: 'manual' }),
  };
  const played = play(specOf({ gates, limits: { iterations: 1 } }), {
    ...moving,
    judge: (gate, _, n) => (n > 0 && ['tests', 'docs'].includes(gate) ? green : failed(['a'])),
  });

  it('the reason names them and no other gate', () => {
    expect(last(played)).toMatchObject({
      status: 'converged',
      goalSatisfied: false,
      because: {
        code: 'goal.hard-only',
        reason: 'every hard gate passed; soft gates still fail: lint, style',
        action: 'complete',
        evidence: { failing: ['lint', 'style'], endedBy: 'limit.iterations' },
      },
    });
  });
  it('whoever gives up on them leaves work that is done, with caveats', () => {
    const world: World = {
      turn: (n) => ({ tree: `t${n}`, ...(n === 2 ? { giveUp: 'lint wants the impossible' } : {}) }),
      judge: (gate, _, n) => (n > 0 && gate !== 'lint' ? green : failed(['a'])),
    };
    const given = play(specOf({ gates: { tests: 'x', lint: soft('y') } }), world);
    expect(last(given)).toMatchObject({
      status: 'converged',
      because: { code: 'goal.hard-only', evidence: { failing: ['lint'], endedBy: 'agent.gave-up' } },
    });
    expect(given.state.iteration).toBe(2);
    const none = play(specOf({ gates: { lint: soft('y') } }), world);
    expect(last(none)).toMatchObject({ status: 'diverged', because: { code: 'agent.gave-up' } });
  });
  it('what really ended the run is told beside it', () => {
    expect(also(played)).toContain('limit.iterations');
  });
});

describe('unfinished work that is taken as it is', () => {
  const gates = { tests: 'x', types: 'y', docs: 'd', later: soft('m', { when: 'manual' }) };
  const judge: World['judge'] = (gate) => (gate === 'docs' ? green : failed(['a']));

  it('is called partial by the spec, with what still fails and what ended the run', () => {
    const strategy = { kind: 'hybrid', acceptPartialAfter: 2 };
    const played = play(specOf({ gates, strategy, stuck: 'off' }), { ...idle, judge });
    expect(last(played)).toMatchObject({
      status: 'partial',
      goalSatisfied: false,
      because: {
        code: 'accept.partial',
        reason: 'accepted as partial after 2 iterations; still failing: tests, types',
        action: 'complete',
        evidence: { failing: ['tests', 'types'], endedBy: 'no-progress.no-changes' },
      },
    });
    expect(also(played)).toContain('no-progress.no-changes');
  });
  it('is called partial by a person in the same way', () => {
    const played = play(specOf({ gates, strategy: 'manual' }), {
      ...moving,
      judge,
      answers: () => ({ answer: 'accept' }),
    });
    expect(last(played).because).toMatchObject({
      code: 'accept.partial',
      reason: 'a person accepts the tree as it is; still failing: tests, types',
      action: 'complete',
      evidence: { failing: ['tests', 'types'], endedBy: 'accept.person' },
    });
    expect(last(played).because.also).toMatchObject([
      { code: 'accept.person', reason: 'a person says: accept the tree as it is' },
    ]);
  });

  const crash = { end: { kind: 'failed', detail: 'it exited with 1' } } as const;
  it('may never have been judged when a person takes it, and then the reason says that', () => {
    const played = play(specOf({ strategy: 'manual' }), {
      ...moving,
      turn: (n) => (n === 1 ? { tree: 't1' } : crash),
      answers: (n) => ({ answer: n === 1 ? 'continue' : 'accept' }),
    });
    expect(last(played).because.reason).toBe(
      'a person accepts the tree as it is; still failing: nothing judged',
    );
  });
  it('is never taken by the spec alone without a judgement', () => {
    const strategy = { kind: 'hybrid', acceptPartialAfter: 1 };
    const played = play(specOf({ strategy, limits: { iterations: 2 } }), {
      ...moving,
      turn: (n) => (n === 1 ? { tree: 't1' } : crash),
    });
    expect(last(played)).toMatchObject({ status: 'diverged', because: { code: 'limit.iterations' } });
  });
});

describe('a least level for partial work', () => {
  const levels = (reached: number): LevelResult[] =>
    ([0, 1, 2, 3] as const).map((at) => ({
      level: `L${at}`,
      status: at < reached ? 'passed' : at === reached ? 'failed' : 'not-run',
      checks: [],
    }));
  const upTo = (reached: number): Verdict => ({ ...failed(['x']), levels: levels(reached) }) as Verdict;
  const all: Verdict = { kind: 'passed', levels: levels(4) };

  it.each<[string, Record<string, Verdict>, string]>([
    ['is reached', { a: upTo(2) }, 'partial'],
    ['is missed by one', { a: upTo(1) }, 'diverged'],
    ['is reached by one gate and missed by another', { a: upTo(2), b: upTo(1) }, 'diverged'],
    ['is reached by every gate that has levels', { a: upTo(2), b: failed(['b']) }, 'partial'],
    ['is reached by a gate that passes', { a: all, b: failed(['b']) }, 'partial'],
    ['is one that no gate has', { b: failed(['b']) }, 'diverged'],
  ])('that %s', (_, verdicts, status) => {
    const gates = Object.fromEntries(Object.keys(verdicts).map((name) => [name, 'x']));
    const acceptPartial = { after: 1, minLevel: 'L1', allowHardFailures: true };
    const spec = specOf({ gates, strategy: { kind: 'hybrid', acceptPartial }, stuck: 'off' });
    expect(last(play(spec, { ...idle, judge: (gate) => verdicts[gate]! })).status).toBe(status);
  });
});

describe('a run that gives up', () => {
  it('says what it has tried', () => {
    const played = play(specOf({ stuck: { moves: ['differently', 'fresh'] } }), idle);
    const { reason, evidence } = last(played).because;
    expect(reason).toMatch(
      /; tried: try differently after iteration 2: no effect; fresh context after iteration 4: no effect$/,
    );
    expect(evidence).toMatchObject({ moves: ['differently', 'fresh'], dry: 2 });
  });
  it('says so too when the agent fails and a person could not help', () => {
    const played = play(specOf({ stuck: { moves: ['ask'] } }), {
      ...moving,
      turn: () => ({ end: { kind: 'failed', detail: 'x' } }),
      answers: () => ({ answer: 'continue' }),
    });
    expect(last(played).because).toMatchObject({
      code: 'strategy.agent-fails',
      evidence: { moves: ['ask'] },
    });
    expect(last(played).because.reason).toContain('; tried: ask a person after iteration 5: no effect');
  });
  it('says so too when a claim of the agent ends it by the rule of the strategy', () => {
    const strategy = { kind: 'ralph', onFalseClaim: 'stop' };
    const played = play(specOf({ strategy, stuck: { moves: ['differently'] } }), {
      ...moving,
      turn: (n) => ({ claim: n === 3 }),
    });
    expect(last(played).because).toMatchObject({
      code: 'agent.false-claim',
      reason:
        'the agent said it was done and the gates refute it; tried: try differently after iteration 2: no effect',
    });
  });
  it('for a limit says the limit, and nothing about moves', () => {
    const { because, goalSatisfied } = last(play(specOf({ limits: { iterations: 3 } }), idle));
    expect(because).toMatchObject({ reason: '3 of 3 iterations are used', action: 'timeout' });
    expect(because.evidence).not.toHaveProperty('moves');
    expect(goalSatisfied).toBe(false);
  });
});

describe('a fault', () => {
  const raised = (code: string, phase: string) => {
    let told = false;
    return play(specOf(), {
      ...moving,
      happens: ({ iteration }) => {
        if (told || iteration < 1) return undefined;
        told = true;
        return { kind: 'fault.raised', phase, iteration, fault: fault(code, 'git is gone; install it') };
      },
    });
  };
  it.each([
    ['git.missing', 'snapshot', 'error', 'error.snapshot'],
    ['agent.missing', 'build', 'error', 'error.build'],
    ['state.full', 'log', 'suspended', 'suspended.disk-full'],
  ])('%s during %s ends the run: %s, %s', (code, phase, status, ending) => {
    expect(last(raised(code, phase))).toMatchObject({
      status,
      goalSatisfied: false,
      because: { code: ending, reason: 'git is gone; install it', evidence: { fault: code, phase } },
    });
  });
});

it('a stop before anything was measured claims nothing', () => {
  const played = play(specOf(), { ...moving, stops: () => true });
  expect(last(played)).toMatchObject({ status: 'stopped', caveats: [], goalSatisfied: false });
  expect(last(played).because).toMatchObject({ code: 'user.stop', action: 'fail' });
});

it('the tree that the gates passed on is looked at once more, and the reason says why', () => {
  const played = play(specOf(), { ...moving, judge: (_, tree) => (tree === 't1' ? green : failed(['a'])) });
  expect(played.decisions.find((one) => one.kind === 'confirm')).toMatchObject({
    iteration: 1,
    attempt: 1,
    tree: 't1',
    because: { code: 'confirm', reason: 'the gates passed; the tree must still be the one they judged' },
  });
});

describe('work that only a grant is missing for', () => {
  const changed: ProtectedChange = {
    path: 'test/a.test.js',
    status: 'modified',
    what: 'test',
    oid: 'o1',
    diff: '-1\n+2',
  };
  const playing = (fields: Record<string, unknown>, world: Partial<World> = {}) =>
    play(specOf({ integrity: 'guarded', ...fields }), {
      ...moving,
      tampers: (_, iteration) => (iteration === 0 ? undefined : { changed: [changed] }),
      unsealed: () => 'passed',
      ...world,
    });

  it('ends as partial at a limit, which is told beside it', () => {
    const played = playing({ limits: { iterations: 1 } });
    expect(last(played)).toMatchObject({
      status: 'partial',
      because: { code: 'integrity.needs-grant', action: 'complete' },
    });
    expect(also(played)).toEqual(['limit.iterations']);
  });
  it('ends as partial when the agent gives up, which is told beside it', () => {
    const played = playing({}, { turn: (n) => ({ tree: `t${n}`, giveUp: 'needs the new test' }) });
    expect(last(played)).toMatchObject({ status: 'partial', because: { code: 'integrity.needs-grant' } });
    expect(also(played)).toEqual(['agent.gave-up']);
  });
  it('is told once, not beside itself', () => {
    const played = playing({});
    expect(last(played).because.code).toBe('integrity.needs-grant');
    expect(also(played)).not.toContain('integrity.needs-grant');
  });
  it('is stopped by a person and by the rule of a gate as ever', () => {
    const stops: World['stops'] = (n, { current }) => n === 1 && current?.verdicts.size === 1;
    expect(last(playing({}, { stops })).because.code).toBe('user.stop');
    const gates = { tests: { run: 'x', onFailure: 'stop' } };
    expect(last(playing({ gates })).because.code).toBe('gate.stop');
  });
});
