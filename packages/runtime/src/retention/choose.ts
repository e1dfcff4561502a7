/** What must be known of a run to say whether it may go. */
export interface KnownRun {
  runId: string;
  startedMs: number;
  /** Null while it has not ended, or while a plan may go on from it. */
  endedMs: number | null;
  parent: string | null;
}

/** Which runs a person wants to be rid of. */
export interface Rules {
  olderThanMs?: number;
  /** So many of the newest stay in any case; alone, all others go. */
  keep?: number;
  maxBytes?: number;
}

/** The runs that go by age and number. Never an open one, never the newest, never one that a kept run goes on from. */
export function chooseByAge(runs: readonly KnownRun[], rules: Rules, nowMs: number): string[] {
  const { olderThanMs, maxBytes, keep } = rules;
  if (olderThanMs === undefined && (keep === undefined || maxBytes !== undefined)) return [];
  const isOld = ({ endedMs }: KnownRun) =>
    olderThanMs === undefined || nowMs - (endedMs ?? nowMs) > olderThanMs;
  const going = droppable(runs, rules).filter(isOld);
  return withoutNeeded(runs, new Set(going.map(({ runId }) => runId)));
}

/** Of those that are left, the oldest that may go, with the runs that went on from it. Nothing when none may. */
export function chooseOldest(runs: readonly KnownRun[], rules: Rules, gone: ReadonlySet<string>): string[] {
  const left = runs.filter(({ runId }) => !gone.has(runId));
  const may = new Set(droppable(runs, rules).map(({ runId }) => runId));
  for (const { runId } of left.toSorted(byAge)) {
    const line = lineOf(runId, left);
    if (line.every((one) => may.has(one))) return line;
  }
  return [];
}

const byAge = (a: KnownRun, b: KnownRun): number => a.startedMs - b.startedMs;

function droppable(runs: readonly KnownRun[], { keep = 1 }: Rules): KnownRun[] {
  const beyond = runs.toSorted(byAge).toReversed().slice(Math.max(1, keep));
  return beyond.filter(({ endedMs }) => endedMs !== null);
}

/** A kept run is read after the runs it goes on from: they stay with it. */
function withoutNeeded(runs: readonly KnownRun[], going: Set<string>): string[] {
  const parents = new Map(runs.map(({ runId, parent }) => [runId, parent]));
  for (const { runId } of runs) {
    if (going.has(runId)) continue;
    for (let one = parents.get(runId) ?? null; one !== null; one = parents.get(one) ?? null)
      going.delete(one);
  }
  return [...going];
}

function lineOf(runId: string, runs: readonly KnownRun[]): string[] {
  const children = runs.filter(({ parent }) => parent === runId);
  return [runId, ...children.flatMap((child) => lineOf(child.runId, runs))];
}
