import type { Finding, GateRequest, Sealed, TestCase, Verdict } from '@agentgate/core';
import { describe, expect, it } from 'vitest';
import { gateFrom, runOf } from '../gates/testing.ts';
import { judgeOften } from './flaky.ts';

const red = (...ids: string[]): Verdict => ({
  kind: 'failed',
  findings: ids.map((id) => ({ id, title: id })),
  excerpt: '',
});
const green: Verdict = { kind: 'passed' };
const broken: Verdict = {
  kind: 'failed',
  findings: [{ id: 'exit:2', title: 'exited with 2', synthetic: true }],
  excerpt: '',
};

/** Judges with these answers, one after the other. */
async function judged(
  flaky: unknown,
  answers: Verdict[],
  nowMs = 0,
): Promise<{ flaky: string[]; times: number }> {
  const request: GateRequest = {
    gate: gateFrom({ run: 'x', ...(flaky === undefined ? {} : { flaky }) }),
    root: '/',
    run: runOf(),
    timeoutMs: 1_000,
    marker: 'm',
    signal: new AbortController().signal,
  };
  let times = 0;
  const once = async (): Promise<Sealed> => {
    times += 1;
    return { verdict: answers[times - 1]!, tookMs: 10, output: '' };
  };
  const { verdict, tookMs } = await judgeOften(request, nowMs, once);
  expect(tookMs).toBe(10 * times);
  const found = verdict.kind === 'failed' ? verdict.findings.filter((one) => one.flaky) : [];
  return { flaky: found.map((one) => one.id), times };
}

describe('what fails is tried again', () => {
  it.each<[string, Verdict[], string[]]>([
    ['and is flaky when it passes then', [red('a', 'b'), red('b'), red('b')], ['a']],
    ['and is flaky when it passes in any other try', [red('a', 'b'), red('a', 'b'), red('a')], ['b']],
    ['and is a fault when it fails each time', [red('a'), red('a'), red('a')], []],
    ['and everything is flaky when all is green then', [red('a', 'b'), green], ['a', 'b']],
    ['and a try that shows nothing proves nothing', [red('a'), broken, broken], []],
    [
      'and a try that could not run proves nothing',
      [red('a'), { kind: 'timed-out', afterMs: 1, excerpt: '' }, red('a')],
      [],
    ],
  ])('%s', async (_, answers, flaky) => {
    expect(await judged({ rerun: 2 }, answers)).toEqual({ flaky, times: answers.length });
  });

  it('but never what passed: a green is not a second chance', async () => {
    expect(await judged({ rerun: 2 }, [green])).toEqual({ flaky: [], times: 1 });
  });

  it('but not where the gate does not ask for it', async () => {
    expect(await judged(undefined, [red('a')])).toEqual({ flaky: [], times: 1 });
  });

  it('but no longer when its quarantine is over', async () => {
    const flaky = { rerun: 2, quarantineUntil: '2026-06-01' };
    expect((await judged(flaky, [red('a')], Date.parse('2026-06-01'))).times).toBe(1);
    expect((await judged(flaky, [red('a'), green], Date.parse('2026-05-31'))).flaky).toEqual(['a']);
  });
});

describe('where a runner can pick tests', () => {
  type Try = { cases: Record<string, TestCase['status']>; picked?: true };
  async function tried(first: Verdict, tries: Try[]) {
    const asked: (string[] | 'all')[] = [];
    const request = {
      gate: gateFrom({ run: 'x', flaky: { rerun: 2 } }),
      signal: new AbortController().signal,
    } as GateRequest;
    const once = async (only?: readonly Finding[]): Promise<Sealed> => {
      asked.push(only ? only.map((one) => one.id) : 'all');
      if (asked.length === 1) return { verdict: first, tookMs: 1, output: '' };
      const { cases, picked } = tries[asked.length - 2]!;
      const list = Object.entries(cases).map(([id, status]) => ({ id, status }));
      const failing = list.filter((one) => one.status === 'failed').map((one) => one.id);
      const verdict = failing.length > 0 ? red(...failing) : green;
      return { verdict, tookMs: 1, output: '', cases: list, ...(picked ? { picked } : {}) };
    };
    const { verdict } = await judgeOften(request, 0, once);
    const found = verdict.kind === 'failed' ? verdict.findings.filter((one) => one.flaky) : [];
    return { asked, flaky: found.map((one) => one.id) };
  }

  it('only what failed is tried again, and what passed once is not tried a third time', async () => {
    const tries: Try[] = [
      { picked: true, cases: { a: 'passed', b: 'failed' } },
      { picked: true, cases: { b: 'failed' } },
    ];
    expect(await tried(red('a', 'b'), tries)).toEqual({ asked: ['all', ['a', 'b'], ['b']], flaky: ['a'] });
  });

  it('a green that did not run the test proves nothing: then all is tried', async () => {
    const tries: Try[] = [
      { picked: true, cases: { other: 'passed' } },
      { cases: { a: 'failed' } },
      { picked: true, cases: { a: 'skipped' } },
      { cases: { a: 'failed' } },
    ];
    expect(await tried(red('a'), tries)).toEqual({ asked: ['all', ['a'], 'all', ['a'], 'all'], flaky: [] });
  });
});
