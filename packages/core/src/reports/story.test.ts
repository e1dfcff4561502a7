import { describe, expect, it } from 'vitest';
import { fault } from '../fault.ts';
import { failed, green, type Played, play, specOf, type World } from '../testing/play.ts';
import type { Verdict } from '../verdict.ts';
import { reportJson } from './report.ts';

const moving: World = { turn: (n) => ({ tree: `t${n}` }), judge: () => failed(['a', 'b']) };
const report = ({ events }: Played) => reportJson(events);

describe('the report as data', () => {
  it('tells each decision with the iteration it was made after', () => {
    const { decisions } = report(
      play(specOf({ limits: { iterations: 2 }, stuck: 'off' }), { ...moving, turn: () => ({}) }),
    );
    expect(decisions.map(({ kind, iteration, code }) => `${iteration} ${kind} ${code}`)).toEqual([
      '0 measure-baseline baseline',
      '0 start-iteration begin',
      '1 judge judge',
      '1 start-iteration continue.base',
      '2 judge judge',
      '2 end-run no-progress.no-changes',
    ]);
    expect(decisions.at(-1)).toMatchObject({
      reason: 'the agent changed nothing in iterations 1 to 2',
      action: 'fail',
      confidence: 0.95,
      also: ['limit.iterations'],
    });
  });

  it('counts waits, and keeps notices and answers of strategies', () => {
    const gates = { tests: 'x', review: { kind: 'approval' } };
    const waiting = play(specOf({ gates, limits: { maxWait: '5s' } }), {
      ...moving,
      judge: (gate) => (gate === 'tests' ? green : { kind: 'pending', retryAfterMs: 2_000 }),
    });
    expect(report(waiting).waits).toEqual({ times: 3, ms: 5_000 });
    expect(report(waiting).notices).toMatchObject([{ about: 'waiting', iteration: 1, gates: ['review'] }]);
    const asked = play(specOf({ strategy: { kind: 'custom', module: 's.mjs', max: 3 } }), moving);
    expect(report(asked).advice.map((one) => one.iteration)).toEqual([1, 2]);
  });

  it('keeps faults and how the run ended for them', () => {
    let told = false;
    const broken = play(specOf(), {
      ...moving,
      happens: ({ iteration }) => {
        if (told || iteration < 1) return undefined;
        told = true;
        return { kind: 'fault.raised', phase: 'build', iteration, fault: fault('agent.missing', 'no agent') };
      },
    });
    expect(report(broken)).toMatchObject({
      faults: [{ phase: 'build', fault: { code: 'agent.missing' } }],
      outcome: { status: 'error', code: 'error.build', reason: 'no agent', goalSatisfied: false },
      elsewhere: { finalResult: 'error', run: 'failed_build' },
    });
  });

  it('says what was used of each limit, and that there is none', () => {
    const turn: World['turn'] = (n) => ({ tree: `t${n}`, tokens: 100, costUsd: 0.5, tookMs: 1_000 });
    const limits = { iterations: 2, tokens: 5_000, wallClock: '1h' };
    expect(report(play(specOf({ limits }), { ...moving, turn })).budget).toEqual({
      iterations: { used: 2, limit: 2, bound: 'limits.iterations' },
      activeMs: { used: 2_030, limit: 3_600_000 },
      tokens: { used: 200, limit: 5_000 },
      costUsd: { used: 1, limit: null },
    });
  });

  it('lists what still fails, with the gate’s own word where no finding is named', () => {
    const unable: Verdict = { kind: 'unable', fault: fault('gate.missing', 'no vitest') };
    const gates = {
      tests: 'x',
      lint: { run: 'y', severity: 'soft' },
      ok: 'z',
      later: { run: 'm', severity: 'soft', when: 'manual' },
    };
    const played = play(specOf({ gates, limits: { iterations: 1 } }), {
      ...moving,
      judge: (gate, _, n) => (gate === 'ok' ? green : gate === 'lint' && n > 0 ? unable : failed(['a', 'b'])),
    });
    expect(report(played)).toMatchObject({
      judgedIn: 1,
      failing: [
        {
          gate: 'tests',
          severity: 'hard',
          verdict: 'failed',
          detail: '',
          findings: [{ id: 'a' }, { id: 'b' }],
        },
        { gate: 'lint', severity: 'soft', verdict: 'unable', detail: 'no vitest', findings: [] },
      ],
    });
  });

  it('tells of each iteration how long building and judging took, and why it was left', () => {
    const gates = { tests: 'x', lint: 'y' };
    const { iterations } = report(
      play(specOf({ gates, limits: { iterations: 2 } }), {
        ...moving,
        turn: (n) => ({ tree: `t${n}`, tookMs: n * 100, claim: n === 2 }),
      }),
    );
    expect(iterations).toMatchObject([
      { iteration: 0, build: null, buildMs: 0, gatesMs: 20, claim: null, fixed: [], broken: [] },
      {
        iteration: 1,
        build: 'finished',
        buildMs: 100,
        gatesMs: 20,
        because: { code: 'continue.base', reason: 'base 1 of 3' },
      },
      { iteration: 2, buildMs: 200, gatesMs: 20, claim: 'DONE', because: { code: 'limit.iterations' } },
    ]);
    expect(iterations[1]?.changed).toEqual({ added: 0, modified: 1, deleted: 0 });
    expect(iterations[1]?.gates['lint']).toEqual({
      verdict: 'failed',
      passed: false,
      severity: 'hard',
      findings: 2,
      level: 0,
    });
  });
});
