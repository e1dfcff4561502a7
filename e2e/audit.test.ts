import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { agentgate, type Ended, makePlace, type Place } from './support/command.ts';
import { hasSandbox } from './support/sandbox.ts';

let place: Place;
afterEach(() => place.remove());

const test = (name: string, body: string) =>
  `const test = require('node:test');\nconst assert = require('node:assert');\nconst lib = require('../src/lib.js');\ntest('${name}', () => {\n${body}\n});\n`;

const before = {
  'package.json': JSON.stringify({ scripts: { test: 'node --test' } }),
  'src/lib.js':
    'exports.add = (a, b) => a + b;\nexports.sub = (a, b) => a - b;\nexports.mul = (a, b) => a + b;\n',
  'src/plain.ts': 'export const one: number = 1;\n',
  'test/add.test.js': test(
    'adds',
    '  assert.strictEqual(lib.add(2, 3), 5);\n  assert.strictEqual(lib.add(0, 0), 0);',
  ),
  'test/sub.test.js': test('subtracts', '  assert.strictEqual(lib.sub(5, 3), 2);'),
  'test/mul.test.js': test('multiplies', '  assert.strictEqual(lib.mul(4, 3), 12);'),
  'test/gone.test.js': test('is deleted', '  assert.strictEqual(lib.add(1, 1), 2);'),
  'test/skipped.test.js': test('is skipped', '  assert.strictEqual(lib.add(3, 1), 4);'),
};
const sound = {
  ...before,
  'src/lib.js': before['src/lib.js'].replace('mul = (a, b) => a + b', 'mul = (a, b) => a * b'),
};

const git = (...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], {
    cwd: place.workspace,
    env: { ...place.env, GIT_CONFIG_GLOBAL: '/dev/null' },
    encoding: 'utf8',
  });

function prepare(files: Record<string, string>): void {
  place = makePlace(files);
  git('init', '-q', '-b', 'main');
  git('add', '.');
  git('commit', '-qm', 'base');
}

interface Said {
  base: { commit: string; how: string };
  result: string;
  gates: {
    name: string;
    verdict: { kind: string };
    untold?: string;
    findings: { title: string; since: string | null }[];
    withOldFiles?: { title: string }[];
  }[];
  deletedTests: { path: string }[];
  skipped: { file: string }[];
  weakened: { file: string }[];
  suppressions: { file: string }[];
  protected: { path: string }[];
  files: number;
}
const said = ({ stdout, stderr }: Ended): Said => {
  expect(stdout.trim().split('\n'), stderr).toHaveLength(1);
  return JSON.parse(stdout) as Said;
};
const since = (audit: Said) =>
  Object.fromEntries(
    audit.gates.flatMap((one) =>
      one.findings.map(({ title, since: when }) => [title.replace(/^.* > /, ''), when]),
    ),
  );

describe('work that cheats', () => {
  beforeEach(() => {
    prepare(before);
    place.write({
      'src/lib.js': before['src/lib.js'].replace('a - b', 'b - a'),
      'src/plain.ts': '// @ts-ignore\nexport const one: number = "1";\n',
      'test/add.test.js': test('adds', '  assert.ok(true);'),
      'test/skipped.test.js': before['test/skipped.test.js'].replace('test(', 'test.skip('),
      'src/untracked.ts': '// eslint-disable-next-line\nexport const two: any = 2;\n',
    });
    rmSync(join(place.workspace, 'test/gone.test.js'));
  });

  it('is told what is red, what of it was red before, and what was done to the tests', async () => {
    const ended = await agentgate(place, 'audit', '--json');
    expect(ended.exit).toBe(1);
    const audit = said(ended);
    expect(audit).toMatchObject({
      kind: 'audit',
      result: 'red',
      files: 6,
      base: { how: 'HEAD, which main has too' },
    });
    expect(audit.gates.map(({ name, verdict }) => [name, verdict.kind])).toEqual([['tests', 'failed']]);
    expect(since(audit)).toEqual({ subtracts: 'new', multiplies: 'before' });
    expect(audit.deletedTests.map(({ path }) => path)).toEqual(['test/gone.test.js']);
    expect(audit.skipped.map(({ file }) => file)).toEqual(['test/skipped.test.js']);
    expect(audit.weakened.map(({ file }) => file)).toEqual(['test/add.test.js']);
    expect(audit.suppressions.map(({ file }) => file).sort()).toEqual(
      expect.arrayContaining(['src/plain.ts', 'src/untracked.ts']),
    );
  });

  it('reads as a short page that ends with what to do', async () => {
    const { stdout, exit } = await agentgate(place, 'audit');
    expect(exit).toBe(1);
    for (const part of [
      /^Compared with [0-9a-f]{10} \(HEAD, which main has too\): 6 files differ\./,
      /^tests ✗/m,
      /^ {2}new {4}.*subtracts/m,
      /^ {2}before .*multiplies/m,
      /^tests deleted:\n {2}test\/gone\.test\.js$/m,
      /^tests skipped:\n.*test\/skipped\.test\.js/m,
      /^tests weakened:\n.*test\/add\.test\.js/m,
      /^suppressions added:\n[^]*? {2}src\/plain\.ts/m,
      /^Not clean: 1 new failure, 1 failure from before, \d+ things got worse\.\nNext: git diff /m,
    ])
      expect(stdout).toMatch(part);
    expect(stdout.split('\n').length).toBeLessThan(30);
  });

  it('is seen when it is committed on a branch, against where it left the main one', async () => {
    git('checkout', '-qb', 'work');
    git('add', '-A');
    git('commit', '-qm', 'done, all tests pass');
    const audit = said(await agentgate(place, 'audit', '--json'));
    expect(audit.base).toMatchObject({
      how: 'where the work left main',
      commit: git('rev-parse', 'main').trim(),
    });
    expect(audit.deletedTests).toHaveLength(1);
    const nothing = said(await agentgate(place, 'audit', '--json', '--since', 'HEAD'));
    expect([nothing.files, nothing.deletedTests, since(nothing)]).toEqual([
      0,
      [],
      { subtracts: 'before', multiplies: 'before' },
    ]);
  });
});

describe('honest work', () => {
  beforeEach(() => prepare(sound));

  it('is clean: a new function with its tests, one test more, a note', async () => {
    place.write({
      'src/lib.js': `${sound['src/lib.js']}exports.neg = (a) => -a;\n`,
      'test/neg.test.js': test('negates', '  assert.strictEqual(lib.neg(2), -2);'),
      'test/sub.test.js': `${before['test/sub.test.js']}test('subtracts more', () => assert.strictEqual(lib.sub(1, 1), 0));\n`,
      'README.md': 'A library.\n',
    });
    const ended = await agentgate(place, 'audit', '--json');
    expect([ended.exit, said(ended)]).toMatchObject([
      0,
      { result: 'clean', files: 4, deletedTests: [], skipped: [], weakened: [], suppressions: [] },
    ]);
    expect((await agentgate(place, 'audit')).stdout).toContain('Clean: every gate passes');
  });

  it('is clean when nothing was done, and its gates may be named', async () => {
    const ended = await agentgate(place, 'audit', '--json', '--gate', 'readable=node -e 0');
    const audit = said(ended);
    expect([ended.exit, audit.files, audit.gates.map(({ name }) => name)]).toEqual([
      0,
      0,
      ['tests', 'readable'],
    ]);
  });

  it('takes the gates of the spec, and says what it did not ask', async () => {
    place.write({
      'agentgate.yaml': 'gates: { only: "node --test", ok: { kind: approval, message: "Good?" } }\n',
    });
    const ended = await agentgate(place, 'audit', '--json');
    expect([ended.exit, said(ended)]).toMatchObject([
      0,
      { gates: [{ name: 'only' }], notes: ['not asked: ok'] },
    ]);
  });

  it.skipIf(!hasSandbox)('is told from work that is green only by a changed test', async () => {
    place.write({
      'src/lib.js': sound['src/lib.js'].replace('a - b', 'b - a'),
      'test/sub.test.js': before['test/sub.test.js'].replace('5, 3), 2', '5, 3), -2'),
    });
    const ended = await agentgate(place, 'audit', '--json');
    const audit = said(ended);
    expect([ended.exit, audit.gates[0]!.verdict.kind]).toEqual([1, 'passed']);
    expect(audit.gates[0]!.withOldFiles!.map(({ title }) => title).join()).toContain('subtracts');
  });

  it('touches nothing of the repository and runs nothing that it names', async () => {
    const program = join(place.workspace, '../program');
    writeFileSync(program, `#!/bin/sh\ntouch ${place.workspace}/../ran\ncat\n`);
    chmodSync(program, 0o755);
    for (const key of ['core.fsmonitor', 'filter.x.clean', 'filter.x.smudge', 'diff.external', 'core.pager'])
      git('config', key, program);
    place.write({ '.gitattributes': '* filter=x diff=x\n', 'src/lib.js': `${sound['src/lib.js']}// more\n` });
    rmSync(join(place.workspace, '../ran'), { force: true });
    const was = fingerprint(join(place.workspace, '.git'));
    expect((await agentgate(place, 'audit', '--json')).exit).toBe(0);
    expect(fingerprint(join(place.workspace, '.git'))).toBe(was);
    expect(existsSync(join(place.workspace, '../ran'))).toBe(false);
    expect(readdirSync(place.workspace).sort()).toEqual([
      '.git',
      '.gitattributes',
      'package.json',
      'src',
      'test',
    ]);
  });

  it('is not blamed for ends of lines that git keeps otherwise', async () => {
    git('config', 'core.autocrlf', 'true');
    for (const [path, text] of Object.entries(sound)) place.write({ [path]: text.replaceAll('\n', '\r\n') });
    expect(said(await agentgate(place, 'audit', '--json'))).toMatchObject({
      result: 'clean',
      files: 0,
      protected: [],
    });
  });
});

describe('what cannot be judged', () => {
  it('a commit that is not there, and a folder without commits, are wrong usage', async () => {
    prepare(sound);
    expect(await agentgate(place, 'audit', '--since', 'no-such')).toMatchObject({
      exit: 2,
      stderr: expect.stringContaining('there is no commit no-such'),
    });
    rmSync(join(place.workspace, '.git'), { recursive: true });
    expect(await agentgate(place, 'audit')).toMatchObject({
      exit: 2,
      stderr: expect.stringContaining('in no git repository'),
    });
    git('init', '-q');
    expect(await agentgate(place, 'audit')).toMatchObject({
      exit: 2,
      stderr: expect.stringContaining('no commit yet'),
    });
  });

  it('a project without gates, and a gate that cannot run, end with 4', async () => {
    prepare({ 'notes.txt': 'one\n' });
    const bare = await agentgate(place, 'audit');
    expect([bare.exit, bare.stdout]).toMatchObject([4, expect.stringContaining('name one with --gate')]);
    const lost = await agentgate(place, 'audit', '--json', '--gate', 'no-such-program');
    expect([lost.exit, said(lost)]).toMatchObject([
      4,
      { result: 'unable', gates: [{ verdict: { kind: 'unable' } }] },
    ]);
  });
});

function fingerprint(folder: string): string {
  const hash = createHash('sha256');
  for (const path of readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()) {
    hash.update(path);
    if (statSync(join(folder, path)).isFile()) hash.update(readFileSync(join(folder, path)));
  }
  return hash.digest('hex');
}
