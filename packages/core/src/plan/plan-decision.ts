import * as z from 'zod';
import { Condition } from '../decision.ts';
import { planEndings } from './plan-ending.ts';

/** What the outer loop knows about an item. Groups take theirs from their children. */
export const itemStatuses = [
  'not-started',
  'in-progress',
  'done',
  'done-with-caveats',
  'stuck',
  'deferred',
] as const;
export const ItemStatus = z.enum(itemStatuses);
export type ItemStatus = z.infer<typeof ItemStatus>;

/** What is different about an attempt. `go-on`: nothing, it was only cut short. */
export const approaches = [
  'first',
  'go-on',
  'different',
  'informed',
  'resolve',
  'integrate',
  'mend',
] as const;

const item = z.string();
const because = Condition;
const whole = z.number().int();

/** What the outer loop does next. Recorded before it is performed. */
export const PlanDecision = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('run-item'),
    item,
    attempt: whole,
    runId: z.string(),
    /** The run that this one goes on from. */
    from: z.string().nullable(),
    /** How many iterations that one and those before it had. */
    since: whole,
    approach: z.enum(approaches),
    /** So many iterations are reserved for it. */
    iterations: whole,
    place: z.enum(['workspace', 'worktree']),
    because,
  }),
  /** Gates of an item are judged without an agent: the whole, one whose parts are there, or one that is done, once more. */
  z.object({ kind: z.literal('judge-item'), item, because }),
  /** The work of a worktree is brought into the workspace and judged there. */
  z.object({ kind: z.literal('merge-item'), item, attempt: whole, because }),
  /** What the attempts at an item left is taken out of the workspace. */
  z.object({
    kind: z.literal('revert-item'),
    item,
    /** What lay there before each piece of its work and after it, oldest first. */
    works: z.array(z.object({ before: z.string(), left: z.string() })),
    because,
  }),
  /** An agent looks into something and changes nothing. */
  z.object({
    kind: z.literal('probe'),
    item,
    runId: z.string(),
    about: z.enum(['information', 'graph']),
    because,
  }),
  z.object({ kind: z.literal('settle'), item, status: ItemStatus, because }),
  /** It was done, and others have broken it since: it is to be mended. */
  z.object({ kind: z.literal('reopen'), item, because }),
  /** Another alternative is tried; the one before it failed. */
  z.object({ kind: z.literal('choose'), group: item, from: item, to: item.nullable(), because }),
  z.object({ kind: z.literal('split'), item, because }),
  /** The parts are given up, and the item is done as one piece. */
  /** What an agent proposed and nobody can take: its parts, or items that it said need not wait. */
  z.object({
    kind: z.literal('drop-proposal'),
    item,
    parts: z.boolean(),
    drop: z.array(z.string()),
    because,
  }),
  z.object({ kind: z.literal('reintegrate'), item, because }),
  /** From a stuck item, or from what the session has left (null). */
  z.object({ kind: z.literal('move-budget'), from: item.nullable(), to: item, iterations: whole, because }),
  z.object({ kind: z.literal('drop-dependency'), item, dependency: item, because }),
  z.object({ kind: z.literal('redirect'), because }),
  /** Nothing can begin before something that is under way has ended. */
  z.object({ kind: z.literal('wait'), because }),
  z.object({
    kind: z.literal('end-session'),
    status: z.enum(planEndings),
    because,
    /** Whatever else held: a stop, a stall, a limit. */
    also: z.array(Condition).optional(),
  }),
]);
export type PlanDecision = z.infer<typeof PlanDecision>;
export type PlanDecisionOf<K extends PlanDecision['kind']> = Extract<PlanDecision, { kind: K }>;
