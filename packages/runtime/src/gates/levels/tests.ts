import { type Finding, showDuration, type TestCounts, type Verdict } from '@agentgate/core';
import { judgeCommand } from '../command.ts';
import { sayCommand } from '../failed.ts';
import { readable } from '../said.ts';
import { type Halt, halt } from '../step.ts';
import { add, type Level, type LevelsGate, nothingSeen, type Scene, type Seen } from './level.ts';

type Step = NonNullable<LevelsGate['tests']>['run'][number];

/** L1: the set-up and the tests. A set-up that fails ends the level; tests are all run. */
export const judgeTests: Level = async (scene) => {
  const seen = nothingSeen();
  const { setup, run } = scene.gate.tests ?? { setup: [], run: [] };
  for (const step of setup) {
    const halted = await judgeStep(scene, step, seen, true);
    if (halted !== undefined) return halted;
    if (seen.findings.length > 0) return seen;
  }
  for (const step of run) {
    const halted = await judgeStep(scene, step, seen, false);
    if (halted !== undefined) return halted;
  }
  return seen;
};

async function judgeStep(
  { request, gate, untilMs }: Scene,
  step: Step,
  seen: Seen,
  isSetup: boolean,
): Promise<Halt | undefined> {
  const { run, report, expectExit, timeout } = step;
  const name = step.name ?? sayCommand(run);
  const leftMs = Math.max(1, untilMs - performance.now());
  const { verdict, output, cases } = await judgeCommand({
    ...request,
    gate: { ...gate, kind: 'command', run, report, expectExit },
    timeoutMs: Math.min(timeout, leftMs),
  });
  switch (verdict.kind) {
    case 'passed':
      add(seen, name, [], readable(output, request.root));
      break;
    case 'failed':
      add(seen, name, verdict.findings.map(inside(name, isSetup)), readable(output, request.root));
      if (verdict.note !== undefined) seen.notes.push(`${name}: ${verdict.note}`);
      break;
    case 'timed-out':
      if (leftMs <= timeout) return halt({ ...verdict, afterMs: request.timeoutMs });
      add(seen, name, [late(name, timeout)].map(inside(name, isSetup)), readable(output, request.root));
      break;
    default:
      return halt(verdict);
  }
  for (const one of cases ?? []) seen.cases.push({ ...one, id: `${name}:${one.id}` });
  const tests = sum(seen.tests, verdict);
  if (tests !== undefined) seen.tests = tests;
  return undefined;
}

/** Several commands may complain in the same words, so each complaint carries the name of its command. */
const inside =
  (name: string, isSetup: boolean) =>
  (finding: Finding): Finding => ({
    ...finding,
    id: `${name}:${finding.id}`,
    title: finding.synthetic ? `${name}: ${finding.title}` : finding.title,
    // Nothing of the tests is seen behind a set-up that failed.
    ...(isSetup ? { load: true as const } : {}),
  });

const late = (name: string, afterMs: number): Finding => ({
  id: 'timeout',
  title: `did not end within ${showDuration(afterMs)}`,
  message: `${name} has a time-out of its own; raise it if the command needs longer`,
  synthetic: true,
});

function sum(before: TestCounts | undefined, verdict: Verdict): TestCounts | undefined {
  const tests = verdict.kind === 'passed' || verdict.kind === 'failed' ? verdict.tests : undefined;
  if (before === undefined || tests === undefined) return tests ?? before;
  return {
    passed: before.passed + tests.passed,
    failed: before.failed + tests.failed,
    skipped: before.skipped + tests.skipped,
  };
}
