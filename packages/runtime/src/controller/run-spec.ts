import type { RunSpec } from '@agentgate/core';
import type { Callbacks } from './context.ts';
import { noTask } from './fill-spec.ts';
import { isGroup } from './group.ts';
import type { ReadySpec } from './read-spec.ts';

/** The task is the spec's, or what the context says. Only what the callbacks can do stays on the ladder. */
export function specFor({ spec, task }: ReadySpec, taskSpec: unknown, { onRestore }: Callbacks): RunSpec {
  const moves = spec.stuck.moves.filter((move) => move !== 'revert' || onRestore);
  return { ...spec, task: task ?? taskOf(taskSpec) ?? noTask, stuck: { ...spec.stuck, moves } };
}

function taskOf(taskSpec: unknown): string | null {
  const { task, prompt, goal } = isGroup(taskSpec) ? taskSpec : { task: taskSpec };
  const found = [task, prompt, isGroup(goal) ? goal['prompt'] : goal].find(
    (one) => typeof one === 'string' && one.trim() !== '',
  );
  return (found as string | undefined) ?? null;
}
