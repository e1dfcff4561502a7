import type { Override } from '@agentgate/runtime';

/** Nothing is built by who only judges, so the task and the agent may be missing. */
export const standIns = (options: readonly string[]): Override[] =>
  [
    { flag: '', path: ['task'], value: 'check' },
    { flag: '', path: ['agent'], value: ['true'] },
  ].filter(({ path }) => !options.includes(path[0]!));
