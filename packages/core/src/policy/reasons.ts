import { type Eye } from './hazard.ts';
import { type FeatureName, featureNames } from './features.ts';
import type { Hazard } from './model.ts';
import type { Situation } from './observation.ts';

/** The two things that move the chance the most, in plain words. */
export function reasonsOf(
  hazard: Hazard,
  situation: Situation,
  features: Float64Array,
  eye: Eye,
): [string, string] {
  const rateBase = hazard.base[Math.min(eye.iteration - 1, hazard.base.length - 1)]!;
  const rate = eye.rates[Math.min(eye.iteration - 1, eye.rates.length - 1)]!;
  const parts = new Map<string, number>();
  const add = (about: string, by: number) => parts.set(about, (parts.get(about) ?? 0) + by);
  add('agent', rate - rateBase);
  add('iteration', rateBase - hazard.base[0]!);
  for (const [at, name] of featureNames.entries()) {
    add(aboutOf[name], hazard.weights[at]! * ((features[at]! - hazard.means[at]!) / hazard.scales[at]!));
  }
  const [first, second] = [...parts].sort(([, a], [, b]) => Math.abs(b) - Math.abs(a));
  const tell = ([about, by]: [string, number]) => `${sentence(about, situation)}: ${effect(by)}`;
  return [tell(first!), tell(second!)];
}

const effect = (by: number): string => (by < 0 ? 'speaks against the next one' : 'speaks for the next one');

/** Features that say one thing together are told as one. */
const aboutOf: Record<FeatureName, string> = {
  iteration: 'iteration',
  score: 'score',
  best: 'score',
  change: 'change',
  gain: 'change',
  drop: 'change',
  sinceBest: 'best',
  sameFailures: 'failures',
  newFailures: 'failures',
  failureSets: 'failures',
  seenBefore: 'repeat',
  timesSeen: 'repeat',
  repeats: 'repeat',
  repeatsInRow: 'repeat',
  similarity: 'similarity',
  hasSimilarity: 'similarity',
  length: 'length',
  lengthChange: 'length',
  failures: 'count',
  total: 'count',
  gateChanged: 'gate',
  scoresSeen: 'score',
  partly: 'score',
};

function sentence(about: string, { agent, iterations }: Situation): string {
  const now = iterations.at(-1)!;
  const before = iterations.at(-2);
  switch (about) {
    case 'agent':
      return `what ${agent} did at this point in earlier runs`;
    case 'iteration':
      return `${iterations.length} failed already`;
    case 'score':
      return `a score of ${now.score.toFixed(2)}`;
    case 'change':
      return `the score moved from ${(before ?? now).score.toFixed(2)} to ${now.score.toFixed(2)}`;
    case 'best':
      return 'how long ago the best score rose';
    case 'failures':
      return 'whether the same failures come again';
    case 'repeat':
      return 'whether this output was seen before';
    case 'similarity':
      return `a likeness of ${Math.round((now.sim ?? 0) * 100)} % to the last output`;
    case 'length':
      return `an output of ${now.outChars ?? 0} characters`;
    case 'gate':
      return `now it is the gate ${now.gate}`;
    default:
      return `${now.failed ?? 0} of ${now.total ?? 0} still fail`;
  }
}
