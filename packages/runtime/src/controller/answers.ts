import * as z from 'zod';
import type { BuildResult, GateAnswer, LevelAnswer } from './context.ts';

const text = z.string().nullish();
const count = z.number().nonnegative().nullish();

const Build = z.object({
  success: z.boolean(),
  output: text,
  tokens: count,
  costUsd: count,
  sessionId: text,
  error: z.unknown().optional(),
  claimed: z.boolean().nullish(),
  giveUp: text,
  asks: text,
  retryAfterMs: count,
});

const Failure = z.union([z.string(), z.looseObject({ message: z.string() })]);

const Level = z.object({
  level: z.enum(['L0', 'L1', 'L2', 'L3']),
  passed: z.boolean().nullish(),
  status: z.enum(['passed', 'failed', 'skipped', 'not-run']).nullish(),
  checks: z.array(z.object({ name: z.string(), passed: z.boolean(), output: text })).nullish(),
});

const Gate = z.object({
  passed: z.boolean().nullish(),
  failures: z.array(Failure).nullish(),
  levelResults: z.array(Level).nullish(),
  tests: z
    .object({
      passed: z.int().nonnegative(),
      failed: z.int().nonnegative(),
      skipped: z.int().nonnegative().nullish(),
    })
    .nullish(),
  pending: z.union([z.boolean(), z.object({ retryAfterMs: z.number().nonnegative() })]).nullish(),
  error: z.unknown().optional(),
  output: text,
});

/** An answer, or in words that follow the name of the callback why it is none. */
export type Read<T> = { kind: 'answer'; answer: T } | { kind: 'garbage'; why: string };

/** Reads what `onBuild` answered. A number that is none would make a limit that never binds, so it is refused. */
export function readBuild(value: unknown): Read<BuildResult> {
  const parsed = Build.safeParse(value);
  if (!parsed.success) return garbage(value, parsed.error, '{success: true or false, output, tokens, …}');
  const { error, ...rest } = withoutNothing(parsed.data);
  return { kind: 'answer', answer: { ...rest, ...(error === undefined ? {} : { error: words(error) }) } };
}

/** Reads what `onGateCheck` answered. Only a plain `passed: true` passes. */
export function readGate(value: unknown): Read<GateAnswer> {
  const parsed = Gate.safeParse(value);
  if (!parsed.success)
    return garbage(value, parsed.error, '{passed: true or false, failures: [{message}], …}');
  const { error, passed, levelResults, tests, ...rest } = withoutNothing(parsed.data);
  const told = error !== undefined || (rest.pending !== undefined && rest.pending !== false);
  if (passed === undefined && !told)
    return { kind: 'garbage', why: 'answered without passed: true or false' };
  return {
    kind: 'answer',
    answer: {
      ...rest,
      passed: passed ?? false,
      ...(error === undefined ? {} : { error: words(error) }),
      ...(tests ? { tests: withoutNothing(tests) } : {}),
      ...(levelResults
        ? { levelResults: levelResults.map((one) => withoutNothing(one) as LevelAnswer) }
        : {}),
    } as GateAnswer,
  };
}

type Told<T> = { [K in keyof T]: Exclude<T[K], null> };

function withoutNothing<T extends object>(value: T): Told<T> {
  return Object.fromEntries(Object.entries(value).filter(([, one]) => one !== null)) as Told<T>;
}

function garbage(value: unknown, error: z.ZodError, expected: string): { kind: 'garbage'; why: string } {
  if (typeof value !== 'object' || value === null) {
    const found = value === undefined || value === null ? 'nothing' : `a ${typeof value}`;
    return { kind: 'garbage', why: `answered ${found} instead of ${expected}` };
  }
  const [first] = error.issues;
  return {
    kind: 'garbage',
    why: `gave an answer whose ${first?.path.join('.')} is wrong: ${first?.message}`,
  };
}

const words = (error: unknown): string => (error instanceof Error ? error.message : String(error));
