import * as z from 'zod';
import { flag, oneOf, share, strict, whole } from './words.ts';

const switchable = { enabled: flag.optional(), window: whole(2, 100).optional() };
const asSwitch = (value: unknown): unknown => (typeof value === 'boolean' ? { enabled: value } : value);
const detector = () => z.preprocess(asSwitch, strict(switchable).optional());

export const detectorNames = [
  'failure-set-repeat',
  'stall',
  'snapshot-repeat',
  'oscillation',
  'divergence',
  'output-similarity',
  'no-changes',
] as const;
export type DetectorName = (typeof detectorNames)[number];

export const Detectors = strict({
  enabled: flag.optional(),
  'failure-set-repeat': detector(),
  stall: detector(),
  'snapshot-repeat': detector(),
  oscillation: detector(),
  divergence: detector(),
  'output-similarity': z.preprocess(
    asSwitch,
    strict({
      ...switchable,
      window: whole(2, 20).optional(),
      threshold: share.optional(),
      measure: oneOf('shingles', 'jaccard', 'levenshtein').optional(),
    }).optional(),
  ),
  'no-changes': detector(),
});
