import * as z from 'zod';
import type { TestCase } from '@agentgate/core';
import { readDocuments, readEntries } from './documents.ts';
import { reportTests, type Tested } from './inventory.ts';
import { foundTest } from './plain/found.ts';
import { noProject, type Project } from './project.ts';
import type { Reader } from './report.ts';
import { readStack } from './stack.ts';

export const ctrfHead = /\{\s*(?:"reportFormat"\s*:\s*"CTRF"|"results"\s*:\s*\{\s*"tool"\s*:)/;

/** Reads the Common Test Report Format, which many runners write through reporters of their own. */
export const readCtrf: Reader = (text, project = noProject) => {
  const read = readDocuments(text, 'CTRF', ctrfHead, Run);
  if (read === undefined) return { kind: 'absent', problem: 'there is no CTRF report' };
  const runs = read.found.map((run) => readRun(run, project));
  const problem = read.problem ?? runs.find((run) => run.problem !== undefined)?.problem;
  return reportTests(
    runs.flatMap((run) => run.tested),
    problem,
  );
};

const count = z.number().int().nonnegative();

const Run = z.object({
  results: z.object({
    summary: z.object({ tests: count, passed: count, failed: count }),
    tests: z.array(z.unknown()),
  }),
});
type Run = z.output<typeof Run>;

const Test = z.object({
  name: z.string(),
  status: z.enum(['passed', 'failed', 'skipped', 'pending', 'other']),
  rawStatus: z.string().nullish(),
  suite: z.union([z.string(), z.array(z.string())]).nullish(),
  filePath: z.string().nullish(),
  message: z.string().nullish(),
  trace: z.string().nullish(),
});
type Test = z.output<typeof Test>;

function readRun({ results }: Run, project: Project): { tested: Tested[]; problem?: string } {
  const { entries, odd } = readEntries(results.tests, Test);
  const tested = entries.map((one) => testOf(one, project));
  const problem = odd ? 'the report has an entry that cannot be read' : problemOf(results, entries);
  return problem === undefined ? { tested } : { tested, problem };
}

function problemOf({ summary }: Run['results'], entries: readonly Test[]): string | undefined {
  const having = (status: Test['status']) => entries.filter((one) => one.status === status).length;
  const counted = [summary.tests, summary.passed, summary.failed];
  const seen = [entries.length, having('passed'), having('failed')];
  if (counted.every((number, at) => number === seen[at])) return undefined;
  return `the report counts ${counted.join(', ')} tests in all, passed and failed, and names ${seen.join(', ')}`;
}

function testOf(one: Test, project: Project): Tested {
  const file = one.filePath ? project.clean(one.filePath).replace(/^\.\//, '') : undefined;
  const told = readStack(project.clean([one.message, one.trace].filter(Boolean).join('\n')), file);
  const names = namesOf(one, file).map(project.clean);
  const status = statusOf(one);
  return { finding: foundTest({ file, names, ...(status === 'failed' ? told : {}) }).finding, status };
}

// Some reporters put the file before the suites, and the suites into the name of the test once more.
function namesOf({ name, suite }: Test, file: string | undefined): string[] {
  const parts = typeof suite === 'string' ? suite.split(' > ') : (suite ?? []);
  const suites = parts.filter((part, at) => part !== '' && !(at === 0 && file?.endsWith(part)));
  const before = `${suites.join(' ')} `;
  return [...suites, suites.length > 0 && name.startsWith(before) ? name.slice(before.length) : name];
}

/** Something else than the four is a failure when it says what is wrong, and is never a pass. */
function statusOf({ status, rawStatus, message, trace }: Test): TestCase['status'] {
  const unfinished = /^(?:todo|x-?fail(?:ed)?|x-?pass(?:ed)?)$/i.test(rawStatus ?? '');
  if (status === 'failed') return 'failed';
  if (unfinished) return 'todo';
  if (status === 'other') return message || trace ? 'failed' : 'skipped';
  return status === 'passed' ? 'passed' : 'skipped';
}
