import {
  type Assessment,
  assess,
  emptyState,
  type GateRequest,
  type Judgement,
  type NamedGate,
  newCurrent,
  noRun,
  type RunSpec,
  type Standing,
  type Verdict,
} from '@agentgate/core';
import { judge } from '../gates/index.ts';
import { systemClock } from './clock.ts';
import { judgeOften } from './flaky.ts';
import { chooseSandbox, judgeShutIn } from './sandbox.ts';

/** Long enough for any suite that a person waits for. */
const checkTimeoutMs = 30 * 60_000;

export interface JudgedOnce {
  standing: Standing;
  judgement: Judgement;
  /** All gates up to this one. */
  sofar: Assessment;
}

/** What is known already by whoever asks. */
export interface KnownBefore {
  /** What a gate said about this very tree. */
  recall?(gate: NamedGate): Judgement | undefined;
  /** What gates showed before the work began: those that ask only for what is new leave that out. */
  baseline?: ReadonlyMap<string, Verdict>;
}

/**
 * Judges the gates of a spec once, one after the other, for whoever only wants to know; what may be chance is tried as
 * often as in a run. Nothing is recorded.
 */
export async function* judgeOnce(
  root: string,
  spec: RunSpec,
  signal: AbortSignal,
  onGate: (name: string) => void = () => undefined,
  known: KnownBefore = {},
): AsyncGenerator<JudgedOnce> {
  const current = newCurrent(0);
  const judgeHere = judgeShutIn(judge, root, spec, await chooseSandbox(spec));
  const before = { ...emptyState(), spec, baseline: new Map(known.baseline) };
  for (const gate of spec.gates) {
    onGate(gate.name);
    const request: GateRequest = {
      gate,
      root,
      run: noRun,
      timeoutMs: gate.timeout ?? checkTimeoutMs,
      marker: `agentgate-check-${process.pid}`,
      signal,
    };
    const judgement =
      known.recall?.(gate) ??
      (await judgeOften(request, systemClock.wallMs(), (only) =>
        judgeHere(only ? { ...request, only } : request),
      ));
    current.verdicts.set(gate.name, judgement.verdict);
    const sofar = assess(before, current);
    yield { standing: sofar.standings.at(-1)!, judgement, sofar };
    if (signal.aborted) return;
  }
}
