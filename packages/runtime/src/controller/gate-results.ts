import type { Assessment, RunState, Verdict } from '@agentgate/core';
import type { GateFailure, LevelAnswer } from './context.ts';
import type { Said } from './desk.ts';

export interface GateResult {
  passed: boolean;
  /** A gate that could not judge, or took too long, is errored: neither passed nor failed. */
  status: 'passed' | 'failed' | 'errored' | 'skipped' | 'pending' | 'not-run';
  failures: readonly GateFailure[];
  levelResults?: readonly LevelAnswer[];
  /** Why it is errored, pending or skipped. */
  reason?: string;
  /** The iteration it was last judged in; null when it never was. */
  iteration: number | null;
}

/** The last verdict of every gate; one that was never asked is not run, which is not the same as failing. */
export function gateResultsOf(state: RunState | null, said: Said): Record<string, GateResult> {
  const { last, lastJudged, spec } = state ?? {};
  const newest = last && last.standings.length > 0 ? last : (lastJudged ?? null);
  const judged = newest && (newest.current.iteration > 0 || newest.judged) ? newest : null;
  return Object.fromEntries((spec?.gates ?? []).map(({ name }) => [name, gateResultOf(name, judged, said)]));
}

function gateResultOf(name: string, judged: Assessment | null, said: Said): GateResult {
  const standing = judged?.standings.find((one) => one.gate.name === name);
  if (!judged || !standing || isUnasked(judged, said, name))
    return { passed: false, status: 'not-run', failures: [], iteration: null };
  const { passed, verdict } = standing;
  const { iteration } = judged.current;
  const told = said.gates.get(name);
  const reason = reasonOf(verdict);
  return {
    passed,
    status: passed ? 'passed' : statusOf(verdict),
    failures: verdict.kind === 'failed' ? (told?.failures ?? []) : [],
    ...(told?.levels ? { levelResults: told.levels } : {}),
    ...(reason === undefined ? {} : { reason }),
    iteration,
  };
}

/** Before the first build a gate stands as pending only because nobody has asked it. */
const isUnasked = ({ current }: Assessment, said: Said, name: string): boolean =>
  current.iteration === 0 && !said.gates.has(name);

function statusOf({ kind }: Verdict): GateResult['status'] {
  return kind === 'unable' || kind === 'timed-out' ? 'errored' : kind;
}

function reasonOf(verdict: Verdict): string | undefined {
  switch (verdict.kind) {
    case 'unable':
      return verdict.fault.message;
    case 'timed-out':
      return `no answer within ${verdict.afterMs} ms`;
    case 'skipped':
      return verdict.why;
    case 'pending':
      return verdict.note ?? 'not ready yet';
    default:
      return undefined;
  }
}
