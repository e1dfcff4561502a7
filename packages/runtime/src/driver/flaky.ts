import type { Finding, GateRequest, Judgement, Verdict } from '@agentgate/core';

/**
 * What fails is judged again where the gate asks for it, only to tell chance from fault: a finding that is gone in
 * another try on the same tree is flaky. It is never green by that, and a judgement is never repeated until it is.
 */
export async function judgeOften<T extends Judgement>(
  { gate, signal }: GateRequest,
  nowMs: number,
  judgeOnce: () => Promise<T>,
): Promise<T> {
  const first = await judgeOnce();
  const rerun = gate.flaky?.rerun ?? 0;
  const until = gate.flaky?.quarantineUntil;
  if (first.verdict.kind !== 'failed' || rerun === 0) return first;
  if (until !== undefined && nowMs >= Date.parse(until)) return first;
  const passed = new Set<string>();
  let tookMs = first.tookMs;
  for (let again = 0; again < rerun && !signal.aborted; again++) {
    const next = await judgeOnce();
    tookMs += next.tookMs;
    for (const id of goneIn(first.verdict.findings, next.verdict)) passed.add(id);
  }
  const findings = first.verdict.findings.map((one) =>
    passed.has(one.id) ? { ...one, flaky: true as const } : one,
  );
  return { ...first, tookMs, verdict: { ...first.verdict, findings } };
}

/** Only a judgement that came to an end says anything about what it does not show. */
function goneIn(findings: readonly Finding[], verdict: Verdict): string[] {
  if (verdict.kind === 'passed') return findings.map((one) => one.id);
  if (verdict.kind !== 'failed' || verdict.findings.some((one) => one.synthetic || one.load)) return [];
  const still = new Set(verdict.findings.map((one) => one.id));
  return findings.filter((one) => !still.has(one.id)).map((one) => one.id);
}
