import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { proposeGates } from './detect.ts';
import { findSpecFile, loadSpec, specHash } from './load.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'agentgate-spec-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));
const write = (files: Record<string, string>) => {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
};
const problemsOf = (text: string) => {
  write({ 'agentgate.yaml': text });
  const loaded = loadSpec(root, findSpecFile(root), []);
  return loaded.kind === 'invalid'
    ? loaded.problems.map((one) => `${one.where} ${one.path} ${one.message}`)
    : [];
};
const good = 'task: go\nagent: ["true"]\ngates: { t: npm test }\n';

describe('mistakes are told with their place', () => {
  it('ten at once, each where it stands', () => {
    const problems = problemsOf(
      [
        'task: ""', // 1
        'agent: { run: [] }', // 2
        'gates:',
        '  tests: { run: npm test, severity: hrad }', // 3
        '  types: { run: npx tsc, timeout: soon }', // 4
        '  lint: { rnu: npx eslint . }', // 5, 6
        'strategy: { kind: hybird }', // 7
        'limits: { itterations: 3, wallClock: 60, cost: lots }', // 8, 9, 10
        'detectors: { stal: {} }', // 11
      ].join('\n'),
    );
    expect(problems).toEqual([
      expect.stringMatching(/^agentgate\.yaml:1:7 task expected/),
      expect.stringMatching(/^agentgate\.yaml:2:\d+ agent\.run expected/),
      expect.stringMatching(
        /^agentgate\.yaml:4:37 gates\.tests\.severity expected one of hard, soft, found "hrad"/,
      ),
      expect.stringMatching(/^agentgate\.yaml:5:35 gates\.types\.timeout expected a duration/),
      expect.stringMatching(/^agentgate\.yaml:6:3 gates\.lint\.run missing/),
      expect.stringMatching(
        /^agentgate\.yaml:6:11 gates\.lint\.rnu unknown option "rnu": did you mean "run"\?/,
      ),
      expect.stringMatching(
        /^agentgate\.yaml:7:\d+ strategy\.kind unknown strategy "hybird": did you mean "hybrid"\?/,
      ),
      expect.stringMatching(/^agentgate\.yaml:8:11 limits\.itterations unknown option/),
      expect.stringMatching(
        /^agentgate\.yaml:8:38 limits\.wallClock expected a duration with its unit.*found 60/,
      ),
      expect.stringMatching(/^agentgate\.yaml:8:48 limits\.cost expected an amount of money/),
      expect.stringMatching(
        /^agentgate\.yaml:9:14 detectors\.stal unknown option "stal": did you mean "stall"\?/,
      ),
    ]);
  });
  it.each([
    ['a key given twice', `${good}task: again\n`, /agentgate\.yaml:4:1 .*unique/],
    ['text that is no YAML', 'task: "unfinished\n', /agentgate\.yaml:\d+:\d+ /],
    ['an empty file', '', /agentgate\.yaml:1:1 .*expected options/],
    ['a list', '- a\n', /expected options such as task/],
    [
      'a task file that is not there',
      good.replace('go', '{ file: NO.md }'),
      /agentgate\.yaml:1:\d+ task\.file the task file NO\.md cannot be read/,
    ],
  ])('%s', (_name, text, expected) => expect(problemsOf(text).join('\n')).toMatch(expected));
  it('names the flag that was wrong', () => {
    write({ 'agentgate.yaml': good });
    const loaded = loadSpec(root, findSpecFile(root), [
      { flag: '--max-iterations', path: ['limits', 'iterations'], value: 'x' },
    ]);
    expect(loaded).toMatchObject({
      kind: 'invalid',
      problems: [{ where: '--max-iterations', path: 'limits.iterations' }],
    });
  });
});

describe('reading', () => {
  it('takes YAML and JSON, a task from a file, and flags over the file', () => {
    write({
      'agentgate.json': JSON.stringify({
        task: { file: 'T.md' },
        agent: ['true'],
        gates: { t: 'x' },
        strategy: 'ralph',
      }),
      'T.md': 'from a file',
    });
    const loaded = loadSpec(root, findSpecFile(root), [
      { flag: '--gate', path: ['gates', 'u'], value: { run: 'y' } },
    ]);
    expect(loaded).toMatchObject({
      kind: 'loaded',
      source: 'agentgate.json',
      spec: { task: 'from a file', gates: [{ name: 't' }, { name: 'u' }] },
    });
  });
  it('needs no file', () => {
    const set = (path: string[], value: unknown) => ({ flag: 'x', path, value });
    expect(
      loadSpec(root, null, [set(['task'], 'go'), set(['agent'], ['true']), set(['gates', 't'], 'x')]),
    ).toMatchObject({ kind: 'loaded' });
  });
  it('hashes the meaning and not the writing', () => {
    write({
      'a.yaml': good,
      'b.yaml':
        'gates: { t: { run: "npm test" } }\nagent: { kind: command, run: ["true"] }\ntask: "go"\nstrategy: hybrid\n',
    });
    const hash = (file: string) => {
      const loaded = loadSpec(root, join(root, file), []);
      return loaded.kind === 'loaded' ? specHash(loaded.spec) : loaded.problems;
    };
    expect(hash('a.yaml')).toBe(hash('b.yaml'));
    expect(() => findSpecFile(root, 'missing.yaml')).toThrow(/no spec file missing\.yaml/);
  });
});

describe('proposed gates', () => {
  const proposed = (files: Record<string, string>) => {
    write(files);
    return proposeGates(root).map(({ name, run }) => `${name}: ${run}`);
  };
  it('reads scripts of a JavaScript project', () => {
    const scripts = { test: 'vitest run', lint: 'eslint .', typecheck: 'tsc --noEmit', build: 'vite build' };
    expect(proposed({ 'package.json': JSON.stringify({ scripts }) })).toEqual([
      'tests: npm test',
      'types: npm run typecheck',
      'lint: npm run lint',
      'build: npm run build',
    ]);
  });
  it('reads a TypeScript project without scripts, and the package manager from its lock file', () => {
    const manifest = { scripts: { test: 'vitest' }, devDependencies: { typescript: '7', eslint: '10' } };
    expect(
      proposed({ 'package.json': JSON.stringify(manifest), 'tsconfig.json': '{}', 'pnpm-lock.yaml': '' }),
    ).toEqual([
      'tests: pnpm test',
      'types: npx --no-install tsc --noEmit',
      'lint: npx --no-install eslint .',
    ]);
  });
  it('does not take the placeholder of npm init for tests', () => {
    expect(
      proposed({
        'package.json': JSON.stringify({ scripts: { test: 'echo "Error: no test specified" && exit 1' } }),
      }),
    ).toEqual([]);
  });
  it.each([
    [{ 'Cargo.toml': '' }, 'tests: cargo test'],
    [{ 'go.mod': '' }, 'tests: go test ./...'],
    [{ 'pyproject.toml': '' }, 'tests: python -m pytest -q'],
    [{ Makefile: 'CC := gcc\ntest: all\n\tgo\n' }, 'tests: make test'],
  ])('%j', (files, expected) => expect(proposed(files as Record<string, string>)).toEqual([expected]));
  it('proposes nothing where there is nothing, and survives a broken manifest', () => {
    expect(proposed({})).toEqual([]);
    expect(proposed({ 'package.json': '{' })).toEqual([]);
  });
});
