import {
  isUnpriced,
  type Law,
  type Learned,
  readLearned,
  shortText,
  type StoredModel,
  unpriced,
} from '@agentgate/core';
import { plural } from './words.ts';

/** What a run under `adaptive` knows when it begins, in one line. */
export function learnedText(learned: Learned): string {
  const known = readLearned(learned);
  if (known.kind === 'unknown') return `hybrid decides: ${known.why}`;
  const { model, version, explores } = known;
  const rule = ruleText(model);
  const from = `model ${version.slice(0, 8)} of ${plural(model.seen.runs, 'run')}`;
  const ignores =
    explores && !rule.startsWith('hybrid') ? '; this run goes on a little where it would stop, to learn' : '';
  return `${rule} (${from}${ignores})`;
}

/** How a model stops runs that go on from one iteration to the next, and what it cannot promise. */
function ruleText(model: StoredModel): string {
  if (isUnpriced(model)) return `hybrid decides: ${unpriced}`;
  const { repair: law } = model.laws;
  const short = shortText(law, model.target);
  return short ? `${bareText(law)}; ${short}` : bareText(law);
}

function bareText(law: Law | undefined): string {
  switch (law?.kind) {
    case 'fixed':
      return `stops after ${plural(law.iterations, 'iteration')}`;
    case 'stall':
      return `stops ${plural(law.patience, 'iteration')} after the best`;
    case 'adaptive':
      return `stops where a solve would cost more than ${Number(law.limit.toPrecision(2))}`;
    default:
      if (law?.short) return 'hybrid decides: no rule that keeps all solves on record saves 3 % more';
      return law && law.lacking > 0
        ? `hybrid decides until ${plural(law.lacking, 'more run')} are solved after the first iteration`
        : 'hybrid decides: no rule learned so far keeps enough of the solves';
  }
}
