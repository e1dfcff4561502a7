import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Project } from '../project.ts';
import { type CiBlock, plainDir } from './step.ts';
import { type Group, groupOf, readYaml, sayPlainly } from './yaml.ts';

/** The shell text of the ordinary jobs of GitHub workflows: those that a push or a pull request starts. */
export function githubBlocks(project: Project): CiBlock[] {
  return workflowFiles(project).flatMap((name) => {
    const file = `.github/workflows/${name}`;
    const workflow = readYaml(project.read(file));
    if (!startsOnPush(workflow['on'])) return [];
    return Object.entries(groupOf(workflow['jobs'])).flatMap(([id, job]) =>
      blocksOf(groupOf(job), { file, job: sayPlainly(id) }, workflow),
    );
  });
}

const mostFiles = 20;

function workflowFiles({ root }: Project): string[] {
  try {
    const names = readdirSync(join(root, '.github', 'workflows')).sort();
    return names.filter((name) => /^[\w.-]+\.ya?ml$/.test(name)).slice(0, mostFiles);
  } catch {
    // No such folder: no workflows.
    return [];
  }
}

function startsOnPush(on: unknown): boolean {
  const events = typeof on === 'string' ? [on] : Array.isArray(on) ? on : Object.keys(groupOf(on));
  return ['push', 'pull_request', 'pull_request_target', 'merge_group'].some((event) =>
    events.includes(event),
  );
}

function blocksOf(job: Group, place: { file: string; job: string }, workflow: Group): CiBlock[] {
  if (!isOrdinary(job, place.job)) return [];
  const steps = Array.isArray(job['steps']) ? job['steps'].map(groupOf) : [];
  return steps.flatMap((step) => {
    const { run } = step;
    if (typeof run !== 'string' || !isPlain(step)) return [];
    const dir = plainDir(
      step['working-directory'] ?? workingDirectory(job) ?? workingDirectory(workflow) ?? undefined,
    );
    return dir === null ? [] : [{ ...place, text: run, dir, mayFail: step['continue-on-error'] === true }];
  });
}

/** A job that needs services, a protected environment or another system cannot be done here. */
function isOrdinary(job: Group, id: string): boolean {
  return (
    job['uses'] === undefined &&
    job['services'] === undefined &&
    job['environment'] === undefined &&
    !/^(windows|macos)/.test(String(job['runs-on'])) &&
    !/deploy|release|publish/i.test(id)
  );
}

function isPlain(step: Group): boolean {
  return (
    step['if'] === undefined &&
    (step['shell'] === undefined || /^(bash|sh)$/.test(String(step['shell']))) &&
    !JSON.stringify(step['env'] ?? {}).includes('${{')
  );
}

const workingDirectory = (group: Group): unknown =>
  groupOf(groupOf(group['defaults'])['run'])['working-directory'];
