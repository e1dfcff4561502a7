import {
  fault,
  type Gate,
  type GateRequest,
  invariant,
  type Judgement,
  unreachable,
  type Verdict,
} from '@agentgate/core';
import { type ProcessResult, supervise } from '../process/index.ts';
import { coverageAfter } from './coverage.ts';
import { environmentOf, withWithheld } from './environment.ts';
import { excerpt } from './excerpt.ts';
import { inRoom } from './in-room.ts';
import { whatIsMissing } from './missing.ts';
import { type ReportFile, takeReport, watchReport } from './report-file.ts';
import { openProject } from './reports/index.ts';
import { scopeIn } from './scope.ts';
import { type CommandGate, readable, readSaid } from './said.ts';
import { settle } from './settle.ts';
import { startFault, words } from './step.ts';

const readBytes = 2 * 1024 * 1024;
const keptChars = 256 * 1024;
const pendingExit = 75;
const pendingMs = 30_000;

/** Judges a tree by a command's exit code and, where there is one, by its report. */
export const judgeCommand: Gate = async (request) => {
  const { gate, root } = request;
  invariant(gate.kind === 'command', 'a command gate runs a command');
  const readFile = await reportReader(request, gate);
  const ran = await supervise({
    argv: inRoom(request, words(gate.run)),
    cwd: root,
    env: environmentOf(gate),
    marker: request.marker,
    ...(request.keepFds ? { keepFds: request.keepFds } : {}),
    timeoutMs: request.timeoutMs,
    signal: request.signal,
    headBytes: readBytes,
    tailBytes: readBytes,
    separate: true,
    ...(request.onOutput === undefined ? {} : { onOutput: request.onOutput }),
  });
  const judged = await judgeEnd(request, gate, ran, readFile);
  const verdict = withWithheld(judged.verdict, gate, ran.output);
  // Where a report of ours took all that would have been printed, the telling part of it stands for the output.
  const said = ran.output === '' && verdict.kind === 'failed' ? verdict.excerpt : ran.output;
  return { ...judged, verdict, tookMs: ran.tookMs, output: bounded(said) };
};

async function reportReader(
  request: GateRequest,
  { report }: CommandGate,
): Promise<(() => Promise<ReportFile>) | undefined> {
  const { ownReport } = request;
  if (ownReport !== undefined) return () => takeReport(request, ownReport);
  const path = typeof report === 'object' ? report.path : undefined;
  return path === undefined ? undefined : watchReport(request, path);
}

async function judgeEnd(
  request: GateRequest,
  gate: CommandGate,
  ran: ProcessResult,
  readFile: (() => Promise<ReportFile>) | undefined,
): Promise<Pick<Judgement, 'verdict' | 'cases' | 'scope' | 'coverage'>> {
  const { root, room } = request;
  const output = readable(ran.output, root);
  const trouble = room?.trouble() ?? null;
  if (trouble !== null && ran.end.kind === 'exited') {
    return { verdict: { kind: 'unable', fault: trouble, excerpt: excerpt(output) } };
  }
  switch (ran.end.kind) {
    case 'unable':
      return { verdict: { kind: 'unable', fault: startFault(ran.end.fault) } };
    case 'timed-out':
      return { verdict: { kind: 'timed-out', afterMs: ran.end.afterMs, excerpt: excerpt(output) } };
    case 'aborted':
      return { verdict: { kind: 'skipped', why: 'the run was stopped' } };
    case 'signalled':
    case 'exited': {
      const stopped = ran.end.kind === 'exited' ? judgeCode(gate, ran.end.code, output) : undefined;
      if (stopped !== undefined) return { verdict: stopped };
      const project = openProject(request);
      const read = readSaid(gate, { root, project }, ran, await readFile?.());
      if (read.kind === 'unable') return { verdict: read };
      const verdict = settle({ end: ran.end, expectExit: gate.expectExit, output, read, project });
      const { cases, scope = await scopeIn(request) } = read.report.kind === 'read' ? read.report : {};
      const coverage = await coverageAfter(request, output, ran.tookMs);
      return {
        verdict,
        ...(cases === undefined ? {} : { cases }),
        ...(scope === undefined ? {} : { scope }),
        ...(coverage === undefined ? {} : { coverage }),
      };
    }
    default:
      return unreachable(ran.end);
  }
}

/** Codes that say the command did not judge. One that the gate expects says what it expects. */
function judgeCode(gate: CommandGate, code: number, output: string): Verdict | undefined {
  if (code === gate.expectExit) return undefined;
  const missing = whatIsMissing(output, code, gate.run);
  if (missing !== undefined) {
    const message = `${missing}; install it, or correct the gate's command`;
    return { kind: 'unable', fault: fault('gate.missing', message), excerpt: excerpt(output) };
  }
  if (code !== pendingExit) return undefined;
  const seconds = /^retry-after:\s*(\d{1,6})\s*$/im.exec(output)?.[1];
  return {
    kind: 'pending',
    retryAfterMs: seconds === undefined ? pendingMs : Math.max(1, Number(seconds)) * 1_000,
  };
}

/** The beginning and the end of a long output. */
export function bounded(output: string): string {
  const left = output.length - 2 * keptChars;
  if (left <= 0) return output;
  return `${output.slice(0, keptChars)}\n[${left} characters left out]\n${output.slice(-keptChars)}`;
}
