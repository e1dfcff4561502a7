import { SaxesParser } from 'saxes';
import { describe, expect, it } from 'vitest';
import { failed, green, play, specOf } from '../testing/play.ts';
import type { Verdict } from '../verdict.ts';
import { reportJunit } from './junit.ts';

interface Read {
  suites: Record<string, Record<string, string>>;
  /** `suite/case` with how it ended. */
  cases: Record<string, string>;
  total: Record<string, string>;
}

/** Reads the report the way a CI does; throws where it is not XML. */
function read(text: string): Read {
  const parser = new SaxesParser();
  const found: Read = { suites: {}, cases: {}, total: {} };
  let at = '';
  parser.on('opentag', ({ name, attributes }) => {
    const of = attributes as Record<string, string>;
    if (name === 'testsuites') found.total = of;
    if (name === 'testsuite') found.suites[of['name']!] = of;
    if (name === 'testcase') found.cases[(at = `${of['classname']}/${of['name']}`)] = 'passed';
    if (name === 'failure' || name === 'error' || name === 'skipped') found.cases[at] = name;
  });
  parser.on('error', (error) => {
    throw error;
  });
  parser.write(text).close();
  return found;
}

/** A run whose gates answer from a table: one row per iteration, the last one repeated. */
function run(gates: Record<string, unknown>, table: Record<string, Verdict>[], iterations = 3) {
  const spec = specOf({ gates, strategy: { kind: 'fixed', iterations } });
  return play(spec, {
    turn: (iteration) => ({ tree: `t${iteration}` }),
    judge: (gate, _tree, iteration) => table[Math.min(iteration, table.length - 1)]![gate]!,
  }).events;
}

describe('a JUnit report', () => {
  it('has a suite per gate and a case per finding that fails or ever failed', () => {
    const events = run({ tests: 'x', lint: 'y' }, [
      { tests: failed(['a', 'b']), lint: green },
      { tests: failed(['b', 'c']), lint: green },
    ]);
    const { cases, suites, total } = read(reportJunit(events));
    expect(cases).toEqual({
      'tests/a': 'passed',
      'tests/b': 'failure',
      'tests/c': 'failure',
      'lint/lint': 'passed',
      'agentgate/outcome': 'failure',
    });
    expect(suites['tests']).toMatchObject({ tests: '3', failures: '2', errors: '0', skipped: '0' });
    expect(total).toMatchObject({ tests: '5', failures: '3' });
  });
  it('has no failure when the run converged, soft gates and old findings included', () => {
    const events = run(
      {
        tests: { run: 'x', baseline: 'no-new' },
        taste: { run: 'y', severity: 'soft' },
        slow: { run: 'z', severity: 'soft' },
      },
      [
        { tests: failed(['old']), taste: failed(['t']), slow: green },
        { tests: failed(['old', 'new']), taste: failed(['t']), slow: green },
        {
          tests: failed(['old']),
          taste: failed(['t']),
          slow: { kind: 'timed-out', afterMs: 5, excerpt: '' },
        },
      ],
    );
    const { cases, total } = read(reportJunit(events));
    expect(total).toMatchObject({ failures: '0', errors: '0' });
    expect(cases).toMatchObject({
      'tests/old': 'skipped',
      'tests/new': 'passed',
      'taste/t': 'skipped',
      'slow/slow': 'skipped',
      'agentgate/outcome': 'passed',
    });
  });
  it('tells what could not run, ran out of time or was not ready from what failed', () => {
    const events = run({ a: 'x', b: 'x', c: 'x', d: 'x' }, [
      { a: failed(['f']), b: green, c: green, d: failed(['g']) },
      {
        a: { kind: 'unable', fault: { code: 'program.missing', message: 'no <x>', retry: 'never' } },
        b: { kind: 'timed-out', afterMs: 1000, excerpt: 'so far' },
        c: { kind: 'pending', retryAfterMs: 1, note: 'later' },
        d: failed(['g']),
      },
    ]);
    expect(read(reportJunit(events)).cases).toEqual({
      'a/a': 'error',
      'a/f': 'skipped',
      'b/b': 'error',
      'c/c': 'skipped',
      'd/g': 'failure',
      'agentgate/outcome': 'failure',
    });
  });
  it('takes what cannot be seen for neither green nor red', () => {
    const events = run({ tests: 'x' }, [
      { tests: failed(['a', 'b']) },
      { tests: failed(['load'], { load: true }) },
    ]);
    expect(read(reportJunit(events)).cases).toEqual({
      'tests/a': 'skipped',
      'tests/b': 'skipped',
      'tests/load': 'failure',
      'agentgate/outcome': 'failure',
    });
  });
  it('fails for a run that did not converge although nothing was judged', () => {
    const spec = specOf({ gates: { tests: 'x' }, strategy: { kind: 'fixed', iterations: 1 } });
    const { events } = play(spec, {
      turn: () => ({ end: { kind: 'failed', detail: 'it exited with 1' } }),
      judge: () => green,
    });
    const { total, cases } = read(reportJunit(events));
    expect(Number(total['failures'])).toBeGreaterThan(0);
    expect(cases['tests/tests']).toBe('passed');
    expect(read(reportJunit(events.slice(0, 1))).cases).toEqual({
      'tests/tests': 'skipped',
      'agentgate/outcome': 'failure',
    });
    expect(read(reportJunit(events.slice(0, -1))).cases['agentgate/outcome']).toBe('failure');
  });
  it('is XML whatever the findings hold', () => {
    const evil = '</failure><x a="1">&nbsp;]]>\u0000\u001b[31m\ud800\ufffe\n@all';
    const verdict: Verdict = {
      kind: 'failed',
      findings: [
        { id: evil, title: evil, file: evil, line: 3, message: evil },
        { id: 'two', title: evil },
      ],
      excerpt: evil,
    };
    const { cases } = read(reportJunit(run({ tests: 'x' }, [{ tests: verdict }])));
    expect(Object.values(cases)).toEqual(['failure', 'failure', 'failure']);
  });
});
