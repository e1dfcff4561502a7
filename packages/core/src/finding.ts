import * as z from 'zod';

/**
 * One identified failure inside a gate. The id is stable across iterations: it names what fails,
 * never where it stood or how long it took.
 */
export const Finding = z.object({
  id: z.string().min(1),
  title: z.string(),
  file: z.string().optional(),
  line: z.number().int().optional(),
  message: z.string().optional(),
  /** The failure kept something from loading, so other failures may hide behind it. */
  load: z.literal(true).optional(),
  /** Nothing in the output named a failure; the finding stands for the gate's exit code alone. */
  synthetic: z.literal(true).optional(),
  /** It passed when it was tried again. */
  flaky: z.literal(true).optional(),
});
export type Finding = z.infer<typeof Finding>;

/** How many tests a report counted. A skipped test has not passed. */
export const TestCounts = z.object({
  passed: z.number().int().nonnegative(),
  failed: z.number().int().nonnegative(),
  skipped: z.number().int().nonnegative(),
});
export type TestCounts = z.infer<typeof TestCounts>;

/** One test of a report. The id is the one that a finding about it has. */
export const TestCase = z.object({
  id: z.string().min(1),
  status: z.enum(['passed', 'failed', 'skipped', 'todo']),
  file: z.string().optional(),
});
export type TestCase = z.infer<typeof TestCase>;
