import { because } from './because.ts';
import type { PlanDecision } from './plan-decision.ts';
import { isDone, type PlanState } from './plan-state.ts';
import type { WorkItem } from './work-item.ts';

/** How often in one session an item that others broke is mended before it counts as stuck. */
export const mostMends = 2;

/**
 * What is done but was not judged since the workspace became another, if anything: others may have broken it. Its gates
 * are judged once more before the plan may be complete.
 */
export function judgeAgain(state: PlanState): PlanDecision | null {
  const item = unproven(state);
  return item === null
    ? null
    : {
        kind: 'judge-item',
        item: item.id,
        because: because(
          'item.again',
          `the workspace has changed since ${item.id} was judged, so its gates are judged once more`,
        ),
      };
}

/** Items inside of others come first: what is broken there is mended there. */
function unproven(state: PlanState): WorkItem | null {
  if (!state.session?.proves) return null;
  const { changedAt, records, rejudged } = state;
  const open = state.agenda.items.filter((item) => {
    const { status, code } = records.get(item.id)!;
    // What a person called done before the plan began is theirs to judge.
    return isDone(status) && code !== 'item.before' && !rejudged.has(item.id) && stands(state, item);
  });
  const isOld = ({ id }: WorkItem) => (records.get(id)!.proven?.at ?? 0) < changedAt;
  const own = open.filter((item) => isOld(item) && isJudgedItself(state, item));
  const next = own.find(({ resolvedBy }) => resolvedBy === null) ?? own.at(-1);
  if (next) return next;
  // The gates that all have in common were judged with whichever item was judged last.
  if (!state.plan.hasSharedGates || open.some((item) => !isOld(item))) return null;
  return open.find((item) => isOld(item) && item.resolvedBy === null) ?? null;
}

/** Whether it has gates that no other item is judged by; the gates of alternatives judge each of these. */
const isJudgedItself = ({ agenda }: PlanState, item: WorkItem): boolean =>
  item.resolvedBy !== 'any' && agenda.isJudgedAsWhole(item.id);

/** Whether it is part of the result: neither it nor what it is in was given up for another alternative. */
function stands({ agenda, failed, choices }: PlanState, item: WorkItem): boolean {
  for (let one = item; ; ) {
    if (failed.has(one.id)) return false;
    if (one.parent === null) return true;
    const group = agenda.item(one.parent);
    if (group.resolvedBy === 'any' && choices.get(group.id) !== one.id) return false;
    one = group;
  }
}

/** What comes of an item that was done and was judged once more. */
export function onRejudged(state: PlanState): PlanDecision | null {
  for (const id of state.rejudged) {
    const { judged } = state.records.get(id)!;
    if (judged === null || judged.unable !== null) continue;
    if (!judged.passed)
      return {
        kind: 'reopen',
        item: id,
        because: because(
          'item.broken',
          `${id} was done, and fails since others changed the workspace: ${judged.failing.join(', ')}`,
          { failing: judged.failing.slice(0, 20) },
        ),
      };
    const reason = judged.soft.map((gate) => `${gate} fails since it was done`).join('; ');
    return {
      kind: 'settle',
      item: id,
      status: 'done-with-caveats',
      because: because('goal.hard-only', reason, { open: judged.soft.length }),
    };
  }
  return null;
}
