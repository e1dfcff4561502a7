import * as z from 'zod';
import type { TestCase } from '@agentgate/core';
import { readDocuments, readEntries } from './documents.ts';
import { reportTests, type Tested } from './inventory.ts';
import { foundTest } from './plain/found.ts';
import { noProject, type Project } from './project.ts';
import type { Reader } from './report.ts';
import { readStack } from './stack.ts';

/** The first key is not the same in Jest and Vitest. */
export const jestHead = /\{\s*"num(?:Total|Failed)TestSuites"\s*:/;

/** Reads what `jest --json` and `vitest --reporter=json` write: files with the assertions in them. */
export const readJest: Reader = (text, project = noProject) => {
  const read = readDocuments(text, 'JSON', jestHead, Run);
  if (read === undefined) return { kind: 'absent', problem: 'there is no JSON report of the tests' };
  const runs = read.found.map((run) => readRun(run, project));
  const problem = read.problem ?? runs.find((run) => run.problem !== undefined)?.problem;
  return reportTests(
    runs.flatMap((run) => run.tested),
    problem,
  );
};

const count = z.number().int().nonnegative();

const Run = z.object({
  numTotalTests: count,
  numPassedTests: count,
  numFailedTests: count,
  success: z.boolean().optional(),
  wasInterrupted: z.boolean().optional(),
  testResults: z.array(z.unknown()),
});
type Run = z.output<typeof Run>;

const File = z.object({
  name: z.string().default(''),
  status: z.string().optional(),
  message: z.string().nullish(),
  assertionResults: z.array(z.unknown()),
});
type File = z.output<typeof File>;

const Assertion = z.object({
  ancestorTitles: z.array(z.string()).default([]),
  title: z.string(),
  status: z.enum(['passed', 'failed', 'skipped', 'pending', 'disabled', 'todo']),
  failureMessages: z.array(z.string()).nullish(),
  /** Jest's `test.failing`: it passed because it failed. */
  failing: z.boolean().nullish(),
});
type Assertion = z.output<typeof Assertion>;

interface ReadRun {
  tested: Tested[];
  problem?: string;
}

function readRun(run: Run, project: Project): ReadRun {
  const files = readEntries(run.testResults, File);
  const read = files.entries.map((file) => ({ file, ...readEntries(file.assertionResults, Assertion) }));
  const tested = read.flatMap(({ file, entries }) => testsOf(file, entries, project));
  const all = read.flatMap(({ entries }) => entries);
  const odd = files.odd || read.some((one) => one.odd);
  const problem = odd ? 'the report has an entry that cannot be read' : problemOf(run, all, tested);
  return problem === undefined ? { tested } : { tested, problem };
}

function problemOf(run: Run, all: readonly Assertion[], tested: readonly Tested[]): string | undefined {
  const having = (status: Assertion['status']) => all.filter((one) => one.status === status).length;
  const counted = [run.numTotalTests, run.numPassedTests, run.numFailedTests];
  const seen = [all.length, having('passed'), having('failed')];
  if (counted.some((number, at) => number !== seen[at]))
    return `the report counts ${counted.join(', ')} tests in all, passed and failed, and names ${seen.join(', ')}`;
  if (tested.some((one) => one.status === 'failed')) return undefined;
  if (run.wasInterrupted === true) return 'the run was interrupted';
  return run.success === false ? 'the report says that the run failed, and names no failure' : undefined;
}

function testsOf(file: File, assertions: readonly Assertion[], project: Project): Tested[] {
  const path = file.name === '' ? undefined : project.clean(file.name);
  const tested = assertions.map((one): Tested => {
    const names = [...one.ancestorTitles, one.title].map(project.clean);
    const told = readStack(project.clean(one.failureMessages?.join('\n') ?? ''), path);
    return { finding: foundTest({ file: path, names, ...told }).finding, status: statusOf(one) };
  });
  if (file.status !== 'failed' || tested.some((one) => one.status === 'failed')) return tested;
  // The file failed and none of its tests did: it could not load, or failed after them.
  const why = (file.message ?? '').replace(/^\s*● Test suite failed to run\s*/, '');
  const told = readStack(project.clean(why), path);
  const own = foundTest({ file: path, names: [], ...told, load: assertions.length === 0 });
  return [...tested, { finding: own.finding, status: 'failed' }];
}

function statusOf({ status, failing }: Assertion): TestCase['status'] {
  switch (status) {
    case 'passed':
      return failing === true ? 'todo' : 'passed';
    case 'failed':
    case 'todo':
      return status;
    default:
      return 'skipped';
  }
}
