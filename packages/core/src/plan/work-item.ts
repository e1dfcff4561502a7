import type * as z from 'zod';
import type { GateInput } from '../spec.ts';
import type { Criterion, ItemLimits, PlanLimits } from './plan-file.ts';

/** One piece of work. Parts and alternatives are items of their own that name their parent. */
export interface WorkItem {
  id: string;
  title: string;
  /** What the agent is told; null for one that only stands for its parts or alternatives. */
  task: string | null;
  dependsOn: string[];
  parent: string | null;
  /** How those that name it as their parent resolve it; null where nobody does. */
  resolvedBy: 'all' | 'any' | null;
  /** Gates of its own, by name, as they were written. */
  gates: Record<string, z.input<typeof GateInput>>;
  acceptance: Criterion[];
  priority: number | null;
  weight: number;
  limits: ItemLimits;
  agent: unknown;
  paths: string[] | null;
  deferred: boolean;
  /** It was done before the plan began. */
  done: boolean;
}

/** A plan in one form, whatever file it came from: its items in their order, children behind their parents. */
export interface Plan {
  title: string;
  goal: string | null;
  /** What every agent is told before its own task. */
  context: string | null;
  items: WorkItem[];
  limits: PlanLimits;
  maxParallel: number;
  allowDeferredDeps: boolean;
  /** What the project's own spec said when the plan was read: an agent cannot change it under the plan. */
  base: Record<string, unknown>;
  /** Options of a run that hold for every item, as they were written. */
  run: Record<string, unknown>;
  /** Whether every item is judged by some gate, whatever it says itself. */
  hasSharedGates: boolean;
}

/** The id of the item that stands for the whole, where a plan says when it is done. */
export const goalId = 'goal';

/** Whether something of its own must hold beside what its parts brought. */
export const hasOwnGates = ({ gates, acceptance }: WorkItem): boolean =>
  Object.keys(gates).length > 0 || acceptance.some((one) => 'run' in one || 'judge' in one);

/**
 * Whether a gate or a hard criterion judges a piece of work: its own, or one of a group that it is an alternative of.
 * Groups may name each other in a plan that is written wrong.
 */
export function isJudged(item: WorkItem, find: (id: string) => WorkItem | undefined): boolean {
  const seen = new Set<WorkItem>();
  for (let one: WorkItem | undefined = item; one && !seen.has(one); ) {
    if (Object.keys(one.gates).length > 0) return true;
    if (one.acceptance.some((criterion) => 'run' in criterion && criterion.severity === 'hard')) return true;
    seen.add(one);
    const group: WorkItem | undefined = one.parent === null ? undefined : find(one.parent);
    one = group?.resolvedBy === 'any' ? group : undefined;
  }
  return false;
}
