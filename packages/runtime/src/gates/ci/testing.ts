import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

const recorded = <T>(name: string): T =>
  JSON.parse(readFileSync(new URL(`fixtures/${name}.json`, import.meta.url), 'utf8')) as T;

type Fields = object;

/** The recorded answer of GitHub for these check runs. */
export function checkRuns(...runs: Fields[]): Fields {
  const { check_runs, ...rest } = recorded<{ check_runs: Fields[] }>('github-check-runs');
  return { ...rest, total_count: runs.length, check_runs: runs.map((run) => ({ ...check_runs[0], ...run })) };
}

export function statuses(...list: Fields[]): Fields {
  const { statuses: all, ...rest } = recorded<{ statuses: Fields[] }>('github-status');
  return { ...rest, total_count: list.length, statuses: list.map((one) => ({ ...all[0], ...one })) };
}

export function workflowRuns(...runs: Fields[]): Fields {
  const { workflow_runs } = recorded<{ workflow_runs: Fields[] }>('github-workflow-runs');
  return { total_count: runs.length, workflow_runs: runs.map((run) => ({ ...workflow_runs[0], ...run })) };
}

export const pipelines = (...list: Fields[]): Fields[] =>
  list.map((one) => ({ ...recorded<Fields[]>('gitlab-pipelines')[0], ...one }));

export const jobs = (...list: Fields[]): Fields[] =>
  list.map((one) => ({ ...recorded<Fields[]>('gitlab-jobs')[0], ...one }));

/** Runs git in a repository of a test, with nothing of the machine's settings. */
export function git(cwd: string, ...args: string[]): string {
  const who = ['-c', 'user.name=Ann', '-c', 'user.email=ann@example.com', '-c', 'init.defaultBranch=main'];
  const env = { PATH: process.env['PATH'], GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' };
  return execFileSync('git', [...who, ...args], { cwd, env, stdio: ['ignore', 'pipe', 'ignore'] })
    .toString()
    .trim();
}
