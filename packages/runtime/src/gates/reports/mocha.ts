import * as z from 'zod';
import type { TestCase } from '@agentgate/core';
import { readDocuments, readEntries } from './documents.ts';
import { reportTests, type Tested } from './inventory.ts';
import { foundTest } from './plain/found.ts';
import { noProject, type Project } from './project.ts';
import type { Reader } from './report.ts';
import { readStack } from './stack.ts';

export const mochaHead = /\{\s*"stats"\s*:\s*\{\s*"suites"\s*:/;

/** Reads Mocha's JSON reporter. A hook that fails is a failure of its own, though no test of that name ran. */
export const readMocha: Reader = (text, project = noProject) => {
  const read = readDocuments(text, 'Mocha', mochaHead, Run);
  if (read === undefined) return { kind: 'absent', problem: 'there is no JSON report of Mocha' };
  const runs = read.found.map((run) => readRun(run, project));
  const problem = read.problem ?? runs.find((run) => run.problem !== undefined)?.problem;
  return reportTests(
    runs.flatMap((run) => run.tested),
    problem,
  );
};

const count = z.number().int().nonnegative();
const list = z.array(z.unknown());

const Run = z.object({
  stats: z.object({ tests: count, passes: count, pending: count, failures: count }),
  tests: list,
  passes: list,
  pending: list,
  failures: list,
});
type Run = z.output<typeof Run>;

const Test = z.object({
  title: z.string(),
  fullTitle: z.string(),
  file: z.string().nullish(),
  err: z.object({ message: z.string().nullish(), stack: z.string().nullish() }).nullish(),
});
type Test = z.output<typeof Test>;

function readRun(run: Run, project: Project): { tested: Tested[]; problem?: string } {
  const lists: readonly [readonly unknown[], TestCase['status']][] = [
    [run.passes, 'passed'],
    // A test without a body and one that was skipped look alike.
    [run.pending, 'skipped'],
    [run.failures, 'failed'],
  ];
  const read = lists.map(([values, status]) => ({ status, ...readEntries(values, Test) }));
  const tested = read.flatMap(({ entries, status }) => entries.map((one) => testOf(one, status, project)));
  const problem = read.some((one) => one.odd)
    ? 'the report has an entry that cannot be read'
    : problemOf(run);
  return problem === undefined ? { tested } : { tested, problem };
}

function problemOf({ stats, tests, passes, pending, failures }: Run): string | undefined {
  const counted = [stats.tests, stats.passes, stats.pending, stats.failures];
  const seen = [tests, passes, pending, failures].map((one) => one.length);
  if (counted.some((number, at) => number !== seen[at]))
    return `the report counts ${counted.join(', ')} tests in all, passed, pending and failed, and names ${seen.join(', ')}`;
  const told = passes.length + pending.length + failures.length;
  return tests.length > told ? 'the report says of some tests not how they ended' : undefined;
}

// The suites are told only as words before the title.
function testOf({ title, fullTitle, file, err }: Test, status: TestCase['status'], project: Project): Tested {
  const path = file ? project.clean(file) : undefined;
  const suites = fullTitle.endsWith(title) ? fullTitle.slice(0, fullTitle.length - title.length) : '';
  const names = [suites.trim(), title].filter((name) => name !== '').map(project.clean);
  const told = status === 'failed' ? readStack(project.clean(err?.stack ?? err?.message ?? ''), path) : {};
  return { finding: foundTest({ file: path, names, ...told }).finding, status };
}
