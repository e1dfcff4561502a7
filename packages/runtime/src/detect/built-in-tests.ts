import type { Project } from './project.ts';
import { commandGate, type ProposedGate } from './proposed-gate.ts';

/** Tests that need no runner besides Node itself. */
export function nodeTests(project: Project): ProposedGate[] {
  const file = testFile(project);
  return file !== undefined && project.read(file).includes('node:test')
    ? [commandGate('tests', 'node --test', `${file} is a test of node:test`)]
    : [];
}

/** Tests that need no runner besides Bun itself. */
export function bunTests(project: Project): ProposedGate[] {
  const file = testFile(project);
  return file === undefined ? [] : [commandGate('tests', 'bun test', `${file} is a test`)];
}

const testFile = (project: Project): string | undefined =>
  project.files().find((path) => /(^|[./_-])(test|spec)\.[cm]?[jt]sx?$/.test(path));
