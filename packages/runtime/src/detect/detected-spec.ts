import type { Override } from '../spec/load.ts';
import { proposeAgent } from './agent.ts';
import { inspectProject } from './inspect.ts';
import { placeholderTask } from './placeholder.ts';

/** What a project without a spec shows by itself: an agent and its gates; the task is still open. */
export function detectedSpec(root: string, agent: unknown = proposeAgent(root).agent): Override[] {
  const set = (path: string[], value: unknown): Override => ({
    path,
    value,
    flag: 'what this project shows',
  });
  const gates = inspectProject(root).gates.map(({ name, severity, ...gate }) =>
    set(['gates', name], 'run' in gate ? { run: gate.run, severity } : { exists: gate.exists, severity }),
  );
  return [set(['task'], placeholderTask), set(['agent'], agent), ...gates];
}
