import * as z from 'zod';

/** Where a gate judges: sealed in its room, with less of a seal, or in the workspace itself. */
export const rungs = ['sealed', 'home', 'ignored', 'network', 'in-place'] as const;
export type Rung = (typeof rungs)[number];

/** Programs that run tests, known well enough to be asked for a report of ours and to carry tests of ours. */
export const testRunners = ['vitest', 'jest', 'mocha', 'node', 'pytest'] as const;
export type TestRunner = (typeof testRunners)[number];

/** Programs that can be asked for a report of ours: those that run tests, and those that look at files. */
export const runners = [...testRunners, 'eslint', 'tsc'] as const;
export type Runner = (typeof runners)[number];

/** Why a path is protected. */
export const protectedKinds = [
  'test',
  'fixture',
  'snapshot',
  'gate',
  'config',
  'lock',
  'ci',
  'auto-loaded',
  'declared',
] as const;
export type ProtectedKind = (typeof protectedKinds)[number];

/** A protected file that is not as it was before the agent began. */
export const ProtectedChange = z.object({
  path: z.string(),
  status: z.enum(['added', 'modified', 'deleted', 'mode', 'renamed']),
  what: z.enum(protectedKinds),
  /** What it is now; null when it is gone. */
  oid: z.string().nullable(),
  diff: z.string(),
});
export type ProtectedChange = z.infer<typeof ProtectedChange>;

/** What may be counted, and must not get worse unseen. */
export const ratchetKinds = [
  'suppression',
  'type-escape',
  'skip',
  'assertion',
  'exit',
  'aware',
  'doubt',
  'smell',
] as const;
export type RatchetKind = (typeof ratchetKinds)[number];

/** Something that got worse in a file. */
export const Ratchet = z.object({
  id: z.string(),
  title: z.string(),
  file: z.string(),
  kind: z.enum(ratchetKinds),
  before: z.number(),
  after: z.number(),
  message: z.string(),
  /** What the file is now, null when it is gone; absent where no single file is meant. */
  oid: z.string().nullable().optional(),
});
export type Ratchet = z.infer<typeof Ratchet>;

/** A file that a gate looked at before the run, is there still, and is looked at no more. */
export const Unchecked = z.object({
  /** Where it was, and where it is now. */
  was: z.string(),
  path: z.string(),
  oid: z.string(),
});
export type Unchecked = z.infer<typeof Unchecked>;
