import type { PlanNode } from '@agentgate/core';
import * as z from 'zod';
import { AnyPlanEvent, WorkspaceId } from './words.ts';

const short = z.string().min(1).max(2_000);
const item = z.string().min(1).max(200);

/** A criterion of an item whose work is done, which only a person can judge. */
export const Unticked = z.object({
  item: z.string(),
  /** Counted from 1, as it is ticked. */
  criterion: z.number().int(),
  text: z.string(),
  /** When the work was done. */
  since: z.string(),
});

/** A plan in a list. */
export const PlanRow = z.object({
  workspace: WorkspaceId,
  root: z.string(),
  planId: z.string(),
  /** The file that it came from. */
  file: z.string(),
  title: z.string(),
  startedAt: z.string(),
  lastAt: z.string(),
  driven: z.boolean(),
  /** How its newest session ended; null while it is under way or was cut short. */
  status: z.string().nullable(),
  resolved: z.number().int(),
  pending: z.number().int(),
  budget: z.object({ used: z.number(), max: z.number() }),
  healthy: z.boolean(),
  /** What waits for the tick of a person. */
  unticked: z.array(Unticked),
  damage: z.string().nullable(),
});
export type Unticked = z.infer<typeof Unticked>;
export type PlanRow = z.infer<typeof PlanRow>;
export const PlanList = z.object({ plans: z.array(PlanRow) });
export type PlanList = z.infer<typeof PlanList>;

/** An item with all below it. */
export const PlanItem: z.ZodType<PlanNode> = z.object({
  id: z.string(),
  title: z.string(),
  status: z.string(),
  blocked: z.boolean(),
  reason: z.string().nullable(),
  caveats: z.array(z.string()),
  used: z.number(),
  limit: z.number(),
  moved: z.number(),
  dependsOn: z.array(z.string()),
  chosen: z.boolean().nullable(),
  resolvedBy: z.enum(['all', 'any']).nullable(),
  runs: z.array(z.string()),
  unticked: z.array(z.object({ criterion: z.number().int(), text: z.string() })),
  get children() {
    return z.array(PlanItem);
  },
});

/** A plan as its log leaves it. */
export const PlanDetail = z.object({
  plan: PlanRow,
  position: z.number().int(),
  items: z.array(PlanItem),
  metrics: z.object({
    iteration: z.number(),
    pending: z.number(),
    resolved: z.number(),
    stalls: z.number(),
    switches: z.number(),
    potential: z.number(),
  }),
  health: z.object({ healthy: z.boolean(), reasons: z.array(z.string()) }),
  session: z.object({
    session: z.number(),
    items: z.array(
      z.object({
        id: z.string(),
        status: z.string(),
        iterations: z.number(),
        tests: z.number(),
        commit: z.string().nullable(),
      }),
    ),
    done: z.number(),
    attempted: z.number(),
    iterations: z.number(),
    tests: z.number(),
    stuck: z.number(),
    budget: z.object({ used: z.number(), max: z.number() }),
    status: z.string().nullable(),
    code: z.string().nullable(),
    reason: z.string().nullable(),
    /** Null: from what the session had left. */
    moves: z.array(
      z.object({ from: z.string().nullable(), to: z.string(), iterations: z.number(), reason: z.string() }),
    ),
  }),
  /** Alternatives that were given up, and for which. */
  trail: z.array(
    z.object({ group: z.string(), from: z.string(), to: z.string().nullable(), reason: z.string() }),
  ),
  corrections: z.array(z.object({ kind: z.string(), text: z.string() })),
});
export type PlanDetail = z.infer<typeof PlanDetail>;

export const PlanEventPage = z.object({
  events: z.array(AnyPlanEvent),
  after: z.number().int(),
  position: z.number().int(),
});
export type PlanEventPage = z.infer<typeof PlanEventPage>;

export const PlanStopRequest = z.strictObject({ note: short.optional() });
/** Items can be taken out, put off or tried again; new ones have commands of their own and come from the plan's file. */
export const PlanRedirectRequest = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('objective'), goal: z.string().min(1).max(20_000) }),
  z.strictObject({ kind: z.literal('constraint'), text: z.string().min(1).max(20_000) }),
  z.strictObject({
    kind: z.literal('graph'),
    remove: z.array(item).max(1_000).default([]),
    defer: z.array(item).max(1_000).default([]),
    retry: z.array(item).max(1_000).default([]),
    note: short.optional(),
  }),
  z.strictObject({ kind: z.literal('binding'), item, text: z.string().min(1).max(20_000) }),
]);
export const PlanTickRequest = z.strictObject({
  item,
  /** Counted from 1, as they are shown. */
  criterion: z.int().positive(),
  met: z.boolean().default(true),
  note: short.optional(),
  as: z.string().min(1).max(200).optional(),
});

export const PlanTold = z.object({
  kind: z.literal('said'),
  planId: z.string(),
  /** `heard` by whoever drives it; `recorded` for the next session. */
  how: z.enum(['heard', 'recorded']),
});
export type PlanTold = z.infer<typeof PlanTold>;
