import { type RunSpec, Waiting } from '@agentgate/core';
import * as z from 'zod';
import { PlanRow, Unticked } from './plan.ts';
import { RunRow } from './run.ts';
import { WorkspaceId } from './words.ts';

export const Health = z.object({
  kind: z.literal('healthy'),
  version: z.string(),
  startedAt: z.string(),
  runs: z.number().int(),
  workspaces: z.number().int(),
  /** How many live streams are open. */
  readers: z.number().int(),
});
export type Health = z.infer<typeof Health>;

export const Workspace = z.object({
  id: WorkspaceId,
  root: z.string(),
  /** The directory is there. */
  exists: z.boolean(),
  runs: z.number().int(),
  /** Who works in it now. */
  owner: z.object({ runId: z.string(), pid: z.number().int(), since: z.string() }).nullable(),
});
export type Workspace = z.infer<typeof Workspace>;
export const WorkspaceList = z.object({ workspaces: z.array(Workspace) });
export type WorkspaceList = z.infer<typeof WorkspaceList>;

/** Everything that waits for a person, the longest waiting first. */
export const Inbox = z.object({
  waiting: z.array(z.object({ run: RunRow, asks: Waiting, since: z.string() })),
  /** Criteria of plans that only a person can judge, where the work is done. */
  criteria: z.array(Unticked.extend({ plan: PlanRow })),
});
export type Inbox = z.infer<typeof Inbox>;

/** A spec that the server was started with, as it was read then. */
export const KnownSpec = z.object({
  name: z.string(),
  root: z.string(),
  source: z.string(),
  hash: z.string(),
  spec: z.custom<RunSpec>((value) => typeof value === 'object' && value !== null),
});
export type KnownSpec = z.infer<typeof KnownSpec>;
export const SpecList = z.object({ specs: z.array(KnownSpec) });
export type SpecList = z.infer<typeof SpecList>;

/** A run is begun by the name of a spec that the server knows; nothing of the spec can be said in the request. */
export const StartRequest = z.strictObject({ spec: z.string().min(1).max(200) });
export const Started = z.object({
  kind: z.literal('started'),
  workspace: WorkspaceId,
  runId: z.string(),
  pid: z.number().int(),
});
export type Started = z.infer<typeof Started>;

export const LoginLink = z.object({ kind: z.literal('login-link'), link: z.string() });
export type LoginLink = z.infer<typeof LoginLink>;
