import { agentLabel } from './agent-of.ts';
import { effectiveLimit } from './effective-limit.ts';
import type { Observation, Situation } from './policy/index.ts';
import type { NamedGate, RunSpec } from './spec.ts';
import type { IterationRecord, RunState } from './state.ts';

/** A run as a learned policy sees it: the same for the run that is decided on and for those that are learned from. */
export function situationOf(
  state: Pick<RunState, 'spec' | 'granted'>,
  records: readonly IterationRecord[],
): Situation {
  const { spec } = state;
  return {
    agent: spec ? agentKey(spec) : '',
    suite: spec ? spec.gates.map((gate) => gate.name).join(', ') : '',
    mode: 'repair',
    horizon: effectiveLimit(state).limit,
    iterations: records.map((record, at) => observationOf(record, records[at - 1], spec?.gates ?? [])),
  };
}

/** The same program with another model is another agent. */
export function agentKey({ agent }: Pick<RunSpec, 'agent'>): string {
  const { model } = agent as { model?: string };
  return model === undefined ? agentLabel(agent) : `${agentLabel(agent)} ${model}`;
}

/** What is known of one iteration after its verdict. One that was not judged is as close to passing as the one before. */
function observationOf(
  record: IterationRecord,
  before: IterationRecord | undefined,
  gates: readonly NamedGate[],
): Observation {
  const { score, failures, passedTests, failureKey, textKey, work, outputBytes, similar } = record;
  const common = {
    ok: false,
    out: work,
    outChars: outputBytes,
    sim: similar[0] ?? null,
    tokens: record.tokens,
    costUsd: record.costUsd,
    durationMs: record.tookMs,
  };
  if (!record.judged) return { ...common, score: before?.score ?? 0, gate: 'build' };
  return {
    ...common,
    score,
    failed: failures,
    ...(passedTests === null ? {} : { passed: passedTests, total: passedTests + failures }),
    gate: redGate(record, gates),
    failKey: textKey === null ? failureKey : `${failureKey}+${textKey}`,
    failSet: failureKey,
  };
}

/** The first hard gate that failed, or the first soft one. */
function redGate({ gates: judged }: IterationRecord, gates: readonly NamedGate[]): string {
  const red = gates.filter(({ name }) => judged[name] === false);
  return (red.find(({ severity }) => severity === 'hard') ?? red[0] ?? gates.at(-1))?.name ?? '';
}
