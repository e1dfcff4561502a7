import * as z from 'zod';
import { oneOf, strict, whole } from './words.ts';

/** The moves of the ladder, in the order in which they are taken. Giving up follows the last. */
export const moveKinds = ['differently', 'fresh', 'revert', 'escalate', 'ask'] as const;
export type MoveKind = (typeof moveKinds)[number];

/** What a run does when it is stuck, before it gives up. `off` gives up at once. */
export const Stuck = z.preprocess(
  (value) => (value === 'off' || value === false ? { moves: [] } : value),
  strict({
    moves: z
      .array(oneOf(...moveKinds), { error: () => `off, or {moves: [${moveKinds.join(', ')}]}` })
      .default(['differently', 'fresh', 'revert', 'escalate']),
    /** So many iterations without progress show that a move had no effect. */
    patience: whole(1, 20).default(2),
  }),
);
