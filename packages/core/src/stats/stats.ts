import type { RunFacts } from './run-facts.ts';

/** What some runs came to together. */
export interface Tally {
  runs: number;
  /** Pieces of work: runs that go on from one another are one. */
  works: number;
  /** Of those, how many converged in the end. */
  solved: number;
  iterations: number;
  activeMs: number;
  /** Null where no agent told. */
  tokens: number | null;
  costUsd: number | null;
  /** What one solved piece of work cost, with all that was spent in vain; null where none was, or money is unknown. */
  costPerSolveUsd: number | null;
}

export interface Stats {
  all: Tally;
  byAgent: Record<string, Tally>;
  byStrategy: Record<string, Tally>;
  byProject: Record<string, Tally>;
  /** By the code of the ending; `open` for runs that have not ended. */
  byEnding: Record<string, Tally>;
}

/** What was spent, solved and stopped, in all and per agent, strategy, project and ending; the largest groups first. */
export function makeStats(facts: readonly RunFacts[]): Stats {
  return {
    all: tallyOf(facts),
    byAgent: grouped(facts, (one) => one.agent),
    byStrategy: grouped(facts, (one) => one.strategy),
    byProject: grouped(facts, (one) => one.project),
    byEnding: grouped(facts, (one) => one.code ?? 'open'),
  };
}

function grouped(facts: readonly RunFacts[], keyOf: (one: RunFacts) => string): Record<string, Tally> {
  const groups = new Map<string, RunFacts[]>();
  for (const one of facts) groups.set(keyOf(one), [...(groups.get(keyOf(one)) ?? []), one]);
  const tallies = [...groups].map(([key, some]) => [key, tallyOf(some)] as const);
  return Object.fromEntries(tallies.sort(([a, x], [b, y]) => y.runs - x.runs || (a < b ? -1 : 1)));
}

function tallyOf(facts: readonly RunFacts[]): Tally {
  const workOf = ({ project, work }: RunFacts): string => `${project}\n${work}`;
  const solved = new Set(facts.filter((one) => one.status === 'converged').map(workOf)).size;
  const costUsd = sum(facts.map((one) => one.costUsd));
  return {
    runs: facts.length,
    works: new Set(facts.map(workOf)).size,
    solved,
    iterations: sum(facts.map((one) => one.iterations)) ?? 0,
    activeMs: sum(facts.map((one) => one.activeMs)) ?? 0,
    tokens: sum(facts.map((one) => one.tokens)),
    costUsd,
    costPerSolveUsd: costUsd === null || solved === 0 ? null : Number((costUsd / solved).toFixed(6)),
  };
}

/** Null where nothing is known. */
function sum(values: readonly (number | null)[]): number | null {
  const known = values.filter((one) => one !== null);
  return known.length === 0 ? null : Number(known.reduce((a, b) => a + b, 0).toFixed(6));
}
