import * as z from 'zod';
import { explores, modelVersion, StoredModel } from './policy/index.ts';

/**
 * What a run knows when it begins. It is written into its log, so that whatever is learned later changes no decision
 * of it. The model is kept as it was stored: one that this version cannot read is as good as none.
 */
export const Learned = z.object({
  /** The version of the model; null where there is none. */
  version: z.string().nullable(),
  model: z.record(z.string(), z.unknown()).nullable(),
  /** Why there is none. */
  why: z.string().optional(),
  /** One of the few runs that ignore the stop, so that it can be learned that stopping was wrong. */
  explores: z.boolean(),
});
export type Learned = z.infer<typeof Learned>;

/** What a run knows that begins with this model. */
export function learnedFrom(model: StoredModel | null, runId: string, why?: string): Learned {
  if (!model) return { version: null, model: null, explores: false, ...(why === undefined ? {} : { why }) };
  return { version: modelVersion(model), model, explores: explores(model, runId) };
}

/** The model of a run, or why it has none. */
export type Known =
  | { kind: 'known'; model: StoredModel; version: string; explores: boolean }
  | { kind: 'unknown'; why: string };

/** A run asks the same of one and the same value after each iteration. */
const read = new WeakMap<Learned, Known>();

/** Reads what a run knew when it began. */
export function readLearned(learned: Learned | null): Known {
  const known = (learned && read.get(learned)) ?? parseLearned(learned);
  if (learned) read.set(learned, known);
  return known;
}

function parseLearned(learned: Learned | null): Known {
  if (!learned?.model)
    return { kind: 'unknown', why: learned?.why ?? 'nothing was learned here before this run began' };
  const parsed = StoredModel.safeParse(learned.model);
  if (!parsed.success)
    return {
      kind: 'unknown',
      why: `the model ${learned.version ?? ''} is of another version, and cannot be read`,
    };
  return { kind: 'known', model: parsed.data, version: learned.version ?? '', explores: learned.explores };
}
