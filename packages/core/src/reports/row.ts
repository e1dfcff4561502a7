import type { Assessment, Standing } from '../assess.ts';
import { failureLabel } from '../failure.ts';
import type { BuildEnd, Changed } from '../event.ts';
import type { TestCounts } from '../finding.ts';
import type { Metrics } from '../progress.ts';
import type { Verdict } from '../verdict.ts';
import { line } from './escape.ts';

/** One gate in one iteration. */
export interface Cell {
  verdict: Verdict['kind'];
  passed: boolean;
  severity: 'hard' | 'soft';
  /** What counts against it. */
  findings: number;
  /** 0 to 1, closeness to passing. */
  level: number;
  tests?: TestCounts;
  /** An earlier green verdict on the same inputs. */
  cached?: true;
}

/** One iteration as reports tell it; number 0 is the baseline. */
export interface Row {
  iteration: number;
  at: string;
  build: BuildEnd['kind'] | null;
  judged: boolean;
  tree: string | null;
  changed: Omit<Changed, 'paths'> | null;
  gates: Record<string, Cell>;
  failures: number;
  /** At most 20 names each; the counts are whole. */
  fixed: string[];
  broken: string[];
  fixedCount: number;
  brokenCount: number;
  progress: Assessment['progress'];
  claim: string | null;
  metrics: Metrics;
  tokens: number | null;
  costUsd: number | null;
  tookMs: number;
  buildMs: number;
  gatesMs: number;
  /** Why the run went on after it, or ended. */
  because: { code: string; reason: string };
}

/** What was counted while the iteration was under way. */
export interface Spent {
  buildMs: number;
  gatesMs: number;
}

export function makeRow(now: Assessment, metrics: Metrics, spent: Spent, because: Row['because']): Row {
  const { current } = now;
  // Before the baseline there is nothing that could be fixed or broken.
  const fixed = current.iteration === 0 ? [] : now.fixed;
  const broken = current.iteration === 0 ? [] : now.broken;
  return {
    iteration: current.iteration,
    at: current.at,
    build: current.build?.kind ?? null,
    judged: now.judged,
    tree: current.tree,
    changed: changedOf(current.changed),
    gates: Object.fromEntries(
      now.standings.map((one) => [one.gate.name, makeCell(one, current.cached.has(one.gate.name))]),
    ),
    failures: now.failures.size,
    fixed: labels(fixed),
    broken: labels(broken),
    fixedCount: fixed.length,
    brokenCount: broken.length,
    progress: now.progress,
    claim: current.claim?.signal ?? null,
    metrics,
    tokens: current.tokens,
    costUsd: current.costUsd,
    tookMs: current.tookMs,
    ...spent,
    because,
  };
}

export function makeCell({ gate, verdict, passed, findings, level }: Standing, cached: boolean): Cell {
  const tests = verdict.kind === 'passed' || verdict.kind === 'failed' ? verdict.tests : undefined;
  return {
    verdict: verdict.kind,
    passed,
    severity: gate.severity,
    findings: findings.length,
    level,
    ...(tests ? { tests } : {}),
    ...(cached ? { cached: true as const } : {}),
  };
}

/** Failures for people, bounded: one run may have thousands. */
export const labels = (keys: Iterable<string>, most = 20): string[] =>
  [...keys].slice(0, most).map((key) => line(failureLabel(key), 200));

function changedOf(changed: Changed | null): Row['changed'] {
  if (!changed) return null;
  const { added, modified, deleted } = changed;
  return { added, modified, deleted };
}
