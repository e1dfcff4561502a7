import { FaultError, fault } from '@agentgate/core';
import type { Entry } from '@agentgate/runtime';
import type { Inbox, PlanRow, RunList, Standing } from '../contract/index.ts';
import { type House, waitingNow, workspaceId } from '../house.ts';
import { type Handlers, Json } from './handler.ts';

/** The lists of runs. */
export function runLists(
  house: House,
  readPlans: () => PlanRow[],
): Handlers<'GET /api/runs' | 'GET /api/inbox'> {
  return {
    async 'GET /api/runs'({ query }) {
      await house.refresh();
      const { limit, cursor } = query;
      const counts: RunList['counts'] = {};
      let withCaveats = 0;
      const isMatch = matcherOf(house, query);
      const found = house.catalogue.entries().filter((entry) => {
        const standing = house.standing(entry);
        counts[standing] = (counts[standing] ?? 0) + 1;
        if (standing === 'converged' && hasCaveats(entry)) withCaveats += 1;
        return isMatch(entry, standing);
      });
      const from = cursor === undefined ? 0 : placeBehind(found, cursor);
      const page = found.slice(from, from + limit);
      const next = from + limit < found.length ? cursorOf(page.at(-1)!) : null;
      const rest = JSON.stringify({ next, total: found.length, counts, withCaveats }).slice(1);
      return new Json(`{"runs":[${page.map((one) => house.rowText(one)).join(',')}],${rest}`);
    },
    async 'GET /api/inbox'() {
      await house.refresh();
      const waiting: Inbox['waiting'] = house.catalogue.entries().flatMap((entry) => {
        // Most runs wait for nobody, and then nothing more is asked of them.
        if (!entry.summary || entry.summary.waiting.length === 0) return [];
        const run = house.row(entry);
        return run.waiting.map((asks) => ({ run, asks, since: run.askedAt ?? run.lastAt }));
      });
      const criteria = readPlans().flatMap((plan) => plan.unticked.map((one) => ({ ...one, plan })));
      return { waiting: waiting.toSorted(longestFirst), criteria: criteria.toSorted(longestFirst) };
    },
  };
}

const longestFirst = (one: { since: string }, other: { since: string }): number =>
  one.since < other.since ? -1 : 1;

interface Filter {
  workspace?: string | undefined;
  standing?: Standing[] | undefined;
  q?: string | undefined;
  waiting?: 'true' | 'false' | undefined;
  caveats?: 'true' | 'false' | undefined;
}

/** Done, with something to know beside it. */
const hasCaveats = ({ summary }: Entry): boolean =>
  summary?.ended?.status === 'partial' ||
  (summary?.ended?.status === 'converged' && summary.ended.caveats > 0);

function matcherOf(house: House, { workspace, standing: some, q, waiting, caveats }: Filter) {
  const words = q?.toLowerCase();
  return (entry: Entry, standing: Standing): boolean => {
    if (some !== undefined && !some.includes(standing)) return false;
    if (workspace !== undefined && workspaceId(entry.home) !== workspace) return false;
    const asks = () => waitingNow(entry, standing, house.wentOnAs(entry)).length > 0;
    if (caveats !== undefined && hasCaveats(entry) !== (caveats === 'true')) return false;
    if (waiting !== undefined && asks() !== (waiting === 'true')) return false;
    return (
      words === undefined ||
      entry.runId.startsWith(words) ||
      (entry.summary?.task ?? '').toLowerCase().includes(words)
    );
  };
}

// A cursor names the last run of a page by what the list is sorted by, so that new runs shift nothing.
const cursorOf = ({ summary, home, runId }: Entry): string =>
  `${summary?.startedAt ?? ''}~${runId}~${workspaceId(home)}`;

function placeBehind(entries: readonly Entry[], cursor: string): number {
  const [startedAt, runId] = cursor.split('~');
  if (startedAt === undefined || runId === undefined)
    throw new FaultError(fault('request.invalid', 'the cursor is none that this server gave'));
  const exact = entries.findIndex((one) => cursorOf(one) === cursor);
  if (exact !== -1) return exact + 1;
  const behind = entries.findIndex((one) => (one.summary?.startedAt ?? '') < startedAt);
  return behind === -1 ? entries.length : behind;
}
