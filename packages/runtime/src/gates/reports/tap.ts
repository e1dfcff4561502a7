import { type FinalResults, Parser, type Result } from 'tap-parser';
import type { Finding, TestCase } from '@agentgate/core';
import { isFile, testId } from './identity.ts';
import { reportTests } from './inventory.ts';
import type { Reader } from './report.ts';
import { diagnose } from './tap-diagnosis.ts';

/** Reads TAP 13 and 14, nested or flat. Only leaves count; a stream that breaks off is not complete. */
export const readTap: Reader = (text) => {
  const streams = split(text).map(readStream);
  if (streams.length === 0) return { kind: 'absent', problem: 'there is no TAP in the output' };
  const points = streams.flatMap((stream) => stream.points);
  const tested = points.map((point) => ({ finding: findingOf(point), status: statusOf(point) }));
  return reportTests(tested, streams.flatMap((stream) => stream.problems)[0]);
};

/** Whether a text holds TAP. */
export function isTap(text: string): boolean {
  if (/^TAP version 1[34]\s*$/m.test(text) || /^1\.\.0(?:\s|$)/m.test(text)) return true;
  return /^1\.\.\d+/m.test(text) && /^(?:not )?ok\b/m.test(text);
}

interface Point {
  names: readonly string[];
  ok: boolean;
  skipped: 'skipped' | 'todo' | false;
  diag: unknown;
  /** What the runner printed around the point: for a file that did not load, its error. */
  around: string;
}

interface Stream {
  points: Point[];
  problems: string[];
}

// Workspaces print one stream after the other; each has its own plan.
function split(text: string): string[] {
  return isTap(text) ? text.split(/^(?=TAP version 1[34]\s*$)/m).filter(isTap) : [];
}

function readStream(text: string): Stream {
  const stream: Stream = { points: [], problems: [] };
  const parser = new Parser();
  follow(parser, [], stream);
  parser.end(text);
  return stream;
}

function follow(parser: Parser, path: readonly string[], stream: Stream): void {
  let count = 0;
  let childFrom = 0;
  let before: string[] = [];
  parser.on('comment', (line: string) => before.push(line.replace(/^# ?/, '')));
  // Vitest breaks its own YAML with a message of several lines, and the parser hands it back as no TAP.
  parser.on('extra', (text: string) => {
    const last = stream.points.at(-1);
    if (last !== undefined && last.diag === null) last.around += text;
  });
  parser.on('child', (child: Parser) => {
    childFrom = stream.points.length;
    follow(child, [...path, child.name], stream);
  });
  parser.on('assert', (result: Result) => {
    count += 1;
    const inside = result.closingTestPoint ? stream.points.splice(childFrom) : [];
    stream.points.push(...settle(result, inside, path, before.join('')));
    before = [];
  });
  parser.on('complete', (results: FinalResults) => {
    const problem = problemOf(results, count);
    if (problem !== undefined) stream.problems.push(problem);
  });
}

/** A parent adds itself only when it failed for a reason of its own: a hook, a throw after its subtests. */
function settle(result: Result, inside: readonly Point[], path: readonly string[], around: string): Point[] {
  const skipped = result.skip !== false ? 'skipped' : result.todo !== false ? 'todo' : false;
  const own: Point = { names: [...path, result.name], ok: result.ok, skipped, diag: result.diag, around };
  if (inside.length === 0) return [own];
  const failedInside = inside.some((point) => !point.ok && !point.skipped);
  return result.ok || (failedInside && !failedItself(result.diag)) ? [...inside] : [...inside, own];
}

function failedItself(diag: unknown): boolean {
  const type =
    typeof diag === 'object' && diag !== null && 'failureType' in diag ? diag.failureType : undefined;
  return type !== undefined && type !== 'subtestsFailed';
}

// The numbers of the points are not looked at: Node counts them anew in each file.
function problemOf(results: FinalResults, count: number): string | undefined {
  if (results.bailout)
    return `the tests bailed out: ${results.bailout === true ? 'no reason given' : results.bailout}`;
  const { start, end } = results.plan;
  if (start === null || end === null) return 'the TAP report breaks off: it has no plan';
  const planned = end - start + 1;
  return planned === count ? undefined : `the TAP report plans ${planned} tests and has ${count}`;
}

function statusOf({ ok, skipped }: Point): TestCase['status'] {
  if (skipped !== false) return skipped;
  return ok ? 'passed' : 'failed';
}

function findingOf({ names, diag, around }: Point): Finding {
  const told = diagnose(diag, around);
  const first = names[0]?.split(' > ')[0] ?? '';
  const file = isFile(first) ? first : told.testFile;
  const id = testId(file, names);
  const path = names.filter((name) => name !== file).join(' > ');
  const title = path.startsWith(`${file} > `) ? path.slice(`${file} > `.length) : path;
  const finding: Finding = { id, title: title === '' ? (file ?? id) : title };
  if (file !== undefined) finding.file = file;
  if (told.line !== undefined) finding.line = told.line;
  if (told.message !== undefined) finding.message = told.message;
  if (title === '') finding.load = true;
  return finding;
}
