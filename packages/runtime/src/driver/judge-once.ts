import {
  type Assessment,
  assess,
  emptyState,
  type Judgement,
  type NamedGate,
  newCurrent,
  noRun,
  type RunSpec,
  type Standing,
} from '@agentgate/core';
import { judge } from '../gates/index.ts';
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
}

/** Judges the gates of a spec once, one after the other, for whoever only wants to know. Nothing is recorded. */
export async function* judgeOnce(
  root: string,
  spec: RunSpec,
  signal: AbortSignal,
  onGate: (name: string) => void = () => undefined,
  known: KnownBefore = {},
): AsyncGenerator<JudgedOnce> {
  const current = newCurrent(0);
  const judgeHere = judgeShutIn(judge, root, spec, await chooseSandbox(spec));
  for (const gate of spec.gates) {
    onGate(gate.name);
    const judgement =
      known.recall?.(gate) ??
      (await judgeHere({
        gate,
        root,
        run: noRun,
        timeoutMs: gate.timeout ?? checkTimeoutMs,
        marker: `agentgate-check-${process.pid}`,
        signal,
      }));
    current.verdicts.set(gate.name, judgement.verdict);
    const sofar = assess({ ...emptyState(), spec }, current);
    yield { standing: sofar.standings.at(-1)!, judgement, sofar };
    if (signal.aborted) return;
  }
}
