import type { Ecosystem } from './ecosystem.ts';
import { commandGate, type Proof, type ProposedGate } from './proposed-gate.ts';

/** Deno: its tasks first, then its own tools. */
export const deno: Ecosystem = {
  name: 'deno',
  look(project) {
    const file = project.first('deno.json', 'deno.jsonc');
    if (file === undefined) return null;
    const tasks = (project.readJson(file)?.['tasks'] ?? {}) as Record<string, unknown>;
    const own = (proves: Proof, task: string): ProposedGate[] =>
      tasks[task] === undefined
        ? []
        : [commandGate(proves, `deno task ${task}`, `${file} has a task ${task}`)];
    const test = project.files().find((path) => /(^|[/._])test\.[cm]?[jt]sx?$/.test(path));
    const tests = own('tests', 'test');
    return [
      ...(tests.length > 0 || test === undefined
        ? tests
        : [commandGate('tests', 'deno test --allow-all', `${file} and ${test} are there`)]),
      commandGate('types', 'deno check .', `${file} is there`),
      commandGate('lint', 'deno lint', `${file} is there`),
      ...own('build', 'build'),
    ];
  },
  firstTest: 'write first_test.ts with Deno.test("first", () => { … })',
};
