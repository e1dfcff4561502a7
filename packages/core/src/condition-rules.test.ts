import { describe, expect, it } from 'vitest';
import type { Decision } from './decision.ts';
import type { EventBody } from './event.ts';
import { failed, green, type Played, play, red, specOf, type World } from './testing/play.ts';
import type { Verdict } from './verdict.ts';

type Ending = Extract<Decision, { kind: 'end-run' }>;
const last = ({ decisions }: Played) => decisions.at(-1) as Ending;
const ended = ({ state }: Played) => `${state.ended?.status} ${state.ended?.code} ${state.ended?.iterations}`;
const also = (played: Played) => last(played).because.also.map((one) => one.code);

const failing = (n: number) => Array.from({ length: Math.max(1, n) }, (_, at) => `t${at}`);
/** One finding fewer with every iteration: never stuck. */
const busy: World = { turn: (n) => ({ tree: `t${n}` }), judge: (_, __, n) => failed(failing(200 - n)) };
const claiming = (claims: (n: number) => boolean, tree?: (n: number) => string): World => ({
  turn: (n) => ({ ...(tree ? { tree: tree(n) } : {}), claim: claims(n) }),
  judge: () => failed(['a', 'b']),
});
const unable: Verdict = {
  kind: 'unable',
  fault: { code: 'gate.missing', message: 'vitest was not found', retry: 'never' },
};
const timedOut: Verdict = { kind: 'timed-out', afterMs: 60_000, excerpt: '' };
const soft = { run: 'y', severity: 'soft' };

describe('who stopped the run', () => {
  const stoppedBy = (event: Partial<EventBody>) => {
    let told = false;
    return play(specOf(), {
      ...busy,
      happens: ({ iteration }) => {
        if (told || iteration < 1) return undefined;
        told = true;
        return { kind: 'stop.requested', ...event } as EventBody;
      },
    });
  };
  it.each([
    [{ by: 'command' }, 'stopped by agentgate stop'],
    [{ by: 'api' }, 'stopped by the program that runs it'],
    [{ by: 'SIGINT' }, 'stopped by SIGINT'],
    [{ by: 'command', note: 'lunch' }, 'stopped by agentgate stop: lunch'],
    [{ by: 'command', who: 'agentgate plan stop' }, 'stopped by agentgate plan stop'],
    [{ by: 'api', who: 'somebody at the server', note: 'lunch' }, 'stopped by somebody at the server: lunch'],
  ] as const)('%j: %s', (event, reason) => {
    const played = stoppedBy(event);
    expect(last(played)).toMatchObject({ status: 'stopped', because: { code: 'user.stop', reason } });
    expect(last(played).because.evidence).toEqual({ by: event.by });
  });
});

describe('a gate that could not run', () => {
  const verdicts =
    (unableIn: readonly number[]): World['judge'] =>
    (_, __, n) =>
      unableIn.includes(n) ? unable : failed(failing(20 - n));
  it('for one iteration, with a real failure between, ends nothing', () => {
    const spec = specOf({ limits: { iterations: 6 } });
    expect(ended(play(spec, { ...busy, judge: verdicts([1, 3, 5]) }))).toBe('diverged limit.iterations 6');
    expect(ended(play(spec, { ...busy, judge: verdicts([2, 3]) }))).toBe('error error.gate 3');
  });
  it('and is soft ends nothing either', () => {
    const gates = { tests: 'x', lint: soft };
    const world: World = {
      ...busy,
      judge: (gate, _, n) => (gate === 'lint' && n > 0 ? unable : failed(failing(20 - n))),
    };
    expect(ended(play(specOf({ gates, limits: { iterations: 4 } }), world))).toBe(
      'diverged limit.iterations 4',
    );
  });
});

describe('the rules of a gate', () => {
  it.each<[string, Record<string, unknown>, World['judge'], string]>([
    ['count a time-out as a failure', { onFailure: 'stop' }, () => timedOut, 'diverged gate.stop 1'],
    ['count time-outs as attempts', { maxAttempts: 2 }, () => timedOut, 'diverged gate.attempts 2'],
    [
      'do not hold for a soft gate',
      { severity: 'soft', onFailure: 'stop' },
      (_, __, n) => failed(failing(20 - n)),
      'diverged limit.iterations 4',
    ],
    [
      'count only failures in a row',
      { maxAttempts: 3 },
      (_, __, n) => (n === 2 ? green : failed(failing(20 - n))),
      'diverged limit.iterations 4',
    ],
  ])('%s', (_, rules, judge, expected) => {
    const gates = { lint: { run: 'x', ...rules }, tests: 'y' };
    const world: World = {
      ...busy,
      judge: (gate, tree, n, attempt) =>
        gate === 'lint' ? judge(gate, tree, n, attempt) : failed(failing(50 - n)),
    };
    expect(ended(play(specOf({ gates, limits: { iterations: 4 } }), world))).toBe(expected);
  });
});

describe('claims', () => {
  const three = { limits: { iterations: 3 }, stuck: 'off', detectors: { enabled: false } };
  const [always, same] = [() => true, () => 'same'];
  it.each<[string, Record<string, unknown>, World, string]>([
    ['two on one tree are no lie yet', { limits: { iterations: 2 } }, claiming(always, same), 'limit'],
    ['three on one tree are', {}, claiming(always, same), 'agent.false-claim'],
    ['three on three trees are not', {}, claiming(always, (n) => `t${n}`), 'limit'],
    ['the tree must be the same each time', {}, claiming(always, (n) => (n < 3 ? 'same' : 't')), 'limit'],
    ['one that is not made breaks the row', {}, claiming((n) => n !== 2, same), 'limit'],
    ['what is not claimed now is not refuted now', {}, claiming((n) => n !== 3, same), 'limit'],
    ['a person or a number decides instead', { strategy: 'fixed' }, claiming(always, same), 'limit'],
    ['agents that claim nothing do not lie', {}, claiming(() => false, same), 'limit'],
  ])('%s', (_, fields, world, code) => {
    expect(last(play(specOf({ ...three, ...fields }), world)).because.code).toMatch(new RegExp(`^${code}`));
  });

  it('count from when a person went on', () => {
    const spec = specOf({ ...three, limits: { iterations: 9 } });
    const first = play(spec, claiming(always, same));
    expect(ended(first)).toBe('diverged agent.false-claim 3');
    expect(ended(play(spec, claiming(always, same), first.events, 'r2'))).toBe(
      'diverged agent.false-claim 6',
    );
  });
  it('on a tree of which only soft gates are red are not refuted', () => {
    const gates = { tests: 'x', lint: soft };
    const world = { ...claiming(always, same), judge: (gate: string) => (gate === 'tests' ? green : red()) };
    const played = play(specOf({ gates, ...three }), world);
    expect(ended(played)).toMatch(/^converged goal\.hard-only/);
    expect(also(played)).not.toContain('agent.false-claim');
    expect(also(played)).not.toContain('agent.unverified-claim');
  });
});

describe('everything else that held', () => {
  it('is told in the order of deciding', () => {
    const stopped = play(specOf({ limits: { iterations: 2, tokens: 10, cost: '1usd' }, stuck: 'off' }), {
      turn: (n) => ({ ...(n === 2 ? { giveUp: 'no' } : {}), tokens: 8, costUsd: 0.5 }),
      judge: () => failed(['a']),
      stops: (n, { current }) => n === 2 && current?.verdicts.size === 1,
    });
    expect(last(stopped).because.code).toBe('user.stop');
    expect(also(stopped)).toEqual([
      'agent.gave-up',
      'no-progress.no-changes',
      'limit.iterations',
      'limit.tokens',
      'limit.cost',
    ]);
  });
  it('names a spent move once, though its detector sees the same again', () => {
    const played = play(
      specOf({ stuck: { moves: ['differently'] }, detectors: { 'snapshot-repeat': { window: 2 } } }),
      {
        turn: () => ({}),
        judge: () => failed(['a', 'b']),
      },
    );
    expect(last(played).because.code).toBe('loop.snapshot-repeat');
    expect(also(played)).toEqual(['no-progress.no-changes']);
  });
});

describe('a build that the clock cut', () => {
  it('ends the run for its time, and one cut by words does not', () => {
    const cut = (by: 'wall-clock' | 'redirect'): World => ({
      ...busy,
      turn: (n) => (n === 2 ? { tree: 't2', end: { kind: 'aborted', by } } : { tree: `t${n}` }),
    });
    const spec = specOf({ limits: { iterations: 4 } });
    expect(ended(play(spec, cut('wall-clock')))).toBe('diverged limit.wall-clock 2');
    expect(ended(play(spec, cut('redirect')))).toBe('diverged limit.iterations 4');
  });
});

describe('limits', () => {
  it.each([
    [{ tokens: 40 }, 4],
    [{ tokens: 41 }, 5],
    [{ cost: '2usd' }, 4],
    [{ cost: '2.01usd' }, 5],
    [{ iterations: 4 }, 4],
  ])('%j binds after iteration %i and not before', (limits, iterations) => {
    const played = play(specOf({ limits }), {
      ...busy,
      turn: (n) => ({ tree: `t${n}`, tokens: 10, costUsd: 0.5 }),
    });
    expect(played.state.ended?.iterations).toBe(iterations);
  });
});

describe('a soft gate that is never ready', () => {
  const gates = { tests: 'x', review: { ...soft }, other: { ...soft } };
  const pending: Verdict = { kind: 'pending', retryAfterMs: 2_000 };
  it('is left at that after the longest wait, and the run says so', () => {
    const played = play(specOf({ gates, limits: { maxWait: '6s' } }), {
      ...busy,
      judge: (gate, _, n) => (n === 0 ? failed(['a']) : gate === 'tests' ? green : pending),
    });
    expect(ended(played)).toBe('converged goal.hard-only 1');
    expect(played.decisions.filter((one) => one.kind === 'wait')).toHaveLength(3);
    expect(last(played).because.also[0]).toEqual({
      code: 'awaiting-gate',
      reason: 'review, other is still pending after the longest wait allowed',
      confidence: 1,
      evidence: { gates: ['review', 'other'], waitedMs: 6_000 },
    });
  });
});

describe('builds that prove nothing', () => {
  it('do not count among idle ones when we cut them short', () => {
    const played = play(specOf({ stuck: 'off' }), {
      turn: (n) => (n <= 2 ? { end: { kind: 'interrupted' } } : n === 3 ? {} : { tree: 'done' }),
      judge: (_, tree) => (tree === 'done' ? green : failed(['a', 'b'])),
    });
    expect(ended(played)).toBe('converged goal.met 4');
  });
  it('complete no round of trees when they failed and were not judged', () => {
    const trees = ['', 'A', 'B', 'A', 'B', 'done'];
    const played = play(specOf({ stuck: 'off', strategy: { kind: 'ralph', max: 6 } }), {
      turn: (n) => ({
        tree: trees[n]!,
        ...(n === 4 ? { end: { kind: 'failed' as const, detail: 'it exited with 1' } } : {}),
      }),
      judge: (_, tree) => (tree === 'done' ? green : failed(['a', 'b'])),
    });
    expect(ended(played)).toBe('converged goal.met 5');
  });
});
