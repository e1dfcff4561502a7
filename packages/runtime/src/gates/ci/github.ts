import * as z from 'zod';
import { type Check, endedAt, type Forge, type Look, optional } from './check.ts';
import type { Refusal } from '../../forge/refusal.ts';
import { type Api, get, getAll } from '../../forge/client.ts';
import { named } from './named.ts';
import { unknownOrDenied } from '../../forge/unknown.ts';

const text = z.string().nullish();
const CheckRuns = z.object({
  total_count: z.number(),
  check_runs: z.array(
    z.object({
      name: z.string(),
      status: z.string(),
      conclusion: text,
      html_url: text,
      completed_at: text,
      output: z.object({ title: text, summary: text }).nullish(),
      check_suite: z.object({ id: z.number() }).nullish(),
    }),
  ),
});
const Statuses = z.object({
  total_count: z.number(),
  statuses: z.array(
    z.object({
      context: z.string(),
      state: z.string(),
      target_url: text,
      description: text,
      updated_at: text,
    }),
  ),
});
const WorkflowRuns = z.object({
  total_count: z.number(),
  workflow_runs: z.array(
    z.object({
      name: text,
      path: text,
      event: text,
      status: text,
      conclusion: text,
      html_url: text,
      updated_at: text,
      check_suite_id: z.number().nullish(),
    }),
  ),
});
const Commit = z.object({ sha: z.string().regex(/^[0-9a-f]{40,64}$/) });

type CheckRun = z.infer<typeof CheckRuns>['check_runs'][number];
type WorkflowRun = z.infer<typeof WorkflowRuns>['workflow_runs'][number];

/** Check runs and commit statuses of GitHub; with workflows named, only what belongs to those. */
export function openGithub(api: Api, repository: string, workflows: readonly string[]): Forge {
  const home = `/repos/${repository}`;
  const missing = () => unknownOrDenied(api, home, repository);
  return {
    async look(commit) {
      const runs = await getAll(api, `${home}/commits/${commit}/check-runs?per_page=100`, CheckRuns);
      if (runs.kind === 'missing') return missing();
      if (runs.kind !== 'pages') return runs;
      const checkRuns = runs.pages.flatMap((page) => page.check_runs);
      if (checkRuns.length < (runs.pages[0]?.total_count ?? 0)) return incomplete;
      const more =
        workflows.length === 0
          ? await lookAtStatuses(api, `${home}/commits/${commit}/status?per_page=100`)
          : await lookAtWorkflows(api, `${home}/actions/runs?head_sha=${commit}&per_page=100`, workflows);
      if (more.kind === 'missing') return missing();
      if (more.kind !== 'more') return more;
      const { suites } = more;
      const ours = checkRuns.filter((run) => suites === null || suites.has(run.check_suite?.id ?? -1));
      return { kind: 'checks', checks: [...ours.map(checkOf), ...more.checks], nowMs: runs.nowMs };
    },
    async resolve(ref) {
      const got = await get(api, `${home}/commits/${encodeURIComponent(ref)}`, Commit);
      if (got.kind === 'missing') return missing();
      return got.kind === 'page' ? { kind: 'commit', commit: got.body.sha } : got;
    },
  };
}

const incomplete: Look = { kind: 'trouble', why: 'its list of checks changed while it was read' };

/** Further checks, and to which suites check runs must belong; null for any. */
type More =
  | { kind: 'more'; checks: Check[]; suites: ReadonlySet<number> | null }
  | { kind: 'missing' }
  | Refusal;

async function lookAtStatuses(api: Api, path: string): Promise<More> {
  const got = await getAll(api, path, Statuses);
  if (got.kind !== 'pages') return got;
  const checks = got.pages
    .flatMap((page) => page.statuses)
    .map(
      ({ context, state, target_url, description, updated_at }): Check => ({
        name: context,
        state: state === 'success' ? 'success' : state === 'pending' ? 'waiting' : 'failed',
        said: state,
        ...optional('url', target_url),
        ...optional('summary', description),
        ...endedAt(updated_at),
      }),
    );
  return { kind: 'more', checks, suites: null };
}

/** The newest run of each workflow for each event; the forge lists them newest first. */
async function lookAtWorkflows(api: Api, path: string, workflows: readonly string[]): Promise<More> {
  const got = await getAll(api, path, WorkflowRuns);
  if (got.kind !== 'pages') return got;
  const newest = new Map<string, WorkflowRun>();
  for (const run of got.pages.flatMap((page) => page.workflow_runs)) {
    const key = `${run.path ?? run.name}\n${run.event}`;
    if (workflows.some((wanted) => isNamed(wanted, run)) && !newest.has(key)) newest.set(key, run);
  }
  const runs = [...newest.values()];
  const absent = workflows.filter((wanted) => !runs.some((run) => isNamed(wanted, run)));
  const checks = [
    ...runs.map((run): Check => ({ ...workflowOf(run), sum: true })),
    ...absent.map((name): Check => ({ name, state: 'waiting', said: 'not there yet', sum: true })),
  ];
  return { kind: 'more', checks, suites: new Set(runs.flatMap((run) => run.check_suite_id ?? [])) };
}

/** People know a workflow by its name as well as by its file. */
function isNamed(wanted: string, { name, path }: WorkflowRun): boolean {
  const file = (path ?? '').split('@')[0] ?? '';
  return [name ?? '', file, file.split('/').at(-1) ?? ''].some((one) => named(wanted, one));
}

const checkOf = ({ name, status, conclusion, html_url, completed_at, output }: CheckRun): Check => ({
  name,
  ...stateOf(status, conclusion),
  ...optional('url', html_url),
  ...optional('summary', [output?.title, output?.summary].filter(Boolean).join('\n')),
  ...endedAt(completed_at),
});

const workflowOf = ({ name, path, status, conclusion, html_url, updated_at }: WorkflowRun): Check => ({
  name: name ?? path ?? 'workflow',
  ...stateOf(status, conclusion),
  ...optional('url', html_url),
  ...endedAt(updated_at),
});

/** What is finished in a way that nobody knows has not passed. */
function stateOf(
  status: string | null | undefined,
  conclusion: string | null | undefined,
): Pick<Check, 'state' | 'said'> {
  if (status === 'waiting') return { state: 'held', said: status };
  if (status !== 'completed') return { state: 'waiting', said: status ?? 'queued' };
  const said = conclusion ?? 'no conclusion';
  const passes = said === 'success' || said === 'neutral' || said === 'skipped';
  return { state: passes ? said : 'failed', said };
}
