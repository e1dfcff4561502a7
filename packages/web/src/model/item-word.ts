import type { PlanNode } from '@agentgate/core';

/** How an item stands, in one word for the drawing, the table and its own card. */
export function itemWord({ status, blocked, chosen }: PlanNode): string {
  if (status !== 'not-started') return status;
  if (chosen === false) return 'not-chosen';
  return blocked ? 'blocked' : status;
}
