import { existsSync, realpathSync } from 'node:fs';
import { type Fault, fault, type GateSpec, type Verdict } from '@agentgate/core';
import { cleanText, type ProcessResult } from '../process/index.ts';
import { excerpt } from './excerpt.ts';
import { outsideFault } from './inside.ts';
import { withoutRoot } from './normalise.ts';
import type { ReportFile } from './report-file.ts';
import { formatOf, type Report, readers } from './reports/index.ts';
import type { Read } from './settle.ts';

export type CommandGate = Extract<GateSpec, { kind: 'command' }> & { name: string };
type Unable = Extract<Verdict, { kind: 'unable' }>;

/**
 * Reads what a command that ran to its end said about the tree, from the place and in the format the gate names.
 * stderr may break into a report, so a report is read from stdout alone; words are read from both.
 */
export function readSaid(
  gate: CommandGate,
  root: string,
  ran: ProcessResult,
  file: ReportFile | undefined,
): Read | Unable {
  if (typeof gate.report === 'object') return readFromFile(gate, gate.report, root, file);
  const output = readable(ran.output, root);
  const stdout = readable(ran.stdout, root);
  const format = gate.report === 'auto' ? formatOf(stdout) : gate.report;
  const report = readers[format](format === 'plain' ? output : stdout);
  if (format !== 'plain' && ran.truncated && isGreen(gate, ran) && !isWhole(report)) {
    return { kind: 'unable', fault: cutFault(gate), excerpt: excerpt(output) };
  }
  return { kind: format === 'plain' ? 'words' : 'report', report };
}

/** Cleaned text with relative paths. Programs print the root as they were given it, or with its links followed. */
export function readable(text: string, root: string): string {
  const real = existsSync(root) ? realpathSync(root) : root;
  return withoutRoot(withoutRoot(cleanText(text), real), root);
}

function isGreen(gate: CommandGate, { end }: ProcessResult): boolean {
  return end.kind === 'exited' && end.code === gate.expectExit;
}

// A report that we cut ourselves is no evidence of a failure, unless what is left of it names one.
function isWhole(report: Report): boolean {
  return report.kind === 'read' && (report.complete || report.findings.length > 0);
}

function readFromFile(
  gate: CommandGate,
  { format, path }: { format: 'tap' | 'junit'; path: string },
  root: string,
  file: ReportFile | undefined,
): Read | Unable {
  switch (file?.kind) {
    case 'text':
      return { kind: 'report', report: readers[format](readable(file.text, root)) };
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

function absent(problem: string, why: 'missing' | 'stale' = 'missing'): Read {
  return { kind: 'report', report: { kind: 'absent', problem }, why };
}

function cutFault(gate: CommandGate): Fault {
  const message = `gate ${gate.name} printed a report longer than can be kept; let the command write it to a file, and set the gate's report to {format, path}`;
  return fault('gate.output', message);
}
