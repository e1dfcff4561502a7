import type { Event } from '../event.ts';
import { attribute, xml } from './escape.ts';
import { type Case, makeSuites, type Suite } from './junit-cases.ts';

/**
 * The report of a run as JUnit XML for CI: a suite per gate, a case per finding that fails or ever failed, and
 * one case for the outcome. A converged run has no failure and no error; any other has at least one.
 */
export function reportJunit(events: Iterable<Event>): string {
  const { runId, suites } = makeSuites(events);
  const all = countOf(suites.flatMap((suite) => suite.cases));
  const tookMs = suites.reduce((sum, suite) => sum + suite.tookMs, 0);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="${attribute(`agentgate ${runId}`)}" ${counts(all)} time="${seconds(tookMs)}">`,
    ...suites.flatMap(suiteLines),
    '</testsuites>',
    '',
  ].join('\n');
}

function suiteLines({ name, cases, tookMs, at }: Suite): string[] {
  const when = at === '' ? '' : ` timestamp="${attribute(at.replace(/\.\d+Z$/, ''))}"`;
  return [
    `  <testsuite name="${attribute(name)}" ${counts(countOf(cases))} time="${seconds(tookMs)}"${when}>`,
    ...cases.flatMap((one) => caseLines(name, one)),
    '  </testsuite>',
  ];
}

function caseLines(suite: string, { name, file, line, end }: Case): string[] {
  const place = `${file === undefined ? '' : ` file="${attribute(file)}"`}${line === undefined ? '' : ` line="${line}"`}`;
  const head = `    <testcase classname="${attribute(suite)}" name="${attribute(name)}"${place} time="0"`;
  switch (end.kind) {
    case 'passed':
      return end.note === undefined
        ? [`${head}/>`]
        : [`${head}>`, `      <system-out>${xml(end.note)}</system-out>`, '    </testcase>'];
    case 'skipped':
      return [`${head}>`, `      <skipped message="${attribute(end.message)}"/>`, '    </testcase>'];
    default: {
      const open = `      <${end.kind} message="${attribute(end.message)}" type="${attribute(end.type)}"`;
      const body = end.text === '' ? '/>' : `>${xml(end.text)}</${end.kind}>`;
      return [`${head}>`, `${open}${body}`, '    </testcase>'];
    }
  }
}

interface Counts {
  tests: number;
  failures: number;
  errors: number;
  skipped: number;
}

function countOf(cases: readonly Case[]): Counts {
  const of = (kind: Case['end']['kind']) => cases.filter((one) => one.end.kind === kind).length;
  return { tests: cases.length, failures: of('failure'), errors: of('error'), skipped: of('skipped') };
}

const counts = ({ tests, failures, errors, skipped }: Counts): string =>
  `tests="${tests}" failures="${failures}" errors="${errors}" skipped="${skipped}"`;

const seconds = (ms: number): string => (ms / 1000).toFixed(3);
