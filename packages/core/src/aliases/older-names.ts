import type { Path } from '../parse-spec/problem.ts';
import { nested, olderCiOptions, olderGateOptions } from './gate.ts';
import { olderLimits } from './limits.ts';
import { olderOptions } from './strategy.ts';

/** Older names at the top of a spec. */
export const olderTop = ['mode', 'loopStrategy', 'prompt', 'goal', ...Object.keys(olderLimits)];

/** Further options of strategies whose names are older ones. */
export const olderStrategy = [
  ...Object.keys(olderOptions),
  'maxIterations',
  'convergenceThreshold',
  'requireCI',
  'loopDetection',
  'stateDir',
];

/** The older names that a group also takes; a misspelt one is answered with the nearest of them, too. */
export function olderNames(group: Path): readonly string[] {
  const [first, name] = group;
  if (first === undefined) return olderTop;
  if (first === 'strategy' && group.length === 1) return olderStrategy;
  if (first === 'limits' && group.length === 1) return Object.keys(olderLimits);
  if (first === 'gates' && name !== undefined && group.length === 2)
    return [...Object.keys(olderGateOptions), ...Object.keys(olderCiOptions), ...Object.keys(nested)];
  return [];
}
