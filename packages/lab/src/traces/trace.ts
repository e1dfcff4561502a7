import * as z from 'zod';
import { modes, Observation } from '@agentgate/core';

/** The newest version of the format. A line without `v` is of this version too. */
export const traceVersion = 1;

/** Text, or a number, as other programs write the names of tasks. */
const name = z.preprocess(
  (value) => (typeof value === 'number' ? String(value) : value),
  z
    .string({ error: ({ input }) => `a name, as text or a number; ${foundAs(input)}` })
    .regex(/\S/, { error: () => 'a name, as text or a number; it is empty' }),
);

function foundAs(input: unknown): string {
  if (input === undefined) return 'it is missing';
  return input === null ? 'it is null' : `it is of the type ${typeof input}`;
}

/**
 * One run as a sequence of verdicts (docs/traces.md): numbers and short hashes, nothing of anybody's code or words.
 * It ends at its first pass, at its horizon, or where something else ended it. Extra fields are kept out of sight.
 */
export const Trace = z
  .looseObject({
    v: z.literal(traceVersion, { error: () => `the version ${traceVersion}` }).default(traceVersion),
    /** The project: what is learned from its runs is used for its runs. */
    source: name,
    suite: name,
    task: name,
    /** Tasks that resemble each other; a group is never split between learning and judging. */
    taskGroup: name.nullable().optional(),
    model: name,
    run: name.nullable().optional(),
    mode: z.enum(modes, { error: () => `one of ${modes.join(', ')}` }),
    /** So many iterations were allowed; null where nothing bounded them. */
    horizon: z.int().min(1).nullable().default(null),
    solved: z.boolean(),
    hiddenSolved: z.boolean().nullable().optional(),
    tokensTotal: z.number().min(0).nullable().optional(),
    /** What ended an unsolved run before its horizon. A policy's own stop says nothing about what lay behind it. */
    endedBy: z.enum(['horizon', 'policy', 'other']).nullable().optional(),
    /**
     * The policy wanted to stop after this iteration and was ignored, as a share of all runs is. Such a run stands
     * for all those that were stopped.
     */
    ignoredStop: z
      .strictObject({ after: z.int().min(1), share: z.number().gt(0).max(1) })
      .nullable()
      .optional(),
    iterations: z.array(Observation).min(1, { error: () => 'at least one iteration' }),
  })
  .transform(cut)
  .superRefine((trace, context) => {
    const say = (path: (string | number)[], message: string) =>
      context.addIssue({ code: 'custom', path, message });
    if ((trace.iterations.at(-1)?.ok ?? false) !== trace.solved)
      say(['solved'], 'true exactly when an iteration passed');
    if (trace.horizon !== null && trace.iterations.length > trace.horizon)
      say(
        ['horizon'],
        `no less than the ${trace.iterations.length} iterations, and it is ${trace.horizon}; write how many were allowed, null where nothing bounded them, or leave the iterations behind it out`,
      );
    for (const [at, { passed, failed, total }] of trace.iterations.entries())
      if (typeof total === 'number' && (passed ?? 0) + (failed ?? 0) > total)
        say(['iterations', at, 'total'], 'no less than passed + failed');
  });
export type Trace = z.infer<typeof Trace>;

/** Where a trace belongs when runs are split: its group, or else its task, within its source. */
export const taskKey = ({ source, task, taskGroup }: Pick<Trace, 'source' | 'task' | 'taskGroup'>): string =>
  `${source}/${taskGroup ?? task}`;

/** A trace ends at its first pass; a program that went on after it went on for its own reasons. */
function cut<T extends { iterations: Observation[] }>(trace: T): T {
  const passed = trace.iterations.findIndex((one) => one.ok);
  return passed < 0 ? trace : { ...trace, iterations: trace.iterations.slice(0, passed + 1) };
}
