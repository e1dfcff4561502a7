import {
  GateInput,
  type GateRequest,
  type GateRun,
  type Judgement,
  type NamedGate,
  Verdict,
} from '@agentgate/core';
import { expect } from 'vitest';
import { judge } from './index.ts';

/** A gate as the spec would give it, with all its defaults. */
export function gateFrom(options: unknown, name = 'gate'): NamedGate {
  return { ...GateInput.parse(options), name };
}

/** A gate of one kind, with some of its options already in the form that the spec leaves them in. */
export function gateWith<K extends NamedGate['kind']>(
  kind: K,
  least: Record<string, unknown>,
  over: Partial<Extract<NamedGate, { kind: K }>> = {},
): NamedGate {
  return { ...gateFrom({ kind, ...least }), ...over } as NamedGate;
}

export const runOf = (over: Partial<GateRun> = {}): GateRun => ({
  iteration: 1,
  tree: 'tree',
  approvals: [],
  works: [],
  similar: [],
  ...over,
});

let judged = 0;

/** Judges for real and checks that the answer can be recorded. */
export async function judgeGate(
  gate: NamedGate,
  root: string,
  over: Partial<GateRequest> = {},
): Promise<Judgement> {
  judged += 1;
  const judgement = await judge({
    gate,
    root,
    run: runOf(),
    timeoutMs: 30_000,
    marker: `gate-test-${process.pid}-${judged}`,
    signal: new AbortController().signal,
    ...over,
  });
  expect(Verdict.parse(judgement.verdict)).toEqual(judgement.verdict);
  return judgement;
}

export const idsOf = (verdict: Verdict): string[] =>
  verdict.kind === 'failed' ? verdict.findings.map(({ id }) => id) : [`(${verdict.kind})`];
