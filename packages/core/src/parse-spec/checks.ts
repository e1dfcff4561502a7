import { parseDuration, showDuration } from '../quantity.ts';
import { isRecord } from '../spec/words.ts';
import { allGateChecks, kindOf } from './gate-checks.ts';
import { leavesProject } from './inside.ts';
import { type SpecProblem, show, valueAt } from './problem.ts';

/** Rules between fields; they look at the raw value so that they speak even when other fields are wrong. */
export function crossChecks(value: unknown, root?: string): SpecProblem[] {
  const gates = valueAt(value, ['gates']);
  const strategy = valueAt(value, ['strategy']);
  return [
    ...(isRecord(gates) ? allGateChecks(gates, root) : []),
    ...(isRecord(strategy) ? strategyChecks(strategy, value, root) : []),
    ...stateDirChecks(valueAt(value, ['stateDir'])),
  ];
}

function strategyChecks(strategy: Record<string, unknown>, value: unknown, root?: string): SpecProblem[] {
  const problems: SpecProblem[] = [];
  const say = (key: string, message: string) => problems.push({ path: ['strategy', key], message });
  const { min, max = 10, timeout, module } = strategy;
  if (typeof min === 'number' && typeof max === 'number' && min > max)
    say('min', `expected at most max (${max}), found ${min}`);
  if (strategy['acceptPartialAfter'] !== undefined && strategy['acceptPartial'] !== undefined)
    say('acceptPartialAfter', 'stands beside acceptPartial, which says the same and more; give one of them');
  if (strategy['kind'] === 'adaptive' && strategy['mode'] === 'value' && strategy['value'] === undefined)
    say('mode', 'value needs to know what a solve is worth; say so, such as value: 5usd');
  if (Array.isArray(strategy['criteria'])) problems.push(...ciChecks(strategy['criteria'], value));
  if (typeof module === 'string' && leavesProject(module, root))
    say('module', `expected a module inside the project, found ${show(module)}`);
  const longest = valueAt(value, ['limits', 'maxWait']);
  const maxWait = typeof longest === 'string' ? parseDuration(longest) : 12 * 3_600_000;
  const wait = strategy['kind'] === 'manual' && typeof timeout === 'string' ? parseDuration(timeout) : null;
  if (wait !== null && maxWait !== null && wait > maxWait)
    say('timeout', `expected at most limits.maxWait (${showDuration(maxWait)}), found ${show(timeout)}`);
  return problems;
}

function ciChecks(criteria: readonly unknown[], value: unknown): SpecProblem[] {
  const gates = Object.values(valueAt(value, ['gates']) ?? {});
  if (!criteria.includes('ci-pass') || gates.some((gate) => isRecord(gate) && kindOf(gate) === 'ci'))
    return [];
  return [
    {
      path: ['strategy', 'criteria'],
      message: 'ci-pass needs a gate that asks CI, such as ci: {kind: ci}; add one, or leave it out',
    },
  ];
}

function stateDirChecks(dir: unknown): SpecProblem[] {
  if (typeof dir !== 'string' || dir.trim() === '') return [];
  if (!dir.startsWith('/') && !leavesProject(dir)) return [];
  return [
    {
      path: ['stateDir'],
      message: `expected a folder inside the workspace, such as .agent, found ${show(dir)}`,
    },
  ];
}
