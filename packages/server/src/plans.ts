import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import {
  FaultError,
  foldPlan,
  planHealth,
  planMetrics,
  type PlanNode,
  planTree,
  type PlanEvent,
  type PlanState,
  sessionReport,
} from '@agentgate/core';
import { isPlanDriven, openPlanStore, type WorkspaceHome } from '@agentgate/runtime';
import type { PlanRow, Unticked } from './contract/index.ts';
import { type House, workspaceId } from './house.ts';

/** The plans of a house, newest first; each log is read again only when it has changed. */
export function makePlanShelf(house: House): () => PlanRow[] {
  const known = new Map<string, { stamp: string; row: PlanRow }>();
  return () => {
    const rows = house.homes().flatMap((home) =>
      plansIn(home).map((planId) => {
        const log = join(home.plans, planId, 'log.jsonl');
        const { size, mtimeMs } = statSync(log);
        const stamp = `${size} ${mtimeMs}`;
        const before = known.get(log);
        const row = before?.stamp === stamp ? before.row : readRow(home, planId);
        known.set(log, { stamp, row });
        return { ...row, driven: row.status === null && isPlanDriven(home, planId) };
      }),
    );
    return rows.toSorted((one, other) => (one.startedAt < other.startedAt ? 1 : -1));
  };
}

function plansIn(home: WorkspaceHome): string[] {
  const dir = home.plans;
  if (!existsSync(dir)) return [];
  return readdirSync(dir).filter((name) => existsSync(join(dir, name, 'log.jsonl')));
}

function readRow(home: WorkspaceHome, planId: string): PlanRow {
  try {
    const events = openPlanStore(home.plans).read(planId);
    return planRow(home, events, foldPlan(events));
  } catch (error) {
    if (!(error instanceof FaultError)) throw error;
    return { ...emptyRow(home, planId), damage: error.fault.message };
  }
}

/** A plan in a line. */
export function planRow(home: WorkspaceHome, events: readonly PlanEvent[], state: PlanState): PlanRow {
  const metrics = planMetrics(state);
  const { status, budget } = sessionReport(state);
  return {
    ...emptyRow(home, state.planId),
    file: state.file,
    title: state.plan.title,
    startedAt: events[0]?.at ?? '',
    lastAt: events.at(-1)?.at ?? '',
    driven: isPlanDriven(home, state.planId),
    status,
    resolved: metrics.resolved,
    pending: metrics.pending,
    budget,
    healthy: planHealth(state).healthy,
    unticked: untickedIn(events, planTree(state)),
  };
}

/** Before the work is done there is nothing to judge; an alternative that was given up needs no word. */
function untickedIn(events: readonly PlanEvent[], nodes: readonly PlanNode[]): Unticked[] {
  return nodes
    .filter(({ chosen }) => chosen !== false)
    .flatMap(({ id, status, unticked, children }) => {
      const isDone = status === 'done' || status === 'done-with-caveats';
      const ended = events.findLast((one) => one.kind === 'item.ended' && one.item === id) ?? events.at(-1);
      const since = ended?.at ?? '';
      const own = isDone ? unticked.map((one) => ({ item: id, ...one, since })) : [];
      return [...own, ...untickedIn(events, children)];
    });
}

const emptyRow = (home: WorkspaceHome, planId: string): PlanRow => ({
  workspace: workspaceId(home),
  root: home.root,
  planId,
  file: '',
  title: planId,
  startedAt: '',
  lastAt: '',
  driven: false,
  status: null,
  resolved: 0,
  pending: 0,
  budget: { used: 0, max: 0 },
  healthy: false,
  unticked: [],
  damage: null,
});
