import * as z from 'zod';
import { GateName } from './words.ts';

// A request names what is to happen and never how: no command, path, environment or directory is a field of any
// of these, and a field that is not listed is refused.

const words = z.string().trim().min(1).max(20_000);
const note = z.string().max(2_000).optional();
/** Who says so, where the gate asks for somebody by name; the user who runs the server otherwise. */
const as = z.string().min(1).max(200).optional();
const added = z.number().positive();

export const StopRequest = z.strictObject({
  note,
  /** Everything is killed at once. */
  now: z.boolean().optional(),
});
export const RedirectRequest = z.strictObject({ text: words });
export const ResumeRequest = z.strictObject({
  addIterations: z.int().positive().max(10_000).optional(),
  addWallClockMs: added.max(30 * 86_400_000).optional(),
  addTokens: z.int().positive().max(1e12).optional(),
  addCostUsd: added.max(1e6).optional(),
  /** New words for the agent, beside the task. */
  redirect: words.optional(),
});
export const ApprovalRequest = z.strictObject({
  /** The only one that waits when it is left out. */
  gate: GateName.optional(),
  /** The tree that the person saw; refused when another one waits by now. */
  tree: z
    .string()
    .regex(/^[0-9a-f]{40}$/)
    .optional(),
  note,
  as,
});
export const GrantRequest = z.strictObject({
  /** Some of the files that wait for a grant; all of them when left out. */
  files: z.array(z.string().min(1)).min(1).max(1_000).optional(),
  note,
  as,
});
export const AnswerRequest = z.discriminatedUnion('answer', [
  z.strictObject({ answer: z.enum(['continue', 'stop', 'accept']) }),
  z.strictObject({ answer: z.literal('redirect'), text: words }),
]);
export const AcceptRequest = z.strictObject({});

const error = () =>
  'expected "best", "last", the number of an iteration such as 0, which is before the run, or 6 to 40 digits of a tree';

export const RestoreRequest = z.strictObject({
  /** `best`, `last`, an iteration (0 is before the run), or a tree of this run. */
  to: z
    .union(
      [
        z.enum(['best', 'last'], { error }),
        z.int({ error }).nonnegative({ error }),
        z.string({ error }).regex(/^[0-9a-f]{6,40}$/, { error }),
      ],
      { error },
    )
    .default('best'),
});
export const EmptyRequest = z.strictObject({});

export type StopRequest = z.infer<typeof StopRequest>;
export type RedirectRequest = z.infer<typeof RedirectRequest>;
export type ResumeRequest = z.infer<typeof ResumeRequest>;
export type ApprovalRequest = z.infer<typeof ApprovalRequest>;
export type GrantRequest = z.infer<typeof GrantRequest>;
export type AnswerRequest = z.infer<typeof AnswerRequest>;
export type RestoreRequest = z.infer<typeof RestoreRequest>;

/** The run was told; what comes of it is in its events. */
export const Told = z.object({
  kind: z.enum(['stopping', 'killed', 'redirected', 'answered', 'granted']),
  /** The run that hears it: a new one, linked to the old, where that had ended and goes on now. */
  runId: z.string(),
  /** Whether somebody drives the run and hears it now; otherwise it is kept for the next resume. */
  heard: z.boolean(),
});
export type Told = z.infer<typeof Told>;

export const Resumed = z.object({
  kind: z.literal('resumed'),
  /** The run that goes on: a new one, linked to the old, where that had ended. */
  runId: z.string(),
  pid: z.number().int(),
});
export type Resumed = z.infer<typeof Resumed>;

export const Restored = z.object({
  kind: z.literal('restored'),
  tree: z.string(),
  /** The tree that lay there before; it is kept. */
  before: z.string(),
  written: z.number().int(),
  deleted: z.number().int(),
});
export type Restored = z.infer<typeof Restored>;
