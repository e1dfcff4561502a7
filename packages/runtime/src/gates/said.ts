import { existsSync, realpathSync } from 'node:fs';
import { type Fault, fault, type GateSpec, invariant, type Verdict } from '@agentgate/core';
import { type ProcessResult, safeText } from '../process/index.ts';
import { excerpt } from './excerpt.ts';
import { outsideFault } from './inside.ts';
import { withoutRoot } from './normalise.ts';
import type { ReportFile } from './report-file.ts';
import { type Format, formatOf, type Project, type Report, readers, readPattern } from './reports/index.ts';
import type { Read } from './settle.ts';

export type CommandGate = Extract<GateSpec, { kind: 'command' }> & { name: string };
type Unable = Extract<Verdict, { kind: 'unable' }>;
type FromFile = Extract<CommandGate['report'], object> & { path: string };

/**
 * Reads what a command that ran to its end said about the tree, from the place and in the format the gate names.
 * stderr may break into a report, so a report is read from stdout alone; words are read from both.
 */
export function readSaid(
  gate: CommandGate,
  { root, project }: { root: string; project: Project },
  ran: ProcessResult,
  file: ReportFile | undefined,
): Read | Unable {
  const { report: asked } = gate;
  const output = readable(ran.output, root);
  if (typeof asked === 'object') {
    const { path } = asked;
    if (path !== undefined) return readFromFile(gate, { ...asked, path }, root, project, file);
    invariant('pattern' in asked, 'a report without a place is read by a pattern');
    return readByPattern(gate, asked.pattern, output, project);
  }
  const stdout = readable(ran.stdout, root);
  const format = asked === 'auto' ? formatOf(stdout) : asked;
  const report = readers[format](format === 'plain' ? output : stdout, project);
  if (format !== 'plain' && isCut(stdout, ran) && isGreen(gate, ran) && !namesFailure(report)) {
    return { kind: 'unable', fault: cutFault(gate), excerpt: excerpt(output) };
  }
  if (format === 'plain') return { kind: 'words', report };
  return isData(format, stdout) ? { kind: 'report', report, data: true } : { kind: 'report', report };
}

/** Cleaned text without secrets, with relative paths. Programs print the root as they were given it, or with its links followed. */
export function readable(text: string, root: string): string {
  const real = existsSync(root) ? realpathSync(root) : root;
  return withoutRoot(withoutRoot(safeText(text), real), root);
}

/** JSON is for programs: what was found says more to people than the beginning of it. */
function isData(format: Format, stdout: string): boolean {
  return format !== 'tap' && format !== 'junit' && /^\s*[{[]\s*["{]/m.test(stdout);
}

function isGreen(gate: CommandGate, { end }: ProcessResult): boolean {
  return end.kind === 'exited' && end.code === gate.expectExit;
}

/** A report that we cut ourselves may look whole: of lines of JSON, those in the middle are simply gone. */
function isCut(stdout: string, { truncated }: ProcessResult): boolean {
  return truncated && /^\[\d+ bytes left out\]$/m.test(stdout);
}

// What was cut is no evidence of a failure, unless what is left of it names one.
function namesFailure(report: Report): boolean {
  return report.kind === 'read' && report.findings.length > 0;
}

function readFromFile(
  gate: CommandGate,
  asked: FromFile,
  root: string,
  project: Project,
  file: ReportFile | undefined,
): Read | Unable {
  const { path } = asked;
  switch (file?.kind) {
    case 'text': {
      const text = readable(file.text, root);
      if ('pattern' in asked) return readByPattern(gate, asked.pattern, text, project);
      const format = asked.format === 'auto' ? formatOf(text) : asked.format;
      if (format === 'plain') return absent(`the report ${path} is in no format that is known`);
      const report = readers[format](text, project);
      // A linter that writes its report to a file prints nothing.
      return format === 'eslint' ? { kind: 'report', report, data: true } : { kind: 'report', report };
    }
    case 'outside':
      return { kind: 'unable', fault: outsideFault(gate.name, path) };
    case 'stale':
      return absent(`the report ${path} is older than this run of the gate`, 'stale');
    case 'too-large':
      return absent(`the report ${path} is larger than can be read`);
    default:
      return absent(`the command wrote no report to ${path}`);
  }
}

function readByPattern(gate: CommandGate, pattern: string, text: string, project: Project): Read | Unable {
  const report = readPattern(pattern, text, project);
  if (report !== undefined) return { kind: 'report', report };
  const message = `the pattern of gate ${gate.name} takes longer on this output than can be waited for; make it simpler, without one repetition inside another`;
  return { kind: 'unable', fault: fault('gate.pattern', message), excerpt: excerpt(text) };
}

function absent(problem: string, why: 'missing' | 'stale' = 'missing'): Read {
  return { kind: 'report', report: { kind: 'absent', problem }, why };
}

function cutFault(gate: CommandGate): Fault {
  const message = `gate ${gate.name} printed a report longer than can be kept; let the command write it to a file, and set the gate's report to {format, path}`;
  return fault('gate.output', message);
}
