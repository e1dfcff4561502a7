import * as z from 'zod';
import { hash64 } from '../text/index.ts';
import { featureNames, featuresVersion } from './features.ts';
import { modes } from './observation.ts';

const finite = z.number();
const share = z.number().min(0).max(1);
const count = z.int().min(0);
/** Log odds by iteration that is about to begin, from the second on; the last one counts for all later ones. */
const byIteration = z.array(finite).min(1);
const perFeature = z.array(finite).length(featureNames.length);

/** The chance that an iteration passes, given that none did so far. */
export const Hazard = z.strictObject({
  features: z.literal(featuresVersion),
  /** Log odds of everybody, the ground on which the groups stand. */
  base: byIteration,
  /**
   * Log odds by agent, and by agent and suite, already drawn towards the ground where little was seen. Agents of which
   * too little was recorded are left out.
   */
  groups: z.record(z.string(), z.strictObject({ rate: finite, byIteration })),
  gates: z.record(z.string(), finite),
  means: perFeature,
  scales: perFeature,
  /** Added to the log odds; `ahead` counts per logarithm of how far ahead the iteration lies. */
  weights: perFeature,
  ahead: perFeature,
  intercept: finite,
  aheadIntercept: finite,
  /** Of the gate's own log odds, so much is added. */
  gateWeight: finite,
  gateAhead: finite,
  /** So many iterations are looked ahead. */
  lookahead: z.int().min(1).max(100),
});
export type Hazard = z.infer<typeof Hazard>;

/** Solves on record, and how many the promise needs: only where they are too few for it. */
const Short = z.strictObject({ solves: count, needed: count });

const learned = {
  hazard: Hazard,
  /** What the choice between the rules rests on, cross-fitted on the recorded runs. */
  expected: z.strictObject({ retained: share, saved: finite }),
  short: Short.optional(),
};

/** How runs of one mode are stopped. */
export const Law = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('hybrid'),
    /** So many solves after the first iteration are still missing before anything is learned. */
    lacking: count,
    short: Short.optional(),
  }),
  z.strictObject({ kind: z.literal('fixed'), iterations: z.int().min(1), ...learned }),
  z.strictObject({ kind: z.literal('stall'), patience: z.int().min(1), ...learned }),
  z.strictObject({
    kind: z.literal('adaptive'),
    /** The most that one more solve may cost, in iterations or, in `value` mode, in dollars. */
    limit: z.number().positive(),
    ...learned,
  }),
]);
export type Law = z.infer<typeof Law>;

/** What was learned from the recorded runs of one project, as it is stored. */
export const StoredModel = z.strictObject({
  v: z.literal(1),
  /** What whoever reads the file must know first. */
  note: z.string().optional(),
  target: share,
  mode: z.enum(['retention', 'value']),
  /** What a solve is worth, in dollars, and what an iteration costs on average; only in `value` mode. */
  value: z.strictObject({ solveUsd: z.number().positive(), iterationUsd: z.number().positive() }).nullable(),
  /** The share of runs that ignore the stop, so that it can be learned that stopping was wrong. */
  explore: share,
  seen: z.strictObject({ runs: count, solved: count, solvedLater: count, tasks: count, decisions: count }),
  laws: z.partialRecord(z.enum(modes), Law),
});
export type StoredModel = z.infer<typeof StoredModel>;

/** The version of a model: equal contents have equal names. */
export const modelVersion = (model: StoredModel): string => hash64(JSON.stringify(model));

/** So many runs have to be solved after the first iteration before anything is learned from them. */
export const enoughSolvedLater = 10;

/** Of an agent so many runs have to be recorded before the model decides about its runs. */
export const enoughOfAgent = 5;

/** With fewer solves on record than these, losing any one of them is more than a promise allows. */
export const solvesFor = (target: number): number => Math.ceil(1 / (1 - target) - 1 - 1e-9);

/** `a promise of 99 % needs 99 solves; 40 are recorded`; null where there are enough for it. */
export function shortText(law: Law | undefined, target: number): string | null {
  if (!law?.short) return null;
  const { solves, needed } = law.short;
  const promise = `a promise of ${Number((100 * target).toPrecision(6))} %`;
  return `${promise} needs ${needed} solve${needed === 1 ? '' : 's'}; ${solves} ${solves === 1 ? 'is' : 'are'} recorded`;
}

/** Why hybrid decides in `value` mode where the record has no costs. */
export const unpriced =
  'no agent here told what an iteration costs, so it cannot be weighed against the value of a solve; record costs (an agent that tells them), or use mode=retention, which needs none';

/** Whether a solve was to be weighed against costs that nobody told. */
export const isUnpriced = ({ mode, value, seen }: StoredModel): boolean =>
  mode === 'value' && value === null && seen.runs > 0;

/** The model of a project in which nothing was recorded yet. */
export const blankModel = (target: number, explore = 0.05): StoredModel => ({
  v: 1,
  target,
  mode: 'retention',
  value: null,
  explore,
  seen: { runs: 0, solved: 0, solvedLater: 0, tasks: 0, decisions: 0 },
  laws: {},
});

/**
 * Whether a run ignores the stop of its model. Drawn from the run's id and the model's version, so the same log
 * decides the same way, and nothing about the task has a say in it.
 */
export function explores(model: StoredModel, runId: string): boolean {
  const drawn = Number.parseInt(hash64(`${modelVersion(model)}:${runId}`).slice(0, 8), 16) / 2 ** 32;
  return drawn < model.explore;
}
