import { describe, expect, it } from 'vitest';
import { composeFeedback } from './feedback.ts';
import { parseSpec } from './parse-spec.ts';
import { readCondition } from './spare.ts';
import { failed, green, play, specOf, type Played, type World } from './testing/play.ts';
import type { LevelResult, Verdict } from './verdict.ts';

const ended = ({ state }: Played) =>
  `${state.ended?.status} ${state.ended?.code} after ${state.ended?.iterations}`;
/** Which gates were really judged in which iteration, in order. */
const judged = ({ events }: Played, gate: string) =>
  events.flatMap((one) =>
    one.kind === 'gate.judged' && one.gate === gate
      ? [`${one.iteration} ${one.cached ? 'cached ' : ''}${one.verdict.kind}`]
      : [],
  );
const moving = (judge: World['judge'], turn: World['turn'] = (n) => ({ tree: `t${n}` })): World => ({
  turn,
  judge,
});

describe('a gate that is spared', () => {
  it('is left out by its condition, and judged before the run converges', () => {
    const gates = { tests: 'x', slow: { run: 'y', skipIf: 'gate.tests.failed' } };
    const played = play(
      specOf({ gates }),
      moving((gate, _, n) => (gate === 'slow' || n >= 3 ? green : failed(['a', `b${n}`]))),
    );
    expect(judged(played, 'slow')).toEqual(['0 passed', '1 skipped', '2 skipped', '3 passed']);
    expect(ended(played)).toBe('converged goal.met after 3');
  });
  it('never lets a run converge unseen: red when judged at last, it goes on', () => {
    const gates = { tests: 'x', slow: { run: 'y', skipIf: 'iteration < 5' } };
    const played = play(
      specOf({ gates }),
      moving((gate, _, n) => (gate === 'tests' || n >= 3 ? green : failed([`s${n}`]))),
    );
    expect(judged(played, 'slow')).toEqual([
      '0 failed',
      '1 skipped',
      '1 failed',
      '2 skipped',
      '2 failed',
      '3 skipped',
      '3 passed',
    ]);
    expect(ended(played)).toBe('converged goal.met after 3');
  });
  it('by an earlier success is judged before the run converges, too', () => {
    const gates = { quick: { run: 'x', onSuccess: 'skip-remaining' }, slow: 'y' };
    const played = play(
      specOf({ gates }),
      moving(() => green),
    );
    expect(judged(played, 'slow')).toEqual(['0 passed', '1 skipped', '1 passed']);
    expect(ended(played)).toBe('converged goal.met after 1');
  });
  it('that is soft stays out, and the result says so', () => {
    const gates = { tests: 'x', style: { run: 'y', severity: 'soft', when: 'manual' } };
    const played = play(
      specOf({ gates }),
      moving((_, tree) => (tree === 't1' ? green : failed(['a']))),
    );
    expect(ended(played)).toBe('converged goal.met after 1');
    expect(played.state.ended?.caveats.join()).toContain('gate style was not judged');
  });
  it('counts as neither fixed nor better', () => {
    const gates = { tests: 'x', slow: { run: 'y', skipIf: 'iteration > 1' } };
    const played = play(
      specOf({ gates, limits: { iterations: 3 } }),
      moving(() => failed(['a', 'b'])),
    );
    expect(played.state.history.map((one) => one.fixed)).toEqual([0, 0, 0]);
    expect(played.state.history.every((one) => one.progress === null)).toBe(true);
  });
  it('reads conditions about gates and iterations, and no others', () => {
    expect(readCondition('gate.my tests.passed')).toEqual({ gate: 'my tests' });
    expect(readCondition('iteration >= 3')).toEqual({ gate: null });
    expect(readCondition('branch == main')).toBeNull();
  });
});

describe('a green verdict on the same inputs', () => {
  const gates = { tests: 'x', docs: { run: 'y', inputs: ['docs/**'] } };
  it('is used again, and everything is judged once more before the run converges', () => {
    const played = play(
      specOf({ gates }),
      moving(
        (gate, _, n) => (gate === 'docs' || n >= 3 ? green : failed([`a${n}`])),
        () => ({ tree: 'same' }),
      ),
    );
    expect(judged(played, 'docs')).toEqual([
      '0 passed',
      '1 passed',
      '2 cached passed',
      '3 cached passed',
      '3 passed',
    ]);
    expect(ended(played)).toBe('converged goal.met after 3');
  });
  it('is not used again when it was red on them before', () => {
    const verdicts = [failed(['d']), green, green];
    const played = play(
      specOf({ gates, limits: { iterations: 3 }, detectors: { enabled: false } }),
      moving(
        (gate, _, n) => (gate === 'docs' ? (verdicts[n] ?? green) : failed(['a'])),
        () => ({ tree: 'base' }),
      ),
    );
    expect(judged(played, 'docs').some((one) => one.includes('cached'))).toBe(false);
  });
  it('that turns out red at the last look keeps the run from converging', () => {
    const played = play(
      specOf({ gates, limits: { iterations: 3 } }),
      moving(
        (gate, _, n, attempt) =>
          gate === 'docs' ? (n >= 2 ? failed(['d']) : green) : n >= 2 ? green : failed([`a${n}${attempt}`]),
        () => ({ tree: 'same' }),
      ),
    );
    expect(ended(played)).not.toContain('converged');
  });
});

describe('escalation and back-off', () => {
  it('tells a person once each time the gate turns red, and carries on', () => {
    const gates = { tests: { run: 'x', onFailure: 'escalate' } };
    const red = [true, true, true, false, true, true, false];
    const soft = { other: 'y' };
    const played = play(
      specOf({ gates: { ...gates, ...soft } }),
      moving((gate, _, n) =>
        gate === 'tests' ? (red[n] ? failed([`a${n}`]) : green) : n >= 6 ? green : failed([`o${n}`, `p${n}`]),
      ),
    );
    expect(ended(played)).toBe('converged goal.met after 6');
    const told = played.decisions.filter((one) => one.kind === 'notify');
    expect(told.map((one) => one.iteration)).toEqual([1, 4]);
  });
  it('waits longer before each iteration while the gate fails', () => {
    const gates = { tests: { run: 'x', backoff: { initial: '2s', max: '5s', multiplier: 2 } } };
    const played = play(
      specOf({ gates }),
      moving((_, __, n) => (n >= 5 ? green : failed([`a${n}`, `b${n}`]))),
    );
    const waits = played.decisions.flatMap((one) => (one.kind === 'wait' ? [one.forMs / 1000] : []));
    expect(waits).toEqual([2, 4, 5, 5]);
    expect(ended(played)).toBe('converged goal.met after 5');
  });
});

describe('what a gate tells the agent', () => {
  const text = (feedback: unknown) => {
    const { state } = play(
      specOf({ gates: { tests: { run: 'x', feedback } }, limits: { iterations: 1 } }),
      moving(() => failed(['secret test name'])),
    );
    return composeFeedback(state);
  };
  it('is its findings, or its own words instead, or nothing but its name', () => {
    expect(text('auto')).toContain('secret test name');
    expect(text({ text: 'Read CONTRIBUTING.md.' })).toContain('Read CONTRIBUTING.md.');
    expect(text({ text: 'Read CONTRIBUTING.md.' })).not.toContain('- secret test name');
    expect(text('manual')).not.toContain('- secret test name');
  });
});

describe('levels', () => {
  const result = (statuses: LevelResult['status'][]): LevelResult[] =>
    statuses.map((status, at) => ({ level: `L${at}` as LevelResult['level'], status, checks: [] }));
  const upTo = (statuses: LevelResult['status'][]): Verdict => {
    const levels = result(statuses);
    return statuses.includes('failed')
      ? { kind: 'failed', findings: [{ id: 'x', title: 'x' }], excerpt: '', levels }
      : { kind: 'passed', levels };
  };
  it('score by the levels that pass', () => {
    const { state } = play(
      specOf({ limits: { iterations: 1 } }),
      moving(() => upTo(['passed', 'passed', 'failed', 'not-run'])),
    );
    expect(state.history[0]?.score).toBe(0.5);
  });
  it('must all pass unless a least level is named, and then the rest is a caveat', () => {
    const world = moving(() => upTo(['passed', 'passed', 'failed', 'not-run']));
    expect(ended(play(specOf({ limits: { iterations: 2 } }), world))).toContain('diverged');
    const least = play(specOf({ strategy: { kind: 'hybrid', minLevel: 'L1' } }), world);
    expect(ended(least)).toBe('converged goal.met after 1');
    expect(least.state.ended?.caveats.join()).toContain('above the least level');
  });
  it('count only without a gap, and a level that did not run has not passed', () => {
    const spec = specOf({ strategy: { kind: 'hybrid', minLevel: 'L1' }, limits: { iterations: 2 } });
    for (const statuses of [
      ['failed', 'passed', 'passed', 'passed'],
      ['passed', 'not-run', 'failed', 'passed'],
    ] as LevelResult['status'][][])
      expect(
        ended(
          play(
            spec,
            moving(() => upTo(statuses)),
          ),
        ),
      ).toContain('diverged');
    const skipped = moving(() => upTo(['skipped', 'passed', 'failed', 'not-run']));
    expect(ended(play(spec, skipped))).toBe('converged goal.met after 1');
  });
});

describe('partial acceptance', () => {
  const world = moving(
    () => failed(['a']),
    () => ({}),
  );
  it('ends as partial, never as converged, and only after the iterations asked for', () => {
    const accept = (after: number) =>
      ended(play(specOf({ strategy: { kind: 'hybrid', acceptPartialAfter: after }, stuck: 'off' }), world));
    expect(accept(2)).toBe('partial accept.partial after 2');
    expect(accept(3)).toBe('diverged no-progress.no-changes after 2');
  });
  it('asks for its least level, and for the word that hard gates may fail', () => {
    const levels: LevelResult[] = (['passed', 'passed', 'failed', 'not-run'] as const).map((status, at) => ({
      level: `L${at}` as LevelResult['level'],
      status,
      checks: [],
    }));
    const upToL1: World = {
      turn: () => ({}),
      judge: () => ({ kind: 'failed', findings: [{ id: 'x', title: 'x' }], excerpt: '', levels }),
    };
    const accept = (minLevel: string) => {
      const acceptPartial = { after: 1, minLevel, allowHardFailures: true };
      return ended(play(specOf({ strategy: { kind: 'hybrid', acceptPartial }, stuck: 'off' }), upToL1));
    };
    expect(accept('L1')).toBe('partial accept.partial after 2');
    expect(accept('L2')).toBe('diverged no-progress.no-changes after 2');
    const unsaid = { strategy: { kind: 'hybrid', acceptPartial: { after: 1 } } };
    expect(() => specOf(unsaid)).toThrow('hard gates may fail then, and that wants to be said');
  });
});

describe('criteria of hybrid', () => {
  const claiming: World = { turn: (n) => ({ tree: `t${n}`, claim: true }), judge: () => failed(['a']) };
  it('agent-signal ends the run at the first claim; the gates say whether it is true', () => {
    const strategy = { kind: 'hybrid', criteria: ['agent-signal'] };
    expect(ended(play(specOf({ strategy }), claiming))).toBe('diverged agent.false-claim after 1');
    expect(ended(play(specOf({ strategy }), { ...claiming, judge: () => green }))).toBe(
      'converged goal.met after 1',
    );
  });
  it('no-changes is a criterion that can be left out, and is never success', () => {
    const still: World = { turn: () => ({}), judge: () => failed(['a']) };
    const strategy = { kind: 'hybrid', criteria: ['verification-pass'] };
    expect(ended(play(specOf({ strategy, stuck: 'off' }), still))).not.toContain('no-changes');
  });
});

it('a gate that gives no verdict although nobody stopped the run ends it as an error', () => {
  const played = play(
    specOf(),
    moving((_, __, n) => (n === 0 ? green : { kind: 'skipped', why: 'no reason' })),
  );
  expect(ended(played)).toBe('error error.gate after 1');
});

describe('a hard gate whose rule is to stop', () => {
  const gates = { lint: { run: 'x', onFailure: 'stop' }, slow: 'y' };
  it('ends the run at once: what stands behind it is not judged any more', () => {
    const played = play(
      specOf({ gates }),
      moving((gate, _, n) => (gate === 'lint' && n > 0 ? failed(['l']) : green)),
    );
    expect(ended(played)).toBe('diverged gate.stop after 1');
    expect(judged(played, 'slow')).toEqual(['0 passed', '1 skipped']);
  });
  it('does not stop because it could not run', () => {
    const fault = { code: 'gate.missing', message: 'x', retry: 'never' } as const;
    const played = play(
      specOf({ gates }),
      moving((gate, _, n) => (gate === 'lint' && n === 1 ? { kind: 'unable', fault } : green)),
    );
    expect(ended(played)).toBe('converged goal.met after 2');
  });
});

it('an escalation is told also when the same iteration ends the run', () => {
  const gates = { tests: { run: 'x', onFailure: 'escalate' } };
  const played = play(
    specOf({ gates, strategy: { kind: 'fixed', iterations: 1 } }),
    moving(() => failed(['a'])),
  );
  expect(played.decisions.filter((one) => one.kind === 'notify')).toHaveLength(1);
});

it('nothing of a baseline that was stopped remains for the run that goes on', () => {
  const spec = specOf();
  const first = play(spec, { ...moving(() => failed(['a'])), stops: (_, state) => state.baseTree !== null });
  expect(first.state.ended).toMatchObject({ status: 'stopped', iterations: 0 });
  const second = play(
    spec,
    moving(
      () => failed(['a', 'b', 'c']),
      () => ({}),
    ),
    first.events,
    'r2',
  );
  expect(second.state.baselineFailures).toBe(3);
  expect(second.decisions.some((one) => one.kind === 'make-move' && one.move === 'revert')).toBe(false);
});

it('a tree at rest alone proves nothing, and is refused', () => {
  const refused = (gates: Record<string, unknown>) => {
    const parsed = parseSpec({ task: 'go', agent: ['true'], gates });
    return parsed.kind === 'invalid' ? parsed.problems.map((one) => one.message).join() : '';
  };
  expect(refused({ calm: { kind: 'convergence' } })).toContain('proves nothing by itself');
  expect(refused({ calm: { kind: 'convergence' }, lint: { run: 'x', severity: 'soft' } })).toContain(
    'proves nothing',
  );
  expect(refused({ calm: { kind: 'convergence', onFailure: 'stop' }, tests: 'x' })).toContain(
    'first iteration',
  );
  expect(refused({ calm: { kind: 'convergence', maxAttempts: 1 }, tests: 'x' })).toContain('first iteration');
  expect(refused({ calm: { kind: 'convergence' }, tests: 'x' })).toBe('');
});
