import { type Event, EventBody, type PlanEvent, PlanEventBody } from '@agentgate/core';
import * as z from 'zod';

/** Names as they stand in addresses. Nothing else reaches a path of the disk. */
export const WorkspaceId = z.string().regex(/^[\w.-]{1,255}-[0-9a-f]{12}$/, 'the id of a workspace');
export const RunId = z.string().regex(/^[2-9a-z]{6}$/, 'the id of a run: six letters and digits');
export const PlanId = z.string().regex(/^p[0-9a-f]{6}$/, 'the id of a plan');
export const Ref = z.string().regex(/^[0-9a-f]{40}$/, 'the reference of an output: 40 hexadecimal digits');
export const GateName = z.string().min(1).max(200);

/** A whole number in an address. */
export const whole = (least: number, most: number) => z.coerce.number().int().min(least).max(most);

const recorded = z.object({ v: z.number().int(), seq: z.number().int().positive(), at: z.string() });

/** An event of a run as it was recorded: its body, its version, its number in its own log, and when it was recorded. */
export const RunEvent: z.ZodType<Event> = z.intersection(recorded, EventBody);

/** An event of a plan, in the same way. */
export const AnyPlanEvent: z.ZodType<PlanEvent> = z.intersection(recorded, PlanEventBody);

/** Every refusal: what is wrong, where, and what to do next. */
export const Problem = z.object({
  kind: z.literal('refused'),
  code: z.string(),
  message: z.string(),
  /** What is wrong with the parts of a request, each with its path. */
  problems: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
});
export type Problem = z.infer<typeof Problem>;
