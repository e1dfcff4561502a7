import * as z from 'zod';
import { Answer } from '@agentgate/core';

const text = z.string().min(1).max(20_000);

/** A word from another process to the owner of a run. */
export const InboxRequest = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('stop'), note: z.string().max(2_000).optional() }),
  z.object({ kind: z.literal('redirect'), text }),
  z.object({
    kind: z.literal('approval'),
    gate: z.string(),
    tree: z.string(),
    by: z.string().min(1).max(200),
    approved: z.boolean(),
    note: z.string().max(2_000).optional(),
  }),
  z.object({
    kind: z.literal('answer'),
    answer: Answer,
    text: text.optional(),
    iteration: z.number().int().optional(),
  }),
]);
export type InboxRequest = z.infer<typeof InboxRequest>;

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
