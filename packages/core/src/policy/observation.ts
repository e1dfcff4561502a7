import * as z from 'zod';

const count = z.int().min(0);
const measure = z.number().min(0);
const key = z.string().nullish();

/**
 * What is known of one iteration after its verdict. Numbers and short hashes only. Extra fields are allowed and
 * ignored, so that an iteration of a trace is an observation as it is.
 */
export const Observation = z.looseObject({
  ok: z.boolean(),
  /** 0 to 1, closeness to passing; what is graded below or above counts as the nearer end. */
  score: z.number(),
  passed: count.nullish(),
  failed: count.nullish(),
  total: count.nullish(),
  /** What kind of gate failed, or passed last. */
  gate: z.string(),
  /** Hash of the failing set with the values it showed; null or missing where it is not known. */
  failKey: key,
  failSet: key,
  /** How often in a row this failing set was seen before. Worked out from the keys where it is missing. */
  failRep: count.nullish(),
  /** Hash of what the agent left: its output, or its tree. */
  out: key,
  outChars: measure.nullish(),
  /** How many earlier iterations left the same. Worked out from `out` where it is missing. */
  rep: count.nullish(),
  /** 0 to 1, likeness to what the iteration before left. */
  sim: z.number().min(0).max(1).nullish(),
  costUsd: measure.nullish(),
  tokens: measure.nullish(),
  durationMs: measure.nullish(),
});
export type Observation = z.infer<typeof Observation>;

/** Whether an iteration goes on from the last one, begins anew from the first tree, or is a person's. */
export const modes = ['repair', 'restart', 'human-ci'] as const;
export type Mode = (typeof modes)[number];

/** A run after a failing iteration: all that a learned policy may know. */
export interface Situation {
  /** Who works: the agent, with its model where that is known. */
  agent: string;
  /** What it works on, within the project. */
  suite: string;
  mode: Mode;
  /** So many iterations can there be at most; null where nothing bounds them. */
  horizon: number | null;
  /** Oldest first; the last one is the failing one that is decided on. */
  iterations: readonly Observation[];
}
