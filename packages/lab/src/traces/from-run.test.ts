import { describe, expect, it } from 'vitest';
import {
  type Event,
  type EventBody,
  eventVersion,
  parseSpec,
  type RunSpec,
  type Verdict,
} from '@agentgate/core';
import { anonymous } from './anonymous.ts';
import { traceOf } from './from-run.ts';
import { parseTrace } from './read-traces.ts';

const secret = 'ZEBRA';
const specOf = (more: Record<string, unknown> = {}): RunSpec => {
  const parsed = parseSpec({
    task: `${secret} task`,
    agent: { run: ['./ZEBRA-agent.sh', 'ZEBRA'] },
    gates: { [`${secret}-tests`]: `run ${secret}`, types: { run: 'x', severity: 'soft' } },
    strategy: { kind: 'fixed', iterations: 3 },
    ...more,
  });
  if (parsed.kind === 'invalid') throw new Error(JSON.stringify(parsed.problems));
  return { ...parsed.spec, task: String(parsed.task) };
};
const failed = (...ids: string[]): Verdict => ({
  kind: 'failed',
  findings: ids.map((id) => ({ id: `${secret} ${id}`, title: `${secret} ${id}` })),
  tests: { passed: 7 - ids.length, failed: ids.length, skipped: 0 },
  excerpt: secret,
});
const passed: Verdict = { kind: 'passed' };

/** The least that a run records, iteration by iteration. */
function run(
  verdicts: readonly Verdict[],
  ending: Partial<Extract<EventBody, { kind: 'run.ended' }>>,
  spec = specOf(),
) {
  const events: Event[] = [];
  const add = (body: EventBody) =>
    events.push({ ...body, v: eventVersion, seq: events.length + 1, at: '2026-01-01T00:00:00.000Z' });
  const because = {
    code: 'x',
    reason: secret,
    confidence: 1,
    evidence: {},
    action: 'continue' as const,
    also: [],
  };
  add({
    kind: 'run.started',
    runId: 'r1',
    version: '0',
    root: `/home/${secret}`,
    nonce: 'n',
    spec,
    specHash: '',
    source: secret,
  });
  add({ kind: 'decided', decision: { kind: 'measure-baseline', because } });
  for (const [iteration, verdict] of [failed('a', 'b', 'c'), ...verdicts].entries()) {
    const tree = `${secret}-${iteration}`;
    if (iteration > 0) {
      add({ kind: 'decided', decision: { kind: 'start-iteration', iteration, because } });
      add({ kind: 'agent.started', iteration, marker: 'm', prompt: 'p' });
      add({
        kind: 'agent.ended',
        iteration,
        end: { kind: 'finished' },
        tookMs: 5,
        output: 'ref',
        outputBytes: 40,
        similar: [0.25],
        tokens: 11,
        costUsd: 0.5,
      });
    }
    const changed = { added: 0, modified: 1, deleted: 0, paths: [`${secret}.ts`] };
    add({
      kind: 'snapshot.taken',
      iteration,
      tree,
      work: tree,
      substance: tree,
      changed,
      leftOut: [],
      nested: [],
      tookMs: 1,
    });
    for (const gate of spec.gates) {
      const said = gate.severity === 'soft' ? passed : verdict;
      add({
        kind: 'gate.judged',
        iteration,
        attempt: 1,
        gate: gate.name,
        tree,
        verdict: said,
        tookMs: 2,
        output: null,
      });
    }
    if (iteration === 0)
      add({
        kind: 'tree.confirmed',
        iteration,
        attempt: 1,
        tree,
        after: tree,
        work: tree,
        substance: tree,
        moved: [],
        fresh: [],
      });
  }
  add({
    kind: 'run.ended',
    runId: 'r1',
    status: 'diverged',
    code: 'limit.iterations',
    reason: secret,
    iterations: verdicts.length,
    tree: null,
    best: null,
    caveats: [secret],
    costUsd: 1,
    tokens: 22,
    goalSatisfied: false,
    activeMs: 1,
    ...ending,
  });
  return events;
}
const solved = run([failed('a', 'b'), passed], { status: 'converged', code: 'goal.met' });

describe('a recorded run as a trace', () => {
  it('has an observation for each iteration, the last one green when it converged', () => {
    expect(traceOf(solved)).toMatchObject({
      solved: true,
      mode: 'repair',
      horizon: 3,
      tokensTotal: 22,
      iterations: [
        {
          ok: false,
          failed: 2,
          passed: 5,
          total: 7,
          gate: `${secret}-tests`,
          sim: 0.25,
          tokens: 11,
          outChars: 40,
        },
        { ok: true, score: 1 },
      ],
    });
  });
  it('says what ended a run that was not solved', () => {
    const endOf = (code: string) => traceOf(run([failed('a')], { code }))?.endedBy;
    expect(endOf('limit.iterations')).toBe('horizon');
    expect(endOf('strategy.no-progress')).toBe('policy');
    expect(endOf('loop.oscillation')).toBe('policy');
    expect(endOf('limit.cost')).toBe('other');
  });
  it('keeps the stop that was ignored', () => {
    const events = structuredClone(run([failed('a'), failed('b')], {}));
    for (const event of events)
      if (
        event.kind === 'decided' &&
        event.decision.kind === 'start-iteration' &&
        event.decision.iteration === 2
      )
        event.decision.because = {
          ...event.decision.because,
          code: 'continue.explore',
          evidence: { share: 0.05 },
        };
    expect(traceOf(events)?.ignoredStop).toEqual({ after: 1, share: 0.05 });
  });
  it('is none where nothing was built, or the run is not over', () => {
    expect(traceOf(run([], {}))).toBeNull();
    expect(traceOf(solved.slice(0, -1))).toBeNull();
    expect(traceOf([])).toBeNull();
  });
});

describe('a trace that leaves the machine', () => {
  const key = Buffer.from('key');
  const out = (events: readonly Event[], spec = specOf()) => anonymous(traceOf(events)!, spec.gates, key);
  const strings = (value: unknown): string[] =>
    typeof value === 'string'
      ? [value]
      : typeof value === 'object' && value
        ? Object.values(value).flatMap(strings)
        : [];

  it('holds numbers, kinds and hashes, and no word of anybody', () => {
    const trace = out(solved);
    expect(JSON.stringify(trace).toUpperCase()).not.toContain(secret);
    for (const text of strings(trace))
      expect(text).toMatch(
        /^([0-9a-f]{16}|repair|horizon|policy|other|command-[0-9a-f]{16}|command-\d|build)$/,
      );
  });
  it('tells apart and finds alike what the run did', () => {
    const [first, second] = out(run([failed('a'), failed('a'), failed('b')], {})).iterations;
    expect(first?.failKey).toBe(second?.failKey);
    expect(first?.out).not.toBe(second?.out);
    const third = out(run([failed('a'), failed('a'), failed('b')], {})).iterations[2];
    expect(third?.failKey).not.toBe(first?.failKey);
  });
  it('cannot be guessed without the key, and is the same with it', () => {
    expect(out(solved)).toEqual(out(solved));
    const other = anonymous(traceOf(solved)!, specOf().gates, Buffer.from('another'));
    expect([other.source, other.task]).not.toContain(out(solved).source);
    expect(other.iterations[0]?.failKey).not.toBe(out(solved).iterations[0]?.failKey);
  });
  it('leaves out what a later version may add to an observation', () => {
    const trace = traceOf(solved)!;
    const more = { ...trace, iterations: trace.iterations.map((one) => ({ ...one, note: secret })) };
    expect(JSON.stringify(anonymous(more, specOf().gates, key))).not.toContain(secret);
  });
  it('names agents that everybody knows, and hides their models', () => {
    const spec = specOf({ agent: { kind: 'claude', model: secret } });
    const model = out(run([passed], { status: 'converged' }, spec), spec).model;
    expect(model).toMatch(/^claude-[0-9a-f]{16}$/);
  });
  it('is read back as it was written', () => {
    const trace = out(solved);
    expect(parseTrace(JSON.stringify(trace))).toEqual({ kind: 'trace', trace });
  });
});
