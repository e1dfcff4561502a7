import { existsSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { FaultError, type PlanEvent } from '@agentgate/core';
import { readLog, systemDisk, type WorkspaceHome } from '../store/index.ts';
import { dropPlanRefs, plansWithRefs } from '../workspace/tidy.ts';

/** What must be known of a plan to say whether it may go. */
export interface KnownPlan {
  planId: string;
  startedMs: number;
  isComplete: boolean;
  runIds: string[];
}

/** The plans of a workspace; null where the log of one cannot be read, since then nobody knows what it needs. */
export function plansOf(home: WorkspaceHome): KnownPlan[] | null {
  const dir = home.plans;
  const plans: KnownPlan[] = [];
  for (const planId of namesIn(dir)) {
    const log = logOf(dir, planId);
    if (!existsSync(log)) continue;
    try {
      plans.push({ planId, ...factsOf(readLog<PlanEvent>(log, systemDisk).events) });
    } catch (error) {
      if (!(error instanceof FaultError)) throw error;
      return null;
    }
  }
  return plans;
}

/** The runs of plans that are not complete: their items may go on from them. */
export const runsOfOpenPlans = (plans: readonly KnownPlan[]): ReadonlySet<string> =>
  new Set(plans.filter(({ isComplete }) => !isComplete).flatMap(({ runIds }) => runIds));

/** A complete plan goes with the last of its runs. The newest plan stays, as the newest run does. */
export function choosePlans(plans: readonly KnownPlan[], isLeft: (runId: string) => boolean): string[] {
  const newest = Math.max(...plans.map(({ startedMs }) => startedMs));
  return plans
    .filter((plan) => plan.isComplete && plan.startedMs < newest && !plan.runIds.some(isLeft))
    .map(({ planId }) => planId);
}

/** Without its log a plan is none, so that a crash in between leaves work for the next prune and no half a plan. */
export function dropPlans(home: WorkspaceHome, planIds: readonly string[]): void {
  const dir = home.plans;
  for (const planId of planIds) rmSync(logOf(dir, planId));
  for (const name of namesIn(dir))
    if (!existsSync(logOf(dir, name))) rmSync(join(dir, name), { recursive: true, force: true });
  for (const planId of plansWithRefs(home.gitDir))
    if (!existsSync(logOf(dir, planId))) dropPlanRefs(home.gitDir, planId);
}

const logOf = (dir: string, planId: string): string => join(dir, planId, 'log.jsonl');

const namesIn = (dir: string): string[] => (existsSync(dir) ? readdirSync(dir) : []);

function factsOf(events: readonly PlanEvent[]): Omit<KnownPlan, 'planId'> {
  const last = events.findLast(({ kind }) => kind === 'session.started' || kind === 'session.ended');
  return {
    startedMs: Date.parse(events[0]?.at ?? ''),
    isComplete: last?.kind === 'session.ended' && last.status.startsWith('complete'),
    runIds: events.flatMap((one) =>
      one.kind === 'plan.decided' && 'runId' in one.decision ? [one.decision.runId] : [],
    ),
  };
}
