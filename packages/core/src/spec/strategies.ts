import * as z from 'zod';
import { Duration, Money } from '../quantity.ts';
import { defaultSignals } from '../text/index.ts';
import { amount, asKind, flag, oneOf, share, strict, text, whole } from './words.ts';

/** The share of equal tokens from which two outputs count as the same (C-02). */
export const defaultSimilarity = 0.95;

export const levelNames = ['L0', 'L1', 'L2', 'L3'] as const;

/** When unfinished work is taken as it is; the run ends `partial`, never `converged` (C-23). */
const AcceptPartial = strict({
  after: whole(1, 10_000),
  minLevel: oneOf(...levelNames).optional(),
  allowHardFailures: z.literal(true, {
    error: () => 'true: hard gates may fail then, and that wants to be said',
  }),
});

const kinds = [
  strict({ kind: z.literal('fixed'), iterations: whole(1, 1000).default(3) }),
  strict({
    kind: z.literal('hybrid'),
    base: whole(1, 100).default(3),
    bonus: z
      .union([z.literal('progress'), whole(0, 100)], {
        error: () => 'the word progress, or a whole number from 0 to 100',
      })
      .default('progress'),
    progressThreshold: share.default(0.1),
    progressMode: oneOf('delta', 'level').default('delta'),
    /** What completes or ends the run, in this order. Nothing completes it while a hard gate fails. */
    criteria: z
      .array(oneOf('verification-pass', 'ci-pass', 'no-changes', 'agent-signal', 'loop-detection'), {
        error: () => 'a list of criteria',
      })
      .default(['verification-pass', 'no-changes']),
    /** Levels above this one are advice. Unset, every level of a gate must pass. */
    minLevel: oneOf(...levelNames).optional(),
    acceptPartialAfter: whole(1, 10_000).optional(),
    acceptPartial: AcceptPartial.optional(),
  }),
  strict({
    kind: z.literal('ralph'),
    min: whole(1, 100).default(1),
    max: whole(1, 1000).default(10),
    window: whole(2, 20).default(3),
    similarityThreshold: share.default(defaultSimilarity),
    signals: z
      .array(text('a completion word'), { error: () => 'a list of completion words' })
      .default([...defaultSignals]),
    onFalseClaim: oneOf('iterate', 'stop').default('iterate'),
    loopDetection: flag.default(true),
  }),
  strict({
    kind: z.literal('manual'),
    /** How long a person has to answer; then the default answer counts. */
    timeout: Duration.optional(),
    default: oneOf('continue', 'stop', 'accept').default('stop'),
  }),
  strict({
    kind: z.literal('adaptive'),
    /** Keep a share of the solves, or weigh what one is worth against what it costs. */
    mode: oneOf('retention', 'value').default('retention'),
    target: amount(0.5, 0.999).default(0.99),
    value: Money.optional(),
    /** The share of runs that ignore the stop, so that it can be learned that stopping was wrong. */
    explore: amount(0, 0.5).default(0.05),
    /** Hybrid's, while it decides in its place. */
    base: whole(1, 100).default(3),
  }),
  strict({
    kind: z.literal('custom'),
    module: text('the path of a module in the project'),
    name: text('the name of what it exports').default('default'),
    config: z.unknown().optional(),
    max: whole(1, 1000).default(10),
    /** How long one answer may take. */
    timeout: Duration.default(3_000),
    memoryMb: whole(32, 4_096).default(256),
  }),
] as const;

export const strategyKinds = kinds.map((one) => one.shape.kind.value);

export const StrategyKinds = z.discriminatedUnion('kind', kinds, { error: () => 'a strategy' });

/** A strategy, by its name or with its options. */
export const StrategyInput = z.preprocess(asKind, StrategyKinds);
