import { parse } from 'yaml';
import type { Project } from './project.ts';
import type { ProposedGate } from './proposed-gate.ts';
import { targetGates } from './target.ts';

/** just: recipes that need no argument. */
export function justGates(project: Project): ProposedGate[] {
  const file = project.first('justfile', 'Justfile', '.justfile');
  if (file === undefined) return [];
  const recipes = [
    ...project.read(file).matchAll(/^@?([a-z][\w-]*)((?:[ \t]+[*+]?\w+(?:=\S+)?)*)[ \t]*:(?!=)/gm),
  ]
    .filter(([, , given]) => given!.split(/\s+/).every((one) => one === '' || /^\*|=/.test(one)))
    .map(([, name]) => name!);
  return targetGates(new Set(recipes), (recipe) => ({
    run: `just ${recipe}`,
    because: `${file} has a recipe ${recipe}`,
  }));
}

/** Task: the tasks of a Taskfile. */
export function taskGates(project: Project): ProposedGate[] {
  const file = project.first('Taskfile.yml', 'Taskfile.yaml', 'taskfile.yml', 'taskfile.yaml');
  if (file === undefined) return [];
  return targetGates(new Set(tasksIn(project.read(file))), (task) => ({
    run: `task ${task}`,
    because: `${file} has a task ${task}`,
  }));
}

function tasksIn(text: string): string[] {
  try {
    const { tasks } = (parse(text, { logLevel: 'silent' }) ?? {}) as { tasks?: unknown };
    return typeof tasks === 'object' && tasks !== null ? Object.keys(tasks) : [];
  } catch {
    // A Taskfile that cannot be read has no tasks; task itself will say why.
    return [];
  }
}
