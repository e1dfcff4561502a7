import * as z from 'zod';
import {
  AcceptRequest,
  AnswerRequest,
  ApprovalRequest,
  EmptyRequest,
  GrantRequest,
  RedirectRequest,
  Restored,
  RestoreRequest,
  Resumed,
  ResumeRequest,
  StopRequest,
  Told,
} from './control.ts';
import { Health, Inbox, LoginLink, SpecList, Started, StartRequest, WorkspaceList } from './house.ts';
import {
  PlanDetail,
  PlanEventPage,
  PlanList,
  PlanRedirectRequest,
  PlanStopRequest,
  PlanTickRequest,
  PlanTold,
} from './plan.ts';
import {
  EventPage,
  Explained,
  GateEvidence,
  Replayed,
  RunDecision,
  RunDetail,
  RunList,
  SnapshotEntry,
  Standing,
  TreeDiff,
} from './run.ts';
import { listStream, planStream, runStream } from './stream.ts';
import { WhatIfAnswer, WhatIfRequest } from './what-if.ts';
import { GateName, whole, WorkspaceId } from './words.ts';

/** One route: what it takes and what it answers. Everything else is made from this list. */
export interface Route {
  summary: string;
  query?: z.ZodType;
  body?: z.ZodType;
  /** JSON of this shape; `text`: a file as plain text; `stream`: server-sent events (stream.ts). */
  answer: z.ZodType | 'text' | 'stream' | 'json';
  /** What the data of a stream's events are, by their names. */
  frames?: Readonly<Record<string, z.ZodType>>;
}

const place = z
  .string()
  .regex(/^(?:best|last|\d{1,6}|[0-9a-f]{6,40})$/, 'best, last, an iteration or a tree');
const after = whole(0, 1e9);
const run = '/api/workspaces/{workspace}/runs/{run}';
const plan = '/api/workspaces/{workspace}/plans/{plan}';

const lists = {
  'GET /api/health': { summary: 'Whether the server works, and since when', answer: Health },
  'GET /api/openapi.json': { summary: 'This description', answer: 'json' },
  'GET /api/workspaces': { summary: 'Every workspace that has state here', answer: WorkspaceList },
  'GET /api/specs': { summary: 'The specs that the server was started with', answer: SpecList },
  'GET /api/inbox': { summary: 'Everything that waits for a person', answer: Inbox },
  'GET /api/stream': { summary: 'What changes in the lists, live', answer: 'stream', frames: listStream },
  'GET /api/runs': {
    summary: 'The runs of all workspaces, newest first',
    query: z.strictObject({
      workspace: WorkspaceId.optional(),
      /** One or more, with commas. */
      standing: z
        .string()
        .transform((text) => text.split(','))
        .pipe(z.array(Standing))
        .optional(),
      /** Words of the task, or the beginning of an id. */
      q: z.string().max(200).optional(),
      /** Only those that wait for a person. */
      waiting: z.enum(['true', 'false']).optional(),
      /** Only those that are done with something to know beside it: in part, or converged with caveats. */
      caveats: z.enum(['true', 'false']).optional(),
      limit: whole(1, 10_000).default(50),
      cursor: z.string().max(400).optional(),
    }),
    answer: RunList,
  },
  'GET /api/plans': {
    summary: 'The plans of all workspaces, newest first',
    query: z.strictObject({ workspace: WorkspaceId.optional() }),
    answer: PlanList,
  },
  'POST /api/runs': {
    summary: 'Begin a run by the name of a spec that the server was started with',
    body: StartRequest,
    answer: Started,
  },
  'POST /api/login-links': {
    summary: 'A link by which one more browser is let in, once',
    body: EmptyRequest,
    answer: LoginLink,
  },
} as const;

const ofRun = {
  [`GET ${run}`]: { summary: 'One run', answer: RunDetail },
  [`GET ${run}/events`]: {
    summary: 'Its events behind a position',
    query: z.strictObject({ after: after.default(0), limit: whole(1, 10_000).default(1_000) }),
    answer: EventPage,
  },
  [`GET ${run}/stream`]: {
    summary: 'Its events behind a position, and then each as it happens',
    query: z.strictObject({ after: after.optional() }),
    answer: 'stream',
    frames: runStream,
  },
  [`GET ${run}/gates`]: {
    summary: 'What the gates said, as evidence',
    query: z.strictObject({ iteration: whole(0, 1e6).optional(), gate: GateName.optional() }),
    answer: z.object({ evidence: z.array(GateEvidence) }),
  },
  [`GET ${run}/outputs/{ref}`]: { summary: 'What an agent or a gate printed, as a file', answer: 'text' },
  [`GET ${run}/decisions`]: {
    summary: 'What was decided, and why',
    answer: z.object({ decisions: z.array(RunDecision) }),
  },
  [`GET ${run}/explanations`]: { summary: 'The same in sentences', answer: Explained },
  [`GET ${run}/snapshots`]: {
    summary: 'The trees that it left',
    answer: z.object({ snapshots: z.array(SnapshotEntry) }),
  },
  [`GET ${run}/diff`]: {
    summary: 'What changed between two of them',
    query: z.strictObject({
      from: place.default('0'),
      to: place.default('last'),
      stat: z.enum(['true', 'false']).optional(),
    }),
    answer: TreeDiff,
  },
  [`GET ${run}/receipt`]: { summary: 'How it ended, on what evidence, as a file', answer: 'text' },
  [`GET ${run}/report`]: { summary: 'Its story on one page of Markdown, as a file', answer: 'text' },
  [`GET ${run}/replay`]: { summary: 'Every decision decided again', answer: Replayed },
  [`POST ${run}/what-if`]: {
    summary: 'How it would have gone under other strategies',
    body: WhatIfRequest,
    answer: WhatIfAnswer,
  },
  [`POST ${run}/stop`]: { summary: 'Stop it', body: StopRequest, answer: Told },
  [`POST ${run}/redirect`]: { summary: 'Give it new words', body: RedirectRequest, answer: Told },
  [`POST ${run}/resume`]: { summary: 'Go on with it', body: ResumeRequest, answer: Resumed },
  [`POST ${run}/approve`]: { summary: 'Say yes to a gate that waits', body: ApprovalRequest, answer: Told },
  [`POST ${run}/reject`]: { summary: 'Say no to a gate that waits', body: ApprovalRequest, answer: Told },
  [`POST ${run}/grant`]: {
    summary: 'Allow protected files to be as they are',
    body: GrantRequest,
    answer: Told,
  },
  [`POST ${run}/answer`]: { summary: 'Answer what it asks', body: AnswerRequest, answer: Told },
  [`POST ${run}/accept`]: { summary: 'Take its tree as it is', body: AcceptRequest, answer: Told },
  [`POST ${run}/restore`]: {
    summary: 'Bring one of its trees back into the workspace',
    body: RestoreRequest,
    answer: Restored,
  },
} as const;

const ofPlan = {
  [`GET ${plan}`]: { summary: 'One plan', answer: PlanDetail },
  [`GET ${plan}/events`]: {
    summary: 'Its events behind a position',
    query: z.strictObject({ after: after.default(0), limit: whole(1, 10_000).default(1_000) }),
    answer: PlanEventPage,
  },
  [`GET ${plan}/stream`]: {
    summary: 'Its events behind a position, and then each as it happens',
    query: z.strictObject({ after: after.optional() }),
    answer: 'stream',
    frames: planStream,
  },
  [`POST ${plan}/stop`]: { summary: 'End its session', body: PlanStopRequest, answer: PlanTold },
  [`POST ${plan}/redirect`]: { summary: 'Steer it', body: PlanRedirectRequest, answer: PlanTold },
  [`POST ${plan}/reload`]: { summary: 'Follow its edited file', body: EmptyRequest, answer: PlanTold },
  [`POST ${plan}/tick`]: {
    summary: 'Tick a criterion that only a person can judge',
    body: PlanTickRequest,
    answer: PlanTold,
  },
} as const;

/** Every route by its method and path. */
export const routes = { ...lists, ...ofRun, ...ofPlan } as const satisfies Record<string, Route>;

export type Routes = typeof routes;
export type RouteKey = keyof Routes;
