import { describe, expect, it } from 'vitest';
import { parseSpec, showPath } from '../parse-spec.ts';

const problems = (fields: Record<string, unknown>) => {
  const parsed = parseSpec({ task: 'do it', agent: ['true'], gates: { tests: 'x' }, ...fields });
  return parsed.kind === 'invalid'
    ? parsed.problems.map((one) => `${showPath(one.path)}: ${one.message}`)
    : [];
};
const gate = (option: string) => ({ gates: { t: { run: 'x', [option]: 1 } } });
const strategy = (option: string) => ({ strategy: { kind: 'ralph', [option]: 1 } });

describe('a misspelt older name is answered with the one that was meant', () => {
  it.each<[Record<string, unknown>, string, string, string]>([
    [{ mdoe: 'ralph' }, '', 'mdoe', 'mode'],
    [{ loopStratgy: 'ralph' }, '', 'loopStratgy', 'loopStrategy'],
    [{ promt: 'x' }, '', 'promt', 'prompt'],
    [{ gaol: 'x' }, '', 'gaol', 'goal'],
    [{ maxTokns: 1 }, '', 'maxTokns', 'maxTokens'],
    [{ limits: { maxWallClokSeconds: 1 } }, 'limits.', 'maxWallClokSeconds', 'maxWallClockSeconds'],
    [{ limits: { maxTimMs: 1 } }, 'limits.', 'maxTimMs', 'maxTimeMs'],
    [strategy('windowSise'), 'strategy.', 'windowSise', 'windowSize'],
    [strategy('maxIteration'), 'strategy.', 'maxIteration', 'maxIterations'],
    [strategy('convergenceThreshhold'), 'strategy.', 'convergenceThreshhold', 'convergenceThreshold'],
    [strategy('requireCl'), 'strategy.', 'requireCl', 'requireCI'],
    [strategy('stateDri'), 'strategy.', 'stateDri', 'stateDir'],
    [strategy('loopDetecton'), 'strategy.', 'loopDetecton', 'loopDetection'],
    [{ strategy: { kind: 'hybrid', loopDetecton: 1 } }, 'strategy.', 'loopDetecton', 'loopDetection'],
    [gate('conditon'), 'gates.t.', 'conditon', 'condition'],
    [gate('chekc'), 'gates.t.', 'chekc', 'check'],
  ])('%j', (fields, where, option, meant) => {
    expect(problems(fields)).toContain(
      `${where}${option}: unknown option "${option}": did you mean "${meant}"?`,
    );
  });
});

describe('an older name is not offered where it never stood', () => {
  it.each<[string, Record<string, unknown>]>([
    [
      'a limit of the run in a group of the strategy',
      { strategy: { kind: 'hybrid', acceptPartial: { maxTokns: 1 } } },
    ],
    ['an option of a strategy below one', { strategy: { kind: 'hybrid', acceptPartial: { windowSise: 1 } } }],
    ['an option of a strategy among the limits', { limits: { windowSise: 1 } }],
    ['a name of the top among the limits', { limits: { promt: 1 } }],
    ['an option of a gate at the top', { conditon: 1 }],
    ['an option of a gate below one', { gates: { t: { run: 'x', backoff: { conditon: 1 } } } }],
    [
      'an option of a gate below a strategy',
      { strategy: { kind: 'hybrid', acceptPartial: { conditon: 1 } } },
    ],
    ['a limit among the detectors', { detectors: { maxTokns: 1 } }],
    ['an option of a gate as a detector', { detectors: { conditon: 1 } }],
  ])('%s', (_, fields) => {
    const found = problems(fields).join('\n');
    expect(found).toContain('unknown option');
    expect(found).not.toContain('did you mean');
  });
});
