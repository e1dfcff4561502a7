import * as z from 'zod';
import { type Check, endedAt, type Forge, optional } from './check.ts';
import { type Api, get, getAll } from '../../forge/client.ts';
import { unknownOrDenied } from '../../forge/unknown.ts';

const text = z.string().nullish();
const Pipelines = z.array(
  z.object({
    id: z.number(),
    status: z.string(),
    source: text,
    ref: text,
    name: text,
    web_url: text,
    updated_at: text,
  }),
);
const Jobs = z.array(
  z.object({
    name: z.string(),
    stage: text,
    status: z.string(),
    allow_failure: z.boolean().nullish(),
    web_url: text,
    finished_at: text,
    failure_reason: text,
  }),
);
const Commit = z.object({ id: z.string().regex(/^[0-9a-f]{40,64}$/) });

type Pipeline = z.infer<typeof Pipelines>[number];
type Job = z.infer<typeof Jobs>[number];

/** Pipelines of GitLab and their jobs. */
export function openGitlab(api: Api, repository: string): Forge {
  const home = `/projects/${encodeURIComponent(repository)}`;
  const missing = () => unknownOrDenied(api, home, repository);
  return {
    async look(commit) {
      const got = await getAll(api, `${home}/pipelines?sha=${commit}&per_page=100`, Pipelines);
      if (got.kind === 'missing') return missing();
      if (got.kind !== 'pages') return got;
      const checks: Check[] = [];
      for (const pipeline of newestOf(got.pages.flat())) {
        const jobs = await getAll(api, `${home}/pipelines/${pipeline.id}/jobs?per_page=100`, Jobs);
        if (jobs.kind === 'missing') return missing();
        if (jobs.kind !== 'pages') return jobs;
        checks.push(...jobs.pages.flat().map(jobOf), pipelineOf(pipeline));
      }
      return { kind: 'checks', checks, nowMs: got.nowMs };
    },
    async resolve(ref) {
      const got = await get(api, `${home}/repository/commits/${encodeURIComponent(ref)}`, Commit);
      if (got.kind === 'missing') return missing();
      return got.kind === 'page' ? { kind: 'commit', commit: got.body.id } : got;
    },
  };
}

/** A pipeline that was started again takes the place of the one before it. */
function newestOf(pipelines: readonly Pipeline[]): Pipeline[] {
  const newest = new Map<string, Pipeline>();
  for (const one of pipelines.toSorted((a, b) => a.id - b.id)) newest.set(`${one.source}\n${one.ref}`, one);
  return [...newest.values()];
}

/** A bridge to another pipeline shows in the whole alone, so the whole is looked at as well. */
const pipelineOf = ({ status, source, name, web_url, updated_at }: Pipeline): Check => ({
  name: name ?? `pipeline (${source ?? 'unknown source'})`,
  state: stateOf(status),
  said: status,
  sum: true,
  ...optional('url', web_url),
  ...endedAt(updated_at),
});

const jobOf = (job: Job): Check => ({
  name: job.name,
  state: jobState(job),
  said: job.status,
  ...optional('url', job.web_url),
  ...optional('summary', job.failure_reason),
  ...endedAt(job.finished_at),
});

/** What a pipeline does not depend on cannot fail it, and need not be started by hand. */
function jobState({ status, allow_failure }: Job): Check['state'] {
  const state = stateOf(status);
  if (allow_failure !== true) return state;
  return state === 'failed' ? 'neutral' : state === 'held' ? 'skipped' : state;
}

function stateOf(status: string): Check['state'] {
  switch (status) {
    case 'success':
    case 'skipped':
    case 'failed':
      return status;
    case 'canceled':
      return 'failed';
    case 'manual':
    case 'scheduled':
      return 'held';
    default:
      return 'waiting';
  }
}
