import * as z from 'zod';
import { Fault } from './fault.ts';
import { Finding, TestCounts } from './finding.ts';
import { levelNames } from './spec.ts';

/** How one level of a gate stands. A level that was not run or was left out has not passed. */
export const LevelResult = z.object({
  level: z.enum(levelNames),
  status: z.enum(['passed', 'failed', 'skipped', 'not-run']),
  checks: z.array(z.object({ name: z.string(), passed: z.boolean(), output: z.string().optional() })),
});
export type LevelResult = z.infer<typeof LevelResult>;

/**
 * What a gate answered on one tree. Only `passed` passes: a gate that could not run, ran out of time,
 * is not ready or was left out has neither passed nor failed.
 */
export const Verdict = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('passed'),
    tests: TestCounts.optional(),
    note: z.string().optional(),
    levels: z.array(LevelResult).optional(),
    /** Nobody answered in time, and silence was agreed to mean yes. */
    unanswered: z.literal(true).optional(),
  }),
  z.object({
    kind: z.literal('failed'),
    findings: z.array(Finding).min(1),
    tests: TestCounts.optional(),
    levels: z.array(LevelResult).optional(),
    /** The telling part of the output, free of escape bytes, at most 2,000 characters. */
    excerpt: z.string(),
    /** A hash of the output with numbers, times and paths of the machine taken out; absent when there was no output. */
    textKey: z.string().optional(),
    note: z.string().optional(),
  }),
  z.object({ kind: z.literal('unable'), fault: Fault, excerpt: z.string().optional() }),
  z.object({ kind: z.literal('timed-out'), afterMs: z.number(), excerpt: z.string() }),
  z.object({ kind: z.literal('pending'), retryAfterMs: z.number().min(0), note: z.string().optional() }),
  /** `by` says who spared it; without it the run was stopped. */
  z.object({
    kind: z.literal('skipped'),
    why: z.string(),
    by: z.enum(['condition', 'success', 'manual']).optional(),
  }),
]);
export type Verdict = z.infer<typeof Verdict>;
