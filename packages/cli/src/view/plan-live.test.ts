import { foldPlan, type PlanEvent, type PlanEventBody, parsePlan } from '@agentgate/core';
import { describe, expect, it } from 'vitest';
import type { Terminal } from '../terminal.ts';
import { planView } from './plan-live.ts';

const lines: string[] = [];
const terminal = {
  live: false,
  width: 80,
  out: (text: string) => lines.push(text),
  status: () => undefined,
  colors: { dim: (text: string) => text },
} as unknown as Terminal;

/** What is shown of these facts, each with the state that it led to. */
function shown(bodies: readonly PlanEventBody[], flags: Parameters<typeof planView>[1] = {}): string {
  lines.length = 0;
  const view = planView(terminal, flags);
  let state: ReturnType<typeof foldPlan> | undefined;
  for (const [at, body] of bodies.entries()) {
    const event = { v: 1, seq: at + 1, at: new Date(at).toISOString(), ...body } as PlanEvent;
    state = foldPlan([event], state);
    view.onEvent?.(event, state);
  }
  return lines.join('\n');
}

const parsed = parsePlan({ items: [{ id: 'a', task: 'a' }] });
if (parsed.kind === 'invalid') throw new Error('the plan is good');
const because = { code: 'goal.met', reason: 'gates met', confidence: 1, evidence: {} };
const run = { kind: 'run-item', item: 'a', attempt: 1, runId: 'r1', from: null, since: 0 } as const;
const bodies: PlanEventBody[] = [
  {
    kind: 'plan.started',
    planId: 'p',
    version: '0',
    root: '/w',
    file: 'plan.yaml',
    plan: parsed.plan,
    hash: 'h',
  },
  { kind: 'session.started', session: 1, pid: 1, version: '0' },
  {
    kind: 'plan.decided',
    decision: { ...run, approach: 'first', iterations: 5, place: 'workspace', because },
  },
  {
    kind: 'item.ended',
    item: 'a',
    attempt: 1,
    runId: 'r1',
    outcome: {
      status: 'converged',
      code: 'goal.met',
      reason: 'gates met',
      iterations: 1,
      activeMs: 1,
      tokens: null,
      costUsd: null,
      tests: 3,
      tree: 't',
      before: 's',
      left: 't',
      commit: null,
      failures: [0],
      failureKey: '',
      work: 't',
      failing: [],
      soft: [],
      paths: [],
      summary: '',
      gaveUp: null,
    },
  },
  { kind: 'plan.decided', decision: { kind: 'settle', item: 'a', status: 'done', because } },
];

const block = [
  'Convergence check: a',
  'Hard gates: PASS (none fails)',
  'Soft gates: PASS (none fails)',
  'Inner iterations: 1/5',
  'Decision: DONE',
  '',
  'Plan progress: 1/1 tasks DONE',
  'Session budget: 1/20',
].join('\n');

describe('a plan as it happens', () => {
  it('shows the check of each item behind its line when it is settled', () => {
    expect(shown(bodies)).toContain(`a: DONE in 1 iteration (3 tests) [-]\n\n${block}\n`);
    expect(shown(bodies.slice(0, -1))).not.toContain('Convergence check');
  });
  it('shows the check of an alternative that was given up, too', () => {
    const group = parsePlan({ items: [{ id: 'g', alternatives: [{ id: 'a', task: 'a' }] }] });
    if (group.kind === 'invalid') throw new Error('the plan is good');
    const [start, ...rest] = bodies.slice(0, -1);
    const begun = { ...start, plan: group.plan } as PlanEventBody;
    const decision = { kind: 'choose', group: 'g', from: 'a', to: null, because } as const;
    const text = shown([begun, ...rest, { kind: 'plan.decided', decision }]);
    expect(text).toMatch(/gates met\n\nConvergence check: a\n[^]*Decision: FORCE_STOP/);
  });
  it.each([
    ['awaiting-answer', 'agentgate plan redirect --override a --say ANSWER, then agentgate plan run.'],
    [
      'awaiting-approval',
      'agentgate approve --run r1, or agentgate reject --run r1, then agentgate plan run.',
    ],
    ['awaiting-gate', 'agentgate plan run, when what is waited for is there.'],
  ])('says how a person answers what waits: %s', (code, next) => {
    const bodiesOf = bodies
      .slice(0, -1)
      .map((body) =>
        body.kind === 'item.ended'
          ? { ...body, outcome: { ...body.outcome, status: 'suspended' as const, code, reason: 'which?' } }
          : body,
      );
    const ended = { status: 'blocked', code: 'plan.waiting', reason: 'a waits', activeMs: 1 } as const;
    const text = shown([...bodiesOf, { kind: 'session.ended', ...ended }]);
    expect(text.split('\n').slice(-2)).toEqual([
      'blocked: a waits',
      `Next: blocked (budget: 1/20 iterations used): ${next}`,
    ]);
    expect(text.match(/^Next:/gm)).toHaveLength(1);
  });
  it('shows it to a machine as a value, and not to whoever wants it quiet', () => {
    expect(shown(bodies, { json: true })).toContain('{"kind":"plan.check","id":"a"');
    expect(shown(bodies, { quiet: true })).toBe('');
  });
});
