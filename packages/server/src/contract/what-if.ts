import { moveKinds, Status, type StrategySpec } from '@agentgate/core';
import * as z from 'zod';

const amount = z.number().nullable();

const Spent = z.object({
  iterations: z.number().int(),
  activeMs: z.number(),
  tokens: amount,
  costUsd: amount,
});

/** What was decided after one iteration; number 0 is the baseline. */
const Step = z.object({
  iteration: z.number().int(),
  kind: z.enum(['went-on', 'ended']),
  move: z.enum(moveKinds).optional(),
  code: z.string(),
  reason: z.string(),
});

/** As in a spec, with every option. */
const Strategy = z.custom<StrategySpec>((value) => typeof value === 'object' && value !== null);

/** A strategy that can be asked afterwards: by its name, or with its options as in a spec. */
export const AskedStrategy = z.union([
  z.enum(['fixed', 'hybrid', 'ralph', 'adaptive']),
  z.looseObject({ kind: z.enum(['fixed', 'hybrid', 'ralph', 'adaptive']) }),
]);

export const WhatIfRequest = z.strictObject({ strategies: z.array(AskedStrategy).min(1).max(8) });
export type WhatIfRequest = z.infer<typeof WhatIfRequest>;

/** The same run under another strategy, as far as its record tells. */
export const WhatIfAnswer = z.object({
  recorded: z.object({
    runId: z.string(),
    strategy: Strategy,
    status: Status.nullable(),
    code: z.string().nullable(),
    solved: z.boolean(),
    spent: Spent,
    steps: z.array(Step).readonly(),
  }),
  others: z.array(
    z.object({
      strategy: Strategy,
      /** `earlier`: before the recorded end. `same`: with it. `beyond`: it would have gone on, where nothing is known. */
      ends: z.enum(['earlier', 'same', 'beyond']),
      status: Status.nullable(),
      code: z.string().nullable(),
      reason: z.string().nullable(),
      spent: Spent,
      saved: Spent,
      solved: z.boolean(),
      losesSolve: z.boolean(),
      betterLater: z.object({ iteration: z.number().int(), failures: z.number().int() }).nullable(),
      steps: z.array(Step).readonly(),
      assumptions: z.array(z.string()).readonly(),
    }),
  ),
});
export type WhatIfAnswer = z.infer<typeof WhatIfAnswer>;
