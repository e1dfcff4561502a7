import { constants } from 'node:os';
import type { Finding, Verdict } from '@agentgate/core';
import type { ProcessEnd } from '../process/index.ts';
import { excerpt } from './excerpt.ts';
import { sayFindings } from './failed.ts';
import { textKey } from './normalise.ts';
import { type Project, type Report, readers } from './reports/index.ts';

/** What was read: words that only tell, or a report that also judges. */
export type Read =
  | { kind: 'words'; report: Report }
  /** `data` says that the output is the report itself, in a form that is not for people. */
  | { kind: 'report'; report: Report; why?: 'missing' | 'stale'; data?: true };

export interface Settled {
  end: Extract<ProcessEnd, { kind: 'exited' | 'signalled' }>;
  expectExit: number;
  /** Cleaned, with paths relative to the root. */
  output: string;
  read: Read;
  project?: Project;
}

const maxFindings = 500;

/** Makes the verdict of a command that ran to its end. It passes only when exit code and report both say so. */
export function settle({ end, expectExit, output, read, project }: Settled): Verdict {
  const asExpected = end.kind === 'exited' && end.code === expectExit;
  const tests = read.report.kind === 'read' ? read.report.tests : undefined;
  if (read.kind === 'words' && asExpected)
    return { kind: 'passed', ...(tests === undefined ? {} : { tests }) };
  const reported = reportedBy(read.report, asExpected);
  const problem = read.kind === 'report' ? problemOf(read) : undefined;
  if (asExpected && reported.length === 0 && problem === undefined) {
    return { kind: 'passed', ...(tests === undefined ? {} : { tests }) };
  }
  const findings = [
    ...crashOf(end),
    ...reported,
    ...(asExpected || reported.length > 0 ? [] : unreported(end, read, output, project)),
    ...(problem === undefined ? [] : [problem]),
  ];
  const said = read.kind === 'report' && read.data ? sayFindings(findings.slice(0, maxFindings)) : output;
  const key = textKey(said);
  const note = noteOf(
    asExpected && reported.length > 0 ? expectExit : undefined,
    reported.length,
    findings.length,
  );
  return {
    kind: 'failed',
    findings: findings.slice(0, maxFindings),
    excerpt: excerpt(said, findings),
    ...(tests === undefined ? {} : { tests }),
    ...(key === undefined ? {} : { textKey: key }),
    ...(note === undefined ? {} : { note }),
  };
}

// What a linter only warns of turns the gate red when it is told not to let warnings pass.
function reportedBy(report: Report, asExpected: boolean): readonly Finding[] {
  if (report.kind !== 'read') return [];
  return report.findings.length > 0 || asExpected ? report.findings : (report.warnings ?? []);
}

function problemOf({ report, why }: Extract<Read, { kind: 'report' }>): Finding | undefined {
  if (report.kind === 'absent') return synthetic(`report:${why ?? 'missing'}`, report.problem);
  if (!report.complete) return synthetic('report:incomplete', report.problem ?? 'the report breaks off');
  if (report.tests === undefined) return undefined;
  const { passed, failed, skipped } = report.tests;
  if (passed + failed > 0) return undefined;
  const title =
    skipped === 0 ? 'the report has no tests' : `nothing ran: the report has only skipped tests (${skipped})`;
  return synthetic('report:empty', title);
}

/** What the output says of a failure that no report names, and the exit code that stands for it. */
function unreported(end: Settled['end'], read: Read, output: string, project?: Project): Finding[] {
  const plain = read.kind === 'words' ? undefined : readers.plain(output, project);
  const said = plain?.kind === 'read' ? plain.findings : [];
  if (end.kind === 'signalled' || crashOf(end).length > 0) return said;
  return [...said, synthetic(`exit:${end.code}`, `the command exited with ${end.code}`)];
}

// A shell reports the signal that ended its child as 128 and the signal's number.
function crashOf(end: Settled['end']): Finding[] {
  const byShell = Object.entries(constants.signals).find(
    ([name, number]) => crashes.has(name) && end.kind === 'exited' && end.code === 128 + number,
  );
  const signal = end.kind === 'signalled' ? end.signal : byShell?.[0];
  return signal === undefined ? [] : [synthetic(`crash:${signal}`, `the command was ended by ${signal}`)];
}

const crashes = new Set(['SIGILL', 'SIGTRAP', 'SIGABRT', 'SIGBUS', 'SIGFPE', 'SIGKILL', 'SIGSEGV']);

function noteOf(wrongExit: number | undefined, reported: number, all: number): string | undefined {
  const notes: string[] = [];
  if (wrongExit !== undefined) {
    notes.push(`the command exited with ${wrongExit} although its report has ${count(reported, 'failure')}`);
  }
  if (all > maxFindings) notes.push(`${count(all - maxFindings, 'further finding')} left out`);
  return notes.length === 0 ? undefined : notes.join('; ');
}

function synthetic(id: string, title: string): Finding {
  return { id, title, synthetic: true };
}

function count(n: number, noun: string): string {
  return `${n} ${noun}${n === 1 ? '' : 's'}`;
}
