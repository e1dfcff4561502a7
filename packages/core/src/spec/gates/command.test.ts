import { describe, expect, it } from 'vitest';
import { parseSpec } from '../../parse-spec.ts';

const parse = (report: unknown) =>
  parseSpec({ task: 'x', agent: ['true'], gates: { a: { run: 'x', report } } });

function reportOf(report: unknown): unknown {
  const parsed = parse(report);
  if (parsed.kind !== 'spec') throw new Error(JSON.stringify(parsed.problems));
  const gate = parsed.spec.gates[0];
  return gate?.kind === 'command' ? gate.report : undefined;
}

function mistakesIn(report: unknown): string[] {
  const parsed = parse(report);
  return parsed.kind === 'spec' ? [] : parsed.problems.map((one) => `${one.path.join('.')}: ${one.message}`);
}

describe('the report of a command', () => {
  const pattern = '^(?<file>\\S+):(?<line>\\d+): (?<rule>\\w+): (?<message>.*)$';
  const names = ['auto', 'tap', 'junit', 'ctrf', 'jest', 'vitest', 'mocha', 'go', 'cargo'];

  it.each([...names, 'eslint', 'ruff', 'mypy', 'tsc', 'plain'])('may be %s', (name) => {
    expect(reportOf(name)).toBe(name);
  });

  it.each([
    [
      { format: 'go', path: 'out.json' },
      { format: 'go', path: 'out.json' },
    ],
    [{ path: 'out.json' }, { format: 'auto', path: 'out.json' }],
    [{ pattern }, { pattern }],
    [
      { pattern, path: 'log.txt' },
      { pattern, path: 'log.txt' },
    ],
    [{ pattern: '(?<test>.+) failed' }, { pattern: '(?<test>.+) failed' }],
  ])('may be %j', (given, read) => {
    expect(reportOf(given)).toEqual(read);
  });

  it.each([
    ['jset', /^gates\.a\.report: expected one of auto, .*found "jset"/],
    [{ format: 'plain', path: 'x' }, /^gates\.a\.report/],
    [{ format: 'tap' }, /^gates\.a\.report/],
    [{ pattern: '(?<message>' }, /^gates\.a\.report\.pattern: expected a regular expression/],
    [{ pattern: '^error' }, /^gates\.a\.report\.pattern: expected named groups/],
    [{ pattern: '(?<file>.+)' }, /^gates\.a\.report\.pattern: expected named groups/],
    [{ pattern: '(?<mesage>.+)(?<rule>x)' }, /^gates\.a\.report\.pattern: expected named groups/],
    [{ pattern, path: '../out' }, /^gates\.a\.report\.path: expected a path inside the project/],
  ])('may not be %j', (given, mistake) => {
    expect(mistakesIn(given)).toEqual([expect.stringMatching(mistake)]);
  });
});
