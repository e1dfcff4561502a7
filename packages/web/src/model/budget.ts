import { effectiveLimit, showCount, showDuration, showMoney } from '@agentgate/core';
import type { Chronicle } from './chronicle.ts';

/** One thing that a run may use up. */
export interface Amount {
  name: 'iterations' | 'time' | 'cost' | 'tokens';
  used: number;
  limit: number | null;
  show(value: number): string;
  /** After each iteration, for the curve: the iteration and what was used by then. */
  curve: { iteration: number; used: number }[];
}

/** What a run has used of everything that it may use, with the time of a step under way. What nobody counts is left out. */
export function amountsOf({ state, chapters }: Chronicle, workedMs = 0): Amount[] {
  const limits = state.spec?.limits;
  const over = (pick: (used: (typeof chapters)[number]['used']) => number | null) =>
    chapters.flatMap((one) => {
      const used = one.closed ? pick(one.used) : null;
      return used === null ? [] : [{ iteration: one.iteration, used }];
    });
  const { costUsd, tokens } = state;
  const underWay = chapters.findLast((one) => !one.closed);
  return [
    {
      name: 'iterations',
      used: state.iteration,
      limit: state.spec ? effectiveLimit(state).limit : null,
      show: String,
      curve: [],
    },
    {
      name: 'time',
      used: state.activeMs + workedMs,
      limit: limits?.wallClock ?? null,
      show: showDuration,
      curve: [
        ...over((used) => used.activeMs),
        ...(workedMs > 0 && underWay
          ? [{ iteration: underWay.iteration, used: state.activeMs + workedMs }]
          : []),
      ],
    },
    ...(costUsd === null && limits?.cost === undefined
      ? []
      : [
          {
            name: 'cost' as const,
            used: costUsd ?? 0,
            limit: limits?.cost ?? null,
            show: showMoney,
            curve: over((used) => used.costUsd),
          },
        ]),
    ...(tokens === null && limits?.tokens === undefined
      ? []
      : [
          {
            name: 'tokens' as const,
            used: tokens ?? 0,
            limit: limits?.tokens ?? null,
            show: showCount,
            curve: over((used) => used.tokens),
          },
        ]),
  ];
}

/** How much of a limit is used, from 0 to 1; null where there is none. */
export const shareOf = ({ used, limit }: Pick<Amount, 'used' | 'limit'>): number | null =>
  limit === null || limit <= 0 ? null : Math.min(1, used / limit);
