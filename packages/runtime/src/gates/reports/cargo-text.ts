import type { TestCase } from '@agentgate/core';
import { reportTests, type Tested } from './inventory.ts';
import { failedTest } from './plain/rust.ts';
import type { Report } from './report.ts';
import { foundTest } from './plain/found.ts';

const maxLine = 2_000;

export function isLibtest(text: string): boolean {
  return /^running \d+ tests?$/m.test(text);
}

/** Reads the words of libtest as a report: every suite must end, and must count what it names. */
export function readLibtest(text: string): Report {
  const lines = text.split(/\r?\n/).map((line) => line.slice(0, maxLine));
  const outputs = new Map(lines.map((line, index) => [line, index]));
  const tested: Tested[] = [];
  let problem: string | undefined;
  let open: { from: number } | undefined;
  for (const line of lines) {
    const [, name, end] = /^test (.+?) \.\.\. (ok|FAILED|ignored)(?:, .*)?$/.exec(line) ?? [];
    if (name !== undefined && end !== undefined) tested.push(testOf(lines, outputs, name, end));
    if (/^running \d+ tests?$/.test(line)) {
      if (open !== undefined) problem ??= 'the report breaks off inside a suite';
      open = { from: tested.length };
    }
    const [, ...counts] = /^test result: \w+\. (\d+) passed; (\d+) failed; (\d+) ignored;/.exec(line) ?? [];
    if (counts.length === 0) continue;
    problem ??= countProblem(counts.map(Number), tested.slice(open?.from ?? tested.length));
    open = undefined;
  }
  if (open !== undefined) problem ??= 'the report breaks off inside a suite';
  return reportTests(tested, problem);
}

/**
 * The tests that words of libtest name, where they are beyond doubt: with --nocapture the tests print in between, and
 * then nobody can say.
 */
export function libtestInventory(text: string): Pick<Extract<Report, { kind: 'read' }>, 'tests' | 'cases'> {
  const report = isLibtest(text) ? readLibtest(text) : undefined;
  if (report?.kind !== 'read' || !report.complete || report.tests === undefined) return {};
  return { tests: report.tests, ...(report.cases === undefined ? {} : { cases: report.cases }) };
}

const ends: Readonly<Record<string, TestCase['status']>> = {
  ok: 'passed',
  FAILED: 'failed',
  ignored: 'skipped',
};

function testOf(
  lines: readonly string[],
  outputs: ReadonlyMap<string, number>,
  whole: string,
  end: string,
): Tested {
  const name = whole.replace(/ - should panic$/, '').replace(/ \(line \d+\)$/, '');
  const status = ends[end] ?? 'failed';
  if (status !== 'failed') return { finding: foundTest({ names: [name] }).finding, status };
  return { finding: failedTest(lines, outputs, name).finding, status };
}

function countProblem(counted: readonly number[], tested: readonly Tested[]): string | undefined {
  const having = (status: TestCase['status']) => tested.filter((one) => one.status === status).length;
  const seen = [having('passed'), having('failed'), having('skipped')];
  if (counted.every((each, at) => each === seen[at])) return undefined;
  return `a suite counts ${counted.join(', ')} tests passed, failed and ignored, and names ${seen.join(', ')}`;
}
