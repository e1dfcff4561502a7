import type { Finding } from '@agentgate/core';
import { describe, expect, it } from 'vitest';
import { pickingArgs } from './picking.ts';
import { knownRunner } from './runner.ts';

const found = (...ids: string[]): Finding[] => ids.map((id) => ({ id, title: id }));
const args = (run: string, findings: readonly Finding[]) => pickingArgs(knownRunner(run, {})!, findings);
const two = found('test:src/a.test.ts > sums > adds 2 and 3', 'test:src/b.test.ts > fails (again)');
const python = found('test:tests.test_a > test_adds[1-2]', 'test:tests.test_a.TestB > test_more');

describe('a runner is asked for the failing tests alone', () => {
  it.each([
    ['vitest run', two, ['run', 'src/a.test.ts', 'src/b.test.ts', '-t', 'adds .* and .*|fails .*again.*']],
    ['vitest run src', two, ['run', 'src', '-t', 'adds .* and .*|fails .*again.*']],
    [
      'jest',
      two,
      ['-t', 'adds .* and .*|fails .*again.*', '--runTestsByPath', 'src/a.test.ts', 'src/b.test.ts'],
    ],
    ['mocha', two, ['--grep', 'adds .* and .*|fails .*again.*']],
    ['node --test', two, ['--test-name-pattern=/adds .* and .*|fails .*again.*/', '--test']],
    ['pytest -q', python, ['-q', '-k', 'test_adds or test_more']],
  ])('%s', (run, findings, words) => {
    expect(args(run, findings)).toEqual(words);
  });

  it.each<[string, string, Finding[]]>([
    ['somebody picks already', 'vitest run -t adds', two],
    ['somebody picks in another way', 'mocha -g adds', two],
    ['a failure names no test', 'jest', [{ id: 'exit:1', title: 'x', synthetic: true }]],
    ['a file did not load', 'jest', [{ id: 'test:a.test.js', title: 'x', load: true }]],
    ['a name was cut', 'jest', found(`test:${'x'.repeat(300)}…abc`)],
    ['there are too many', 'jest', Array.from({ length: 41 }, (_, at) => found(`test:a > b${at}`)[0]!)],
    ['there is nothing to pick', 'jest', []],
    ['it runs no tests', 'tsc', found('type:TS1:a.ts:x')],
    ['a name is no word', 'pytest', found('test:tests.test_a > <lambda>')],
  ])('but not where %s', (_, run, findings) => {
    expect(args(run, findings)).toBeNull();
  });
});
