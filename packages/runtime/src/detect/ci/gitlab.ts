import type { Project } from '../project.ts';
import type { CiBlock } from './step.ts';
import { type Group, groupOf, readYaml, sayPlainly } from './yaml.ts';

const file = '.gitlab-ci.yml';

/** The scripts of the ordinary jobs of a GitLab pipeline. */
export function gitlabBlocks(project: Project): CiBlock[] {
  if (!project.has(file)) return [];
  return Object.entries(readYaml(project.read(file))).flatMap(([name, value]) => {
    const job = groupOf(value);
    if (name.startsWith('.') || notJobs.has(name) || !isOrdinary(job, name)) return [];
    const lines = (Array.isArray(job['script']) ? job['script'] : [job['script']]).flat();
    const text = lines.filter((line) => typeof line === 'string').join('\n');
    return [{ file, job: sayPlainly(name), text, dir: '', mayFail: job['allow_failure'] === true }];
  });
}

const notJobs = new Set([
  'default',
  'variables',
  'stages',
  'include',
  'workflow',
  'image',
  'services',
  'cache',
]);

function isOrdinary(job: Group, name: string): boolean {
  return (
    job['trigger'] === undefined &&
    job['services'] === undefined &&
    job['environment'] === undefined &&
    job['when'] !== 'manual' &&
    !/deploy|release|publish/i.test(`${name} ${String(job['stage'] ?? '')}`)
  );
}
