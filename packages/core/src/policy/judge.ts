import { observe } from './features.ts';
import { chanceAhead, type Eye, eyeOf, isKnown } from './hazard.ts';
import {
  enoughOfAgent,
  enoughSolvedLater,
  isUnpriced,
  type Law,
  shortText,
  type StoredModel,
  unpriced,
} from './model.ts';
import type { Observation, Situation } from './observation.ts';
import { reasonsOf } from './reasons.ts';

/** What a model says about going on after a failing iteration. */
export type Forecast =
  | {
      /** Nothing was learned for such runs: hybrid decides, and says so. */
      kind: 'unlearned';
      why: string;
    }
  | {
      kind: 'learned';
      continue: boolean;
      by: 'fixed' | 'stall' | 'adaptive';
      /** That the next iteration passes. */
      chance: number;
      /** What one more solve is expected to cost by going on: iterations, or dollars in `value` mode. */
      price: number;
      /** The most it may cost; null where the rule does not look at the price. */
      limit: number | null;
      /** The two strongest reasons for the chance, in plain words. */
      reasons: [string, string];
    };

/** Judges whether a run is worth another iteration. Pure: the same model and observations judge the same. */
export function judgeOn(model: StoredModel, situation: Situation): Forecast {
  const law = model.laws[situation.mode];
  if (!law || law.kind === 'hybrid') return { kind: 'unlearned', why: lack(law, model) };
  if (!isKnown(law.hazard, situation.agent)) return { kind: 'unlearned', why: stranger(situation.agent) };
  const iteration = situation.iterations.length;
  const features = observe(situation);
  const { agent, suite, iterations } = situation;
  const gate = iterations.at(-1)?.gate ?? '';
  const eye = eyeOf(law.hazard, { agent, suite, gate, iteration }, features);
  const unit = model.value?.iterationUsd ?? 1;
  const price = unit * priceOf(eye, law.hazard.lookahead, (situation.horizon ?? Infinity) - iteration);
  return {
    kind: 'learned',
    continue: goesOn(law, iterations, price),
    by: law.kind,
    chance: chanceAhead(eye, 1),
    price,
    limit: law.kind === 'adaptive' ? law.limit : null,
    reasons: reasonsOf(law.hazard, situation, features, eye),
  };
}

function goesOn(law: Exclude<Law, { kind: 'hybrid' }>, iterations: readonly Observation[], price: number) {
  switch (law.kind) {
    case 'fixed':
      return iterations.length < law.iterations;
    case 'stall':
      return sinceBest(iterations) < law.patience;
    case 'adaptive':
      return price <= law.limit;
  }
}

/** So many iterations have gone by since the best score rose last; the first one is the first best. */
export function sinceBest(iterations: readonly Observation[]): number {
  let best = -1;
  let at = 0;
  for (const [index, { score }] of iterations.entries()) {
    if (score <= best + 1e-9) continue;
    best = score;
    at = index;
  }
  return iterations.length - at;
}

/**
 * Iterations per expected solve, over the cheapest number of further iterations. Looking only one ahead would stop
 * an agent that explores first and solves later.
 */
export function priceOf(eye: Eye, lookahead: number, left: number): number {
  const far = Math.max(1, Math.min(lookahead, left));
  let open = 1;
  let spent = 0;
  let solved = 0;
  let cheapest = Infinity;
  for (let ahead = 1; ahead <= far; ahead++) {
    spent += open;
    const chance = chanceAhead(eye, ahead);
    solved += open * chance;
    open *= 1 - chance;
    cheapest = Math.min(cheapest, spent / Math.max(solved, 1e-12));
  }
  return cheapest;
}

function lack(law: Law | undefined, model: StoredModel): string {
  if (isUnpriced(model)) return unpriced;
  const short = shortText(law, model.target);
  if (short) return `${short}, and no rule that keeps them all saves 3 % more than hybrid`;
  const missing = law?.kind === 'hybrid' ? law.lacking : enoughSolvedLater;
  if (missing === 0) return 'no rule learned so far keeps enough of the solves';
  const runs = missing === 1 ? 'one more run' : `${missing} more runs`;
  return `it takes ${runs} that were solved after the first iteration to learn from`;
}

const stranger = (agent: string): string =>
  `fewer than ${enoughOfAgent} runs of ${agent} failed here so far, and other agents say little about it`;
