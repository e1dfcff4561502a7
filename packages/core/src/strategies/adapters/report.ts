import type { LevelResult } from '../../verdict.ts';
import type { GateView, StrategyContext } from '../strategy.ts';

/** What the verification found, as the one-callback and the lifecycle shapes know it (R-001-11). */
export interface VerificationReport {
  passed: boolean;
  /** By level where a gate has levels, by gate where it has none. */
  levels: Record<string, { passed: boolean; checks: { name: string; passed: boolean; output: string }[] }>;
  overall: { passed: boolean };
}

/** The report of one iteration; null when nothing was verified, which is not the same as failing. */
export function reportOf({ gates, goalSatisfied }: StrategyContext): VerificationReport | null {
  if (gates.length === 0) return null;
  const levels: VerificationReport['levels'] = {};
  for (const gate of gates) {
    for (const { level, passed, checks } of levelsOf(gate)) {
      const before = levels[level];
      levels[level] = {
        passed: passed && (before?.passed ?? true),
        checks: [...(before?.checks ?? []), ...checks],
      };
    }
  }
  const passed = goalSatisfied || gates.every((gate) => gate.passed);
  return { passed, levels, overall: { passed } };
}

type Level = VerificationReport['levels'][string] & { level: string };

// A level that was skipped or not run has neither passed nor failed, so the report does not name it.
function levelsOf(gate: GateView): Level[] {
  if (gate.levels.length === 0) return [{ level: gate.name, passed: gate.passed, checks: checksOf(gate) }];
  return gate.levels
    .filter(({ status }) => status === 'passed' || status === 'failed')
    .map(({ level, status, checks }) => ({
      level,
      passed: status === 'passed',
      checks: checks.map(({ name, passed, output }) => ({ name, passed, output: output ?? '' })),
    }));
}

function checksOf({ name, passed, failures, verdict }: GateView): Level['checks'] {
  if (passed) return [{ name, passed: true, output: '' }];
  if (failures.length === 0) return [{ name, passed: false, output: `the gate is ${verdict}` }];
  return failures.map((title) => ({ name: title, passed: false, output: title }));
}

// Not the spec's own list: this file travels into the process of a strategy, where no schemas are wanted.
const levelNames: readonly LevelResult['level'][] = ['L0', 'L1', 'L2', 'L3'];

/** The highest level that passed with every level below it (C-51); null when not even the first did. */
export function highestLevelOf({ levels }: VerificationReport): string | null {
  const firstGap = levelNames.findIndex((level) => levels[level]?.passed !== true);
  return levelNames[(firstGap === -1 ? levelNames.length : firstGap) - 1] ?? null;
}
