import * as z from 'zod';
import { Answer, FaultError, fault } from '@agentgate/core';

const text = z.string().min(1).max(20_000);
/** By which door it came, where that is not the command. */
const via = z.literal('api').optional();

/** A word from another process to the owner of a run. */
export const InboxRequest = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('stop'),
    note: z.string().max(2_000).optional(),
    /** Everything is killed, and the log stays open. */
    now: z.literal(true).optional(),
    via,
  }),
  z.object({ kind: z.literal('redirect'), text, via }),
  z.object({
    kind: z.literal('approval'),
    gate: z.string(),
    tree: z.string(),
    by: z.string().min(1).max(200),
    approved: z.boolean(),
    note: z.string().max(2_000).optional(),
  }),
  z.object({
    kind: z.literal('grant'),
    files: z
      .array(z.object({ path: z.string(), oid: z.string().nullable() }))
      .min(1)
      .max(1_000),
    by: z.string().min(1).max(200),
    note: z.string().max(2_000).optional(),
  }),
  z.object({
    kind: z.literal('answer'),
    answer: Answer,
    text: text.optional(),
    iteration: z.number().int().optional(),
    via,
  }),
]);
export type InboxRequest = z.infer<typeof InboxRequest>;

/** Refuses what the run would drop, so that nobody is told it was heard. */
export function checkRequest(request: InboxRequest): void {
  const issue = InboxRequest.safeParse(request).error?.issues[0];
  if (!issue) return;
  const what = issue.path.join('.');
  const size = issue.code === 'too_big' ? `longer than ${issue.maximum} characters` : 'empty or not readable';
  throw new FaultError(fault('usage', `the ${what} is ${size}; say it in other words`));
}

/** What is none of ours is dropped: anybody may write a file. */
export function parseRequest(text: string): InboxRequest[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // Not JSON: nobody of ours wrote it.
    return [];
  }
  const parsed = InboxRequest.safeParse(value);
  return parsed.success ? [parsed.data] : [];
}
