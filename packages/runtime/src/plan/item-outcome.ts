import type { Event, ItemOutcome, RunState } from '@agentgate/core';

const mostSummary = 400;
const mostCaveats = 20;

/** What attempts before this one have used of the same run. */
export interface UsedBefore {
  iterations: number;
  activeMs: number;
  tokens: number;
  costUsd: number;
}

/** What lay in the workspace right before an attempt and right after it. */
export interface Trees {
  before: string;
  left: string;
}

/** What the outer loop keeps of a run. A run that was left open has used up its share, and nothing else. */
export function outcomeOf(
  state: RunState,
  events: readonly Event[],
  { before, recall, trees }: { before: UsedBefore; recall(ref: string): string | null; trees: Trees | null },
): ItemOutcome {
  const { ended } = state;
  const own = state.history.filter(({ iteration }) => iteration > before.iterations);
  const last = own.at(-1) ?? state.history.at(-1);
  const standings = (state.lastJudged ?? state.last)?.standings ?? [];
  const failing = standings.filter(({ passed, spared }) => !passed && !spared);
  const named = (severity: 'hard' | 'soft') =>
    failing.filter(({ gate }) => gate.severity === severity).map(({ gate }) => gate.name);
  const agent = events.findLast((one) => one.kind === 'agent.ended');
  const delivered = events.findLast((one) => one.kind === 'delivered');
  return {
    status: ended?.status ?? 'stopped',
    code: ended?.code ?? 'budget.session',
    reason: ended ? reasonOf(state.runId, ended) : 'its share of the session is used up',
    iterations: Math.max(0, state.iteration - before.iterations),
    activeMs: Math.max(0, state.activeMs - before.activeMs),
    tokens: state.tokens === null ? null : Math.max(0, state.tokens - before.tokens),
    costUsd: state.costUsd === null ? null : Math.max(0, state.costUsd - before.costUsd),
    tests: testsOf(state),
    tree: ended?.tree ?? last?.tree ?? null,
    before: trees?.before ?? state.firstTree ?? state.baseTree,
    left: trees?.left ?? last?.tree ?? null,
    commit: delivered?.commit ?? null,
    failures: own.filter(({ judged }) => judged).map(({ failures }) => failures),
    failureKey: last?.failureKey ?? '',
    work: last?.work ?? '',
    failing: named('hard'),
    soft: named('soft'),
    paths: [...new Set(own.flatMap(({ paths }) => paths))].slice(0, 50),
    summary: agent?.output ? lastWords(recall(agent.output) ?? '') : '',
    gaveUp: agent?.giveUp ?? null,
    ...(ended && ended.caveats.length > 0 ? { caveats: ended.caveats.slice(0, mostCaveats) } : {}),
    ...(agent?.proposal?.split ? { split: agent.proposal.split } : {}),
  };
}

/** What a person can do about it is said where it is all that is missing. */
const reasonOf = (runId: string, { code, reason }: { code: string; reason: string }): string =>
  code === 'integrity.needs-grant'
    ? `${reason}; agentgate restore ${runId} --to last brings its work back, agentgate approve ${runId} --grant allows the change, and agentgate plan redirect --retry takes it in`
    : reason;

/** How many tests the gates counted at the end, where they tell. */
function testsOf({ footing }: RunState): number | null {
  const counted = [...footing.counts.values()].filter(({ passed }) => passed !== null);
  return counted.length === 0
    ? null
    : counted.reduce((sum, { passed, failures }) => sum + passed! + failures, 0);
}

/** The end of what somebody said, in one line. */
export function lastWords(text: string, most = mostSummary): string {
  const line = text.trim().replace(/\s+/g, ' ');
  return line.length > most ? `…${line.slice(-most)}` : line;
}
