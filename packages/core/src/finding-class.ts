import type { Assessment } from './assess.ts';
import { failureKeyFor, gateOf } from './failure.ts';
import type { Finding } from './finding.ts';
import type { RunState } from './state.ts';

/** How a finding stands towards what was known before. */
export const findingClasses = ['fixed', 'new', 'still', 'unmasked', 'pre-existing', 'flaky'] as const;
export type FindingClass = (typeof findingClasses)[number];

/**
 * Chance first: what passed in another try is flaky. Then what was not seen before: it is new, or it was hidden by
 * something that could not load. What was seen before was there before the run, or has come with it and stayed.
 */
export function classOf(
  gate: string,
  finding: Finding,
  now: Assessment,
  { baseline }: RunState,
): FindingClass {
  if (finding.flaky) return 'flaky';
  if (now.current.iteration === 0) return 'pre-existing';
  const key = failureKeyFor(gate, finding.id);
  if (now.unmaskedKeys.has(key)) return 'unmasked';
  if (now.broken.includes(key)) return 'new';
  const before = baseline.get(gate);
  const known = before?.kind === 'failed' && before.findings.some((one) => one.id === finding.id);
  return known ? 'pre-existing' : 'still';
}

/** How many findings of each class the newest judgement has, also those that do not count against their gate. */
export function countClasses(state: RunState): Record<FindingClass, number> {
  const counts = Object.fromEntries(findingClasses.map((one) => [one, 0])) as Record<FindingClass, number>;
  const { lastJudged } = state;
  if (!lastJudged) return counts;
  for (const { gate, verdict } of lastJudged.standings) {
    if (verdict.kind !== 'failed') continue;
    for (const finding of verdict.findings) counts[classOf(gate.name, finding, lastJudged, state)] += 1;
  }
  counts.fixed = lastJudged.fixed.filter((key) => gateOf(key) !== 'integrity').length;
  return counts;
}
