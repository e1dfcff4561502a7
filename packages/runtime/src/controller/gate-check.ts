import {
  type Finding,
  type Gate,
  type Judgement,
  type LevelResult,
  type NamedGate,
  type Verdict,
  fault,
} from '@agentgate/core';
import { makeFailed, sayFindings } from '../gates/failed.ts';
import { numbered, testId } from '../gates/reports/identity.ts';
import { readGate } from './answers.ts';
import { type Called, wordsOf } from './call.ts';
import type { GateAnswer, GateFailure, LevelAnswer } from './context.ts';
import { callStep, type Desk } from './desk.ts';

const pendingMs = 30_000;
const maxTitle = 300;

/** The gate whose judgement is the caller's `onGateCheck`. */
export function makeJudge(desk: Desk): Gate {
  return async ({ gate, run: { iteration }, timeoutMs, signal }) => {
    if (iteration === 0 && !desk.baseline) return unasked({ kind: 'pending', retryAfterMs: 0, note: notYet });
    const { stopper } = desk.said;
    if (stopper?.iteration === iteration && iteration > 0)
      return unasked({
        kind: 'skipped',
        why: `gate ${stopper.gate} failed, and its rule is to stop`,
        by: 'condition',
      });
    const fromMs = desk.clock.monoMs();
    const step = { name: `onGateCheck(${gate.name})`, phase: 'gate', iteration, signal, limitMs: timeoutMs };
    const called = await callStep(desk, step, (context) => desk.callbacks.onGateCheck(gate, context));
    const tookMs = desk.clock.monoMs() - fromMs;
    const { verdict, output } = settle(desk, gate, iteration, timeoutMs, called);
    if (verdict.kind === 'failed' && gate.onFailure === 'stop' && gate.severity === 'hard')
      desk.said.stopper = { gate: gate.name, iteration };
    return { verdict, tookMs, output };
  };
}

const notYet = 'gates are first asked after a build';
const unasked = (verdict: Verdict): Judgement => ({ verdict, tookMs: 0, output: '' });

function settle(
  desk: Desk,
  gate: NamedGate,
  iteration: number,
  timeoutMs: number,
  called: Called<unknown>,
): { verdict: Verdict; output: string } {
  const unable = (why: string, cause?: unknown) => ({
    verdict: {
      kind: 'unable' as const,
      fault: fault('callback.gate', `onGateCheck ${why} (gate ${gate.name}, iteration ${iteration})`, cause),
    },
    output: '',
  });
  desk.said.gates.set(gate.name, { iteration, failures: [], levels: null });
  switch (called.kind) {
    case 'threw':
      return unable(`threw: ${wordsOf(called.error)}`, wordsOf(called.error));
    case 'cut':
      return called.reason === 'time-out'
        ? { verdict: { kind: 'timed-out', afterMs: timeoutMs, excerpt: '' }, output: '' }
        : { verdict: { kind: 'skipped', why: 'the run was stopped' }, output: '' };
    case 'answered': {
      const read = readGate(called.value);
      if (read.kind === 'garbage') return unable(read.why);
      const { answer } = read;
      const failures = (answer.failures ?? []).map((one) =>
        typeof one === 'string' ? { message: one } : one,
      );
      desk.said.gates.set(gate.name, { iteration, failures, levels: answer.levelResults ?? null });
      if (answer.error !== undefined) return unable(`could not judge: ${answer.error}`);
      return { verdict: verdictOf(answer, failures), output: answer.output ?? '' };
    }
  }
}

function verdictOf(answer: GateAnswer, failures: readonly GateFailure[]): Verdict {
  const { passed, pending, levelResults, tests, output = '' } = answer;
  if (pending !== undefined && pending !== false)
    return { kind: 'pending', retryAfterMs: pending === true ? pendingMs : pending.retryAfterMs };
  const more = {
    ...(levelResults === undefined ? {} : { levels: levelResults.map(levelOf) }),
    ...(tests === undefined ? {} : { tests: { ...tests, skipped: tests.skipped ?? 0 } }),
  };
  if (passed) return { kind: 'passed', ...more };
  const named = numbered(failures.map(findingOf));
  const said = output.trim() === '' ? sayFindings(named) : output;
  return named.length > 0
    ? makeFailed(named, said, more)
    : makeFailed([{ id: 'failed', title: 'the gate failed', synthetic: true }], said, more);
}

/** What fails is its file and its first line, unless it has a name of its own. */
function findingOf({ id, message, file, line }: GateFailure): Finding {
  const [title = '', ...rest] = message.trim().split('\n');
  const place = typeof file === 'string' && file !== '' ? file : undefined;
  const own = typeof id === 'string' && id.trim() !== '' ? id.trim() : undefined;
  const more = rest.join('\n').trim();
  return {
    id: own ?? testId(place, [title === '' ? 'failed' : title]),
    title: title === '' ? 'failed' : title.slice(0, maxTitle),
    ...(place === undefined ? {} : { file: place }),
    ...(Number.isInteger(line) ? { line: line as number } : {}),
    ...(more === '' ? {} : { message: more }),
  };
}

/** A level that says nothing about itself was not run; it has not passed. */
function levelOf({ level, passed, status, checks }: LevelAnswer): LevelResult {
  const told = passed === undefined ? 'not-run' : passed ? 'passed' : 'failed';
  return {
    level,
    status: status ?? told,
    checks: (checks ?? []).map(({ name, passed: good, output }) => ({
      name,
      passed: good,
      ...(typeof output === 'string' ? { output } : {}),
    })),
  };
}
