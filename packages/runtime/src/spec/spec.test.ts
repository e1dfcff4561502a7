import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findSpecFile, loadSpec, type Override, specHash } from './load.ts';

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
const env = { HOME: '/nowhere' };
const load = (flags: readonly Override[] = []) => loadSpec(root, findSpecFile(root), flags, { env });
const problemsOf = async (text: string) => {
  write({ 'agentgate.yaml': text });
  const loaded = await load();
  return loaded.kind === 'invalid'
    ? loaded.problems.map((one) => `${one.where} ${one.path} ${one.message}`)
    : [];
};
const good = 'task: go\nagent: ["true"]\ngates: { t: npm test }\n';

describe('mistakes are told with their place', () => {
  it('ten at once, each where it stands', async () => {
    const problems = await problemsOf(
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
  ])('%s', async (_name, text, expected) => expect((await problemsOf(text)).join('\n')).toMatch(expected));
  it('names the flag that was wrong', async () => {
    write({ 'agentgate.yaml': good });
    const loaded = await load([{ flag: '--max-iterations', path: ['limits', 'iterations'], value: 'x' }]);
    expect(loaded).toMatchObject({
      kind: 'invalid',
      problems: [{ where: '--max-iterations', path: 'limits.iterations' }],
    });
  });
});

describe('after it was brought into the form of today', () => {
  const resource = [
    'apiVersion: agentgate.io/v1', // 1
    'kind: TaskSpec',
    'metadata: { name: fix-auth }',
    'spec:',
    '  goal: { prompt: Mend it }',
    '  convergence:', // 6
    '    strategy: ralph',
    '    config: { maxIterations: 12, windowSize: 3 }',
    '    gates:',
    '      - name: tests', // 10
    '        check: { type: custom, command: npm test }',
    '      - name: lint',
    '        check: { type: custom, command: npx eslint . }',
    '        onFailure: { action: iterate }',
    '    limits: { maxIterations: 20 }', // 15
    '  execution: { agent: [claude, -p] }',
  ];
  const changed = (lines: Record<number, string>) =>
    resource.map((line, at) => lines[at + 1] ?? line).join('\n');

  it('a resource keeps the place of every mistake', async () => {
    const problems = await problemsOf(
      changed({
        5: '  goal: { promt: Mend it }',
        8: '    config: { maxIterations: many, windowSize: 3, windw: 4 }',
        12: '      - name: tests',
        14: '        onFailure: { action: iterat }',
        15: '    limits: { maxItertions: 20 }',
        16: '  execution: { agnt: [claude, -p] }',
      }),
    );
    expect(problems).toEqual([
      expect.stringMatching(/^agentgate\.yaml:5:3 spec\.goal\.prompt missing/),
      expect.stringMatching(/^agentgate\.yaml:5:11 spec\.goal\.promt unknown option .*"prompt"\?$/),
      expect.stringMatching(
        /^agentgate\.yaml:8:30 spec\.convergence\.config\.maxIterations expected a whole/,
      ),
      expect.stringMatching(
        /^agentgate\.yaml:8:51 spec\.convergence\.config\.windw .*did you mean "window"\?$/,
      ),
      expect.stringMatching(/^agentgate\.yaml:12:15 spec\.convergence\.gates\.1\.name two gates are named/),
      expect.stringMatching(
        /^agentgate\.yaml:15:15 spec\.convergence\.limits\.maxItertions .*"maxIterations"\?$/,
      ),
      expect.stringMatching(/^agentgate\.yaml:16:3 spec\.execution\.agent missing/),
      expect.stringMatching(/^agentgate\.yaml:16:16 spec\.execution\.agnt .*"agent"\?$/),
    ]);
  });
  it('a list of gates keeps them, too', async () => {
    const text =
      'task: go\nagent: ["true"]\ngates:\n  - name: t\n    check:\n      type: custom\n      command: ""\n';
    expect(await problemsOf(text)).toEqual([
      expect.stringMatching(/^agentgate\.yaml:7:16 gates\.0\.check\.command expected a command/),
    ]);
  });
  it('a resource is loaded with what it says about itself', async () => {
    write({ 'agentgate.yaml': resource.join('\n') });
    expect(await load()).toMatchObject({
      kind: 'loaded',
      metadata: { name: 'fix-auth' },
      notes: [],
      spec: { task: 'Mend it', strategy: { kind: 'ralph', max: 12 }, limits: { iterations: 20 } },
    });
  });
  it('older names are noted with their places', async () => {
    write({ 'agentgate.yaml': `${good}mode: ralph\nlimits:\n  maxIterations: 4\n` });
    expect(await load()).toMatchObject({
      notes: [
        {
          where: 'agentgate.yaml:6:3',
          path: 'limits.maxIterations',
          message: 'limits.maxIterations is read as iterations',
        },
        { where: 'agentgate.yaml:4:1', path: 'mode', message: 'mode is read as strategy' },
      ],
    });
  });
});

describe('reading', () => {
  it('refuses two spec files in one place', () => {
    write({ 'agentgate.yaml': good, 'agentgate.json': '{}' });
    expect(() => findSpecFile(root)).toThrow(/^agentgate\.yaml and agentgate\.json are both there; keep one/);
  });
  it('hands what is there to those who add to it', async () => {
    write({
      'agentgate.yaml': `extends: p\n${good}`,
      '.agentgate/profiles/p.yaml': 'gates: { u: x }\nstuck: off\n',
    });
    let seen: unknown;
    await loadSpec(root, findSpecFile(root), (names) => ((seen = names), []), { env });
    expect(seen).toEqual({ options: ['gates', 'stuck', 'task', 'agent'], gates: ['u', 't'] });
  });
  it('takes YAML and JSON, a task from a file, and flags over the file', async () => {
    write({
      'agentgate.json': JSON.stringify({
        task: { file: 'T.md' },
        agent: ['true'],
        gates: { t: 'x' },
        strategy: 'ralph',
      }),
      'T.md': 'from a file',
    });
    const loaded = await load([{ flag: '--gate', path: ['gates', 'u'], value: { run: 'y' } }]);
    expect(loaded).toMatchObject({
      kind: 'loaded',
      source: 'agentgate.json',
      spec: { task: 'from a file', gates: [{ name: 't' }, { name: 'u' }] },
    });
  });
  it('needs no file', async () => {
    const set = (path: string[], value: unknown) => ({ flag: 'x', path, value });
    const flags = [set(['task'], 'go'), set(['agent'], ['true']), set(['gates', 't'], 'x')];
    expect(await loadSpec(root, null, flags, { env })).toMatchObject({ kind: 'loaded' });
  });
  it('hashes the meaning and not the writing', async () => {
    write({
      'a.yaml': good,
      'b.yaml':
        'gates: { t: { run: "npm test" } }\nagent: { kind: command, run: ["true"] }\ntask: "go"\nstrategy: hybrid\n',
    });
    const hash = async (file: string) => {
      const loaded = await loadSpec(root, join(root, file), [], { env });
      return loaded.kind === 'loaded' ? specHash(loaded.spec) : loaded.problems;
    };
    expect(await hash('a.yaml')).toBe(await hash('b.yaml'));
    expect(() => findSpecFile(root, 'missing.yaml')).toThrow(/no spec file missing\.yaml/);
  });
});
