import { Because, Changed, RunSummary, Status, Verdict } from '@agentgate/core';
import * as z from 'zod';
import { RunEvent, WorkspaceId } from './words.ts';

/** How a run stands: its ending, or how it lies open. `cut-short`: nobody drives it, and it can be resumed. */
export const Standing = z.enum(['running', 'held', 'paused', 'cut-short', 'damaged', ...Status.options]);
export type Standing = z.infer<typeof Standing>;

/** A run in a list. */
export const RunRow = RunSummary.extend({
  workspace: WorkspaceId,
  standing: Standing,
  /** The run that went on in the place of this one: whatever is said now is said to that one. */
  wentOnAs: z.string().nullable(),
  /** What is wrong with its log, where something is. */
  damage: z.string().nullable(),
});
export type RunRow = z.infer<typeof RunRow>;

export const RunList = z.object({
  runs: z.array(RunRow),
  /** For the next page; null on the last one. */
  next: z.string().nullable(),
  /** How many there are on all pages. */
  total: z.number().int(),
  /** Of all runs, whatever the filter says: how many stand how. */
  counts: z.partialRecord(Standing, z.number().int()),
  /** Of those that converged: how many have caveats. */
  withCaveats: z.number().int(),
});
export type RunList = z.infer<typeof RunList>;

/** Which controls would be heard now. */
export const Controls = z.object({
  stop: z.boolean(),
  redirect: z.boolean(),
  resume: z.boolean(),
  restore: z.boolean(),
});
export type Controls = z.infer<typeof Controls>;

/** One run. What is not here is folded from its events. */
export const RunDetail = z.object({
  run: RunRow,
  /** The number of its newest event; those of the runs that it goes on from are counted. */
  position: z.number().int(),
  controls: Controls,
  /** The runs that it goes on from, the first one first, and itself. */
  lineage: z.array(z.string()),
});
export type RunDetail = z.infer<typeof RunDetail>;

/** Events in their order. Number `after + 1` is the first; those of the runs that it goes on from come first. */
export const EventPage = z.object({
  events: z.array(RunEvent),
  after: z.number().int(),
  /** The number of the newest event there is; when it is more than `after` and the events here, ask again. */
  position: z.number().int(),
});
export type EventPage = z.infer<typeof EventPage>;

/** What one gate said of one tree. `output` is the reference of what it printed. */
export const GateEvidence = z.object({
  position: z.number().int(),
  at: z.string(),
  iteration: z.number().int(),
  attempt: z.number().int(),
  gate: z.string(),
  tree: z.string(),
  verdict: Verdict,
  tookMs: z.number(),
  output: z.string().nullable(),
  cached: z.boolean(),
  rung: z.string().nullable(),
});
export type GateEvidence = z.infer<typeof GateEvidence>;

export const RunDecision = z.object({
  position: z.number().int(),
  at: z.string(),
  kind: z.string(),
  iteration: z.number().int().nullable(),
  because: Because,
});
export type RunDecision = z.infer<typeof RunDecision>;

export const Explained = z.object({
  explanations: z.array(
    z.object({ iteration: z.number().int(), code: z.string(), sentences: z.array(z.string()) }),
  ),
  /** How it ended, and how that reads in the vocabularies of other tools. */
  outcome: z
    .object({
      status: Status,
      code: z.string(),
      reason: z.string(),
      caveats: z.array(z.string()),
      elsewhere: z.record(z.string(), z.string().nullable()),
    })
    .nullable(),
});
export type Explained = z.infer<typeof Explained>;

export const SnapshotEntry = z.object({
  /** 0 is the tree from before the run. */
  iteration: z.number().int(),
  tree: z.string(),
  at: z.string(),
  changed: Changed.nullable(),
  /** How many findings failed on it; null where it was not judged. */
  failures: z.number().int().nullable(),
  best: z.boolean(),
});
export type SnapshotEntry = z.infer<typeof SnapshotEntry>;

export const TreeDiff = z.object({
  from: z.string(),
  to: z.string(),
  diff: z.string(),
  /** It was longer than 2 MB; the rest is left out. */
  truncated: z.boolean(),
});
export type TreeDiff = z.infer<typeof TreeDiff>;

/** Every recorded decision decided again by the code that runs here. */
export const Replayed = z.object({
  decisions: z.number().int(),
  endings: z.number().int(),
  differences: z.array(
    z.object({
      runId: z.string(),
      seq: z.number().int(),
      what: z.enum(['decision', 'ending']),
      recorded: z.string(),
      recomputed: z.string(),
      version: z.string(),
    }),
  ),
});
export type Replayed = z.infer<typeof Replayed>;
