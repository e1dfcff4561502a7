import * as z from 'zod';
import { PlanRow } from './plan.ts';
import { RunRow, Standing } from './run.ts';
import { AnyPlanEvent, Problem, RunEvent } from './words.ts';

// A stream is a sequence of server-sent events. `id` is where a reader stands: whoever comes back with it as
// Last-Event-ID (a browser does so by itself), or as `?after=`, goes on behind it and misses nothing. Several
// recorded events come in one frame when they were recorded shortly after each other, or when the reader was slow.
// A comment keeps the connection alive while nothing happens.

/** How often a silent stream says that it is alive. */
export const heartbeatMs = 15_000;

/** The live events of one run. The id of `events` is the position of the last of them. */
export const runStream = {
  events: z.array(RunEvent),
  /** How it stands, first of all and whenever that changes, and the run that went on in its place. */
  standing: z.object({ standing: Standing, wentOnAs: z.string().nullable() }),
  /** The log is not what it was: forget everything, the events from the first on follow. */
  restart: z.object({}),
  /** The stream ends with it. */
  problem: Problem,
} as const;

/** The live events of one plan. */
export const planStream = {
  events: z.array(AnyPlanEvent),
  standing: z.object({ driven: z.boolean() }),
  restart: z.object({}),
  problem: Problem,
} as const;

/**
 * What changes in the lists. The first frame is empty and says that from now on nothing is missed: read the lists then.
 * Whoever comes back after the server was started again is told to read them anew.
 */
export const listStream = {
  changed: z.object({
    runs: z.array(RunRow),
    plans: z.array(PlanRow),
    /** Runs that were removed. */
    gone: z.array(z.object({ workspace: z.string(), runId: z.string() })),
  }),
  restart: z.object({}),
} as const;

type Frames<T extends Record<string, z.ZodType>> = { [K in keyof T]: z.output<T[K]> };
export type RunFrames = Frames<typeof runStream>;
export type PlanFrames = Frames<typeof planStream>;
export type ListFrames = Frames<typeof listStream>;
