import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { FaultError, type PlanEvent } from '@agentgate/core';
import { readLog, systemDisk, type WorkspaceHome } from '../store/index.ts';

/**
 * The runs of plans that are not complete: their items may go on from them. `all` where the log of a plan cannot be
 * read, since then nobody knows.
 */
export function runsOfOpenPlans({ dir }: WorkspaceHome): ReadonlySet<string> | 'all' {
  const plans = join(dir, 'plans');
  const needed = new Set<string>();
  for (const name of existsSync(plans) ? readdirSync(plans) : []) {
    const log = join(plans, name, 'log.jsonl');
    if (!existsSync(log)) continue;
    try {
      const { events } = readLog<PlanEvent>(log, systemDisk);
      if (!isComplete(events)) for (const runId of runsIn(events)) needed.add(runId);
    } catch (error) {
      if (!(error instanceof FaultError)) throw error;
      return 'all';
    }
  }
  return needed;
}

function isComplete(events: readonly PlanEvent[]): boolean {
  const last = events.findLast(({ kind }) => kind === 'session.started' || kind === 'session.ended');
  return last?.kind === 'session.ended' && last.status.startsWith('complete');
}

const runsIn = (events: readonly PlanEvent[]): string[] =>
  events.flatMap((one) =>
    one.kind === 'plan.decided' && 'runId' in one.decision ? [one.decision.runId] : [],
  );
