import type { Assessment } from './assess.ts';
import { failureKeyFor, gateOf } from './failure.ts';
import type { Finding } from './finding.ts';
import type { RunState } from './state.ts';
import type { Verdict } from './verdict.ts';

/** How a finding stands towards what was known before. */
export const findingClasses = ['fixed', 'new', 'still', 'unmasked', 'pre-existing', 'flaky'] as const;
export type FindingClass = (typeof findingClasses)[number];

/** The class of everything that one judgement found, and of what was fixed since the one before, by its key. */
export function classesOf(
  now: Assessment,
  { baseline }: Pick<RunState, 'baseline'>,
): Map<string, FindingClass> {
  const classes = new Map<string, FindingClass>(now.fixed.map((key) => [key, 'fixed']));
  const broken = new Set(now.broken);
  for (const { gate, verdict } of now.standings) {
    if (verdict.kind !== 'failed') continue;
    const known = idsOf(baseline.get(gate.name));
    for (const finding of verdict.findings) {
      const key = failureKeyFor(gate.name, finding.id);
      classes.set(key, classIn(key, finding, now, broken, known));
    }
  }
  return classes;
}

/** The findings of a baseline are looked up after every iteration, and may be thousands. */
const idsByVerdict = new WeakMap<Verdict, ReadonlySet<string>>();
const none: ReadonlySet<string> = new Set();

function idsOf(before: Verdict | undefined): ReadonlySet<string> {
  if (before?.kind !== 'failed') return none;
  const ids = idsByVerdict.get(before) ?? new Set(before.findings.map((one) => one.id));
  idsByVerdict.set(before, ids);
  return ids;
}

/**
 * Chance first: what passed in another try is flaky. Then what was not seen before: it is new, or it was hidden by
 * something that could not load. What was seen before was there before the run, or has come with it and stayed.
 */
function classIn(
  key: string,
  finding: Finding,
  now: Assessment,
  broken: ReadonlySet<string>,
  known: ReadonlySet<string>,
): FindingClass {
  if (finding.flaky) return 'flaky';
  if (now.current.iteration === 0) return 'pre-existing';
  if (now.unmaskedKeys.has(key)) return 'unmasked';
  if (broken.has(key)) return 'new';
  return known.has(finding.id) ? 'pre-existing' : 'still';
}

/** How many findings of each class the newest judgement has, also those that do not count against their gate. */
export function countClasses(state: RunState): Record<FindingClass, number> {
  const counts = Object.fromEntries(findingClasses.map((one) => [one, 0])) as Record<FindingClass, number>;
  const { lastJudged } = state;
  if (!lastJudged) return counts;
  const classes = classesOf(lastJudged, state);
  for (const { gate, verdict } of lastJudged.standings) {
    if (verdict.kind !== 'failed') continue;
    for (const finding of verdict.findings) counts[classes.get(failureKeyFor(gate.name, finding.id))!] += 1;
  }
  counts.fixed = lastJudged.fixed.filter((key) => gateOf(key) !== 'integrity').length;
  return counts;
}
