import type { Finding, GateRequest, Sealed } from '@agentgate/core';

/** Judges a gate; with findings, only those where they can be picked. */
type JudgeOnce = (only?: readonly Finding[]) => Promise<Sealed>;

/**
 * What fails is judged again where the gate asks for it, only to tell chance from fault: a finding that is gone in
 * another try on the same tree is flaky. It is never green by that, and a judgement is never repeated until it is.
 */
export async function judgeOften(
  { gate, signal }: GateRequest,
  nowMs: number,
  judgeOnce: JudgeOnce,
): Promise<Sealed> {
  const first = await judgeOnce();
  const rerun = gate.flaky?.rerun ?? 0;
  const until = gate.flaky?.quarantineUntil;
  if (first.verdict.kind !== 'failed' || rerun === 0) return first;
  if (until !== undefined && nowMs >= Date.parse(until)) return first;
  const { findings } = first.verdict;
  const passed = new Set<string>();
  let tookMs = first.tookMs;
  for (let again = 0; again < rerun && !signal.aborted; again++) {
    // What is known to be flaky need not be tried once more.
    const open = findings.filter((one) => !passed.has(one.id));
    if (open.length === 0) break;
    let next = await judgeOnce(open);
    tookMs += next.tookMs;
    if (next.picked && !isAnswer(next, open)) {
      next = await judgeOnce();
      tookMs += next.tookMs;
    }
    for (const id of goneIn(open, next)) passed.add(id);
  }
  const told = findings.map((one) => (passed.has(one.id) ? { ...one, flaky: true as const } : one));
  return { ...first, tookMs, verdict: { ...first.verdict, findings: told } };
}

/** Whether every picked test was run: one that was missed says nothing, neither good nor bad. */
function isAnswer({ cases = [] }: Sealed, asked: readonly Finding[]): boolean {
  const ran = new Set(cases.filter((one) => isRun(one.status)).map((one) => one.id));
  return asked.every((one) => ran.has(one.id));
}

const isRun = (status: string): boolean => status === 'passed' || status === 'failed';

/** Only a judgement that came to an end says anything about what it does not show. */
function goneIn(findings: readonly Finding[], { verdict, picked, cases = [] }: Sealed): string[] {
  if (picked) {
    const passed = new Set(cases.filter((one) => one.status === 'passed').map((one) => one.id));
    return findings.filter((one) => passed.has(one.id)).map((one) => one.id);
  }
  if (verdict.kind === 'passed') return findings.map((one) => one.id);
  if (verdict.kind !== 'failed' || verdict.findings.some((one) => one.synthetic || one.load)) return [];
  const still = new Set(verdict.findings.map((one) => one.id));
  return findings.filter((one) => !still.has(one.id)).map((one) => one.id);
}
