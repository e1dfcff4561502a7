import type { Finding, TestCase, TestCounts } from '@agentgate/core';
import type { Report } from './report.ts';

/** One test of a report; `finding` says which, and why it failed if it did. */
export interface Tested {
  finding: Finding;
  status: TestCase['status'];
}

const maxCases = 50_000;

/**
 * A report about tests. Two tests of one name are numbered among all, not among those that failed, so that a test
 * keeps its id when another of its name is fixed.
 */
export function reportTests(tested: readonly Tested[], problem?: string): Report {
  const seen = new Map<string, number>();
  const findings: Finding[] = [];
  const cases: TestCase[] = [];
  const tests: TestCounts = { passed: 0, failed: 0, skipped: 0 };
  for (const { finding, status } of tested) {
    const count = (seen.get(finding.id) ?? 0) + 1;
    seen.set(finding.id, count);
    const id = count === 1 ? finding.id : `${finding.id} #${count}`;
    tests[status === 'todo' ? 'skipped' : status] += 1;
    if (status === 'failed') findings.push({ ...finding, id });
    if (cases.length < maxCases)
      cases.push(finding.file === undefined ? { id, status } : { id, status, file: finding.file });
  }
  const report: Report = { kind: 'read', findings, tests, cases, complete: true };
  return problem === undefined ? report : { ...report, complete: false, problem };
}
