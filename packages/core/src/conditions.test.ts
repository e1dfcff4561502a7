import { describe, expect, it } from 'vitest';
import type { Decision } from './decision.ts';
import { failed, green, type Played, play, specOf, type World } from './testing/play.ts';
import type { Verdict } from './verdict.ts';

type Ending = Extract<Decision, { kind: 'end-run' }>;
const last = ({ decisions }: Played) => decisions.at(-1) as Ending;

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
const soft = { run: 'y', severity: 'soft' };

/** How each ending reads: the run, then its status, code, reason, action, confidence and evidence. */
interface Row {
  name: string;
  spec?: Record<string, unknown>;
  world: World;
  status: string;
  because: Record<string, unknown>;
}

const rows: Row[] = [
  {
    name: 'a gate that could not run in two iterations in a row',
    world: { ...busy, judge: (_, __, n) => (n === 0 ? failed(['a']) : unable) },
    status: 'error',
    because: {
      code: 'error.gate',
      reason: 'gate tests could not run in 2 iterations: vitest was not found',
      action: 'fail',
      confidence: 1,
      evidence: { gate: 'tests', fault: 'gate.missing' },
    },
  },
  {
    name: 'every gate passed, those for persons aside',
    spec: { gates: { tests: 'x', lint: soft, later: { ...soft, when: 'manual' } } },
    world: { ...busy, judge: (_, __, n) => (n === 0 ? failed(['a']) : green) },
    status: 'converged',
    because: {
      code: 'goal.met',
      reason: 'every gate passed: tests, lint',
      action: 'complete',
      confidence: 1,
      evidence: { gates: ['tests', 'lint'], tree: 't1' },
    },
  },
  {
    name: 'a gate whose rule is to stop',
    spec: { gates: { lint: { run: 'x', onFailure: 'stop' } } },
    world: busy,
    status: 'diverged',
    because: {
      code: 'gate.stop',
      reason: 'gate lint failed, and its rule is to stop',
      action: 'fail',
      confidence: 1,
      evidence: { gate: 'lint', attempts: 1 },
    },
  },
  {
    name: 'a gate that has used its attempts',
    spec: { gates: { tests: { run: 'x', maxAttempts: 3 } } },
    world: busy,
    status: 'diverged',
    because: {
      code: 'gate.attempts',
      reason: 'gate tests failed 3 times, its limit',
      action: 'fail',
      confidence: 1,
      evidence: { gate: 'tests', attempts: 3, maxAttempts: 3 },
    },
  },
  {
    name: 'an agent that gives up',
    world: { ...busy, turn: (n) => ({ tree: `t${n}`, giveUp: 'no compiler here' }) },
    status: 'diverged',
    because: {
      code: 'agent.gave-up',
      reason: 'the agent gave up: no compiler here',
      action: 'fail',
      confidence: 1,
      evidence: { said: 'no compiler here' },
    },
  },
  {
    name: 'a claim that no hard gate can confirm',
    spec: { gates: { lint: soft } },
    world: { ...busy, turn: (n) => ({ tree: `t${n}`, claim: true }) },
    status: 'stopped',
    because: {
      code: 'agent.unverified-claim',
      reason: 'the agent says it is done (DONE), and no hard gate can confirm or refute it',
      action: 'fail',
      confidence: 0.95,
      evidence: { signal: 'DONE' },
    },
  },
  {
    name: 'the third claim on one tree',
    world: claiming(
      () => true,
      () => 'same',
    ),
    status: 'diverged',
    because: {
      code: 'agent.false-claim',
      reason: 'the agent said it was done 3 times on an unchanged tree, and the gates refute it',
      action: 'fail',
      confidence: 0.95,
      evidence: { claims: 3, tree: 'same' },
    },
  },
  {
    name: 'a claim that ends the run by a criterion',
    spec: { strategy: { kind: 'hybrid', criteria: ['agent-signal'] } },
    world: claiming(
      () => true,
      (n) => `t${n}`,
    ),
    status: 'diverged',
    because: {
      code: 'agent.false-claim',
      reason: 'the agent said it was done, which ends this run, and the gates refute it',
      action: 'fail',
      confidence: 0.95,
      evidence: { claims: 1 },
    },
  },
  {
    name: 'a person who says stop',
    spec: { strategy: 'manual' },
    world: { ...busy, answers: () => ({ answer: 'stop' }) },
    status: 'stopped',
    because: { code: 'user.stop', reason: 'a person says: stop', action: 'fail', confidence: 1 },
  },
  {
    name: 'nobody who says anything',
    spec: { strategy: { kind: 'manual', timeout: '1m' } },
    world: busy,
    status: 'stopped',
    because: {
      code: 'user.no-answer',
      reason: 'nobody answered in time, and the default is: stop',
      action: 'fail',
      confidence: 1,
    },
  },
  {
    name: 'the last move of the ladder without effect',
    spec: { stuck: { moves: ['differently'] } },
    world: { ...busy, turn: () => ({}), judge: () => failed(['a', 'b']) },
    status: 'diverged',
    because: {
      code: 'no-progress.no-changes',
      reason:
        'still no-progress.no-changes after "try differently": 2 iterations without progress; tried: try differently after iteration 2: no effect',
      action: 'fail',
      confidence: 0.9,
      evidence: { move: 'differently', dry: 2, moves: ['differently'] },
    },
  },
  {
    name: 'iterations, by the limit of the run',
    spec: { limits: { iterations: 4 } },
    world: busy,
    status: 'diverged',
    because: {
      code: 'limit.iterations',
      reason: '4 of 4 iterations are used',
      action: 'timeout',
      confidence: 1,
      evidence: { used: 4, limit: 4, bound: 'limits.iterations' },
    },
  },
  {
    name: 'iterations, by the cap of the strategy',
    spec: { strategy: { kind: 'fixed', iterations: 2 } },
    world: busy,
    status: 'diverged',
    because: {
      code: 'limit.iterations',
      reason: '2 of 2 iterations are used',
      evidence: { used: 2, limit: 2, bound: 'strategy.iterations' },
    },
  },
  {
    name: 'time',
    spec: { limits: { wallClock: '90030ms' } },
    world: { ...busy, turn: (n) => ({ tree: `t${n}`, tookMs: 45_000 }) },
    status: 'diverged',
    because: {
      code: 'limit.wall-clock',
      reason: 'the time is used: 1m 30s of 1m 30s',
      action: 'timeout',
      evidence: { usedMs: 90_030, limitMs: 90_030 },
    },
  },
  {
    name: 'tokens',
    spec: { limits: { tokens: '30k' } },
    world: { ...busy, turn: (n) => ({ tree: `t${n}`, tokens: 16_000 }) },
    status: 'diverged',
    because: {
      code: 'limit.tokens',
      reason: '32k of 30k tokens are used',
      action: 'timeout',
      evidence: { used: 32_000, limit: 30_000 },
    },
  },
  {
    name: 'money, of which 10 and 70 cents make 80',
    spec: { limits: { cost: '0.80usd' } },
    world: { ...busy, turn: (n) => ({ tree: `t${n}`, costUsd: n === 1 ? 0.1 : 0.7 }) },
    status: 'diverged',
    because: {
      code: 'limit.cost',
      reason: '$0.80 of $0.80 are spent',
      action: 'timeout',
      evidence: { usedUsd: expect.closeTo(0.8), limitUsd: 0.8 },
    },
  },
  {
    name: 'a strategy that sees no progress',
    spec: { strategy: { kind: 'hybrid', base: 1, bonus: 2 } },
    world: { ...busy, judge: () => failed(['a', 'b']) },
    status: 'diverged',
    because: {
      code: 'strategy.no-progress',
      reason: 'no sufficient progress (0.0 %)',
      action: 'fail',
      confidence: 0.7,
      evidence: { base: 1, bonus: 2, used: 0 },
    },
  },
];

describe('what ends a run, in its words', () => {
  it.each(rows.map((row) => [row.name, row] as const))('%s', (_, { spec, world, status, because }) => {
    const played = play(specOf(spec), world);
    expect(last(played).status).toBe(status);
    expect(last(played).because).toMatchObject(because);
  });
});
