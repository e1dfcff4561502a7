import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { gateFrom, idsOf, judgeGate } from '../testing.ts';

let base: string;
let root: string;
beforeEach(async () => {
  base = await realpath(await mkdtemp(join(tmpdir(), 'agentgate-contracts-')));
  root = join(base, 'root');
  await files({ 'README.md': '# Demo\n' });
});
afterEach(() => rm(base, { recursive: true }));

async function files(contents: Record<string, string>, at = root): Promise<void> {
  for (const [path, text] of Object.entries(contents)) {
    await mkdir(dirname(join(at, path)), { recursive: true });
    await writeFile(join(at, path), text);
  }
}

const git = (...args: string[]) =>
  execFileSync('git', ['-C', root, '-c', 'user.name=t', '-c', 'user.email=t@t', ...args]);
const verdictOf = async (contracts: unknown) =>
  (await judgeGate(gateFrom({ contracts }, 'shape'), root)).verdict;
const judged = async (contracts: unknown) => idsOf(await verdictOf(contracts));

describe('required files', () => {
  test.each([
    ['README.md', '(passed)'],
    ['*.md', '(passed)'],
    ['LICENSE', 'L0:required:LICENSE'],
    ['docs/*.md', 'L0:required:docs/*.md'],
    ['../secret', '(unable)'],
  ])('%s is %s', async (path, expected) => {
    expect(await judged({ required: path, forbidden: [] })).toEqual([expected]);
  });
});

describe('forbidden files', () => {
  const secrets = {
    '.env': 'KEY=1',
    'app/.env.local': 'KEY=1',
    'app/.env.example': 'KEY=',
    'secrets/db.txt': 'x',
    'tls/server.pem': 'x',
    'tls/server.key': 'x',
  };
  const all = ['.env', 'app/.env.local', 'secrets/db.txt', 'tls/server.pem', 'tls/server.key'];

  test('are the usual secrets unless told', async () => {
    await files(secrets);
    expect((await judged(true)).sort()).toEqual(all.map((path) => `L0:forbidden:${path}`).sort());
  });

  test('are exempt where git ignores them, unless they are tracked', async () => {
    await files({ ...secrets, '.gitignore': '.env*\nsecrets/\n' });
    git('init', '-q');
    git('add', '-f', '.env');
    expect((await judged(true)).sort()).toEqual([
      'L0:forbidden:.env',
      'L0:forbidden:tls/server.key',
      'L0:forbidden:tls/server.pem',
    ]);
  });

  test('of a repository inside count too', async () => {
    await files({ 'vendor/x/.env': 'K=1', 'vendor/x/a.pem': 'x', 'vendor/x/.gitignore': '*.pem\n' });
    git('init', '-q');
    execFileSync('git', ['init', '-q', join(root, 'vendor/x')]);
    expect(await judged(true)).toEqual(['L0:forbidden:vendor/x/.env']);
  });

  test('are found in a folder that a repository around it ignores', async () => {
    await files({ '.gitignore': 'root/\n' }, base);
    await files({ '.env': 'K=1' });
    execFileSync('git', ['init', '-q', base]);
    expect(await judged(true)).toEqual(['L0:forbidden:.env']);
  });

  test('are what a list of your own says, and none when it is empty', async () => {
    await files({ ...secrets, 'a.orig': '' });
    expect(await judged({ forbidden: ['**/*.orig'] })).toEqual(['L0:forbidden:a.orig']);
    expect(await judged({ required: 'README.md', forbidden: [] })).toEqual(['(passed)']);
  });

  test('an empty folder proves nothing', async () => {
    await rm(join(root, 'README.md'));
    expect(await judged(true)).toEqual(['L0:empty']);
  });

  test('nothing in the configuration of the project is run', async () => {
    git('init', '-q');
    git('config', 'core.fsmonitor', `touch ${join(base, 'ran')}`);
    git('config', 'core.hooksPath', base);
    await files({ '.env': 'K=1' });
    expect(await judged({ forbidden: ['**/.env'] })).toEqual(['L0:forbidden:.env']);
    expect(existsSync(join(base, 'ran'))).toBe(false);
  });
});

describe('schemas', () => {
  const rules = [
    { field: 'name', type: 'string', matches: '^[a-z-]+$' },
    { field: 'scripts.test', exists: true },
    { field: '/files/0', type: 'string' },
    { field: 'private', exists: false },
    { field: 'version', type: 'integer' },
  ];
  const schema = (over: object) => ({ forbidden: [], schemas: [{ files: 'package.json', rules, ...over }] });

  test('pass when every rule holds', async () => {
    const good = { name: 'demo', scripts: { test: 'x' }, files: ['dist'], version: 1 };
    await files({ 'package.json': JSON.stringify(good) });
    expect(await verdictOf(schema({}))).toMatchObject({
      kind: 'passed',
      levels: [
        { level: 'L0', status: 'passed' },
        { status: 'skipped' },
        { status: 'skipped' },
        { status: 'skipped' },
      ],
    });
  });

  test('name every rule that does not', async () => {
    await files({ 'package.json': '{"name": "De mo", "files": [1], "private": null, "version": 1.5}' });
    expect(await judged(schema({}))).toEqual([
      'L0:schema:package.json:name:matches',
      'L0:schema:package.json:scripts.test:exists',
      'L0:schema:package.json:/files/0:type',
      'L0:schema:package.json:private:exists',
      'L0:schema:package.json:version:type',
    ]);
  });

  test.each([
    ['a missing file', {}, 'package.json', 'L0:schema:package.json:missing'],
    ['a glob without a match', {}, 'config/*.json', 'L0:schema:config/*.json:missing'],
    ['broken JSON', { 'a.json': '{' }, 'a.json', 'L0:schema:a.json:syntax'],
    ['broken YAML', { 'a.yaml': 'a: [1' }, 'a.yaml', 'L0:schema:a.yaml:syntax'],
  ])('are not kept by %s', async (_name, contents, path, id) => {
    await files(contents as Record<string, string>);
    expect(await judged(schema({ files: path }))).toEqual([id]);
  });

  test('read YAML, and follow a JSON Schema in a file or in the gate', async () => {
    const jsonSchema = { type: 'object', required: ['port'], properties: { port: { type: 'integer' } } };
    await files({
      'conf/a.yaml': 'port: 80\n',
      'conf/b.yml': 'port: eighty\n',
      'port.schema.json': JSON.stringify(jsonSchema),
    });
    for (const one of [jsonSchema, 'port.schema.json']) {
      expect(await verdictOf(schema({ files: 'conf/*', rules: [], jsonSchema: one }))).toMatchObject({
        kind: 'failed',
        findings: [{ file: 'conf/b.yml', message: expect.stringContaining('/port: Instance type "string"') }],
      });
    }
  });

  test.each([
    ['missing.json', /cannot read missing\.json, which it judges by/],
    ['../out.json', /leads out of the workspace/],
    [{ requried: ['a'] }, /requried.*correct the schema/],
  ])('that cannot judge are unable: %j', async (jsonSchema, message) => {
    await files({ 'package.json': '{}' });
    await files({ 'out.json': '{}' }, base);
    const verdict = await verdictOf(schema({ rules: [], jsonSchema }));
    expect(verdict).toMatchObject({ kind: 'unable', fault: { message: expect.stringMatching(message) } });
  });

  test('a link that leads out is not read', async () => {
    await files({ 'out.json': '{"name": "x"}' }, base);
    await symlink(join(base, 'out.json'), join(root, 'package.json'));
    expect(await judged(schema({}))).toEqual(['(unable)']);
  });

  test('a pattern that never ends is not a pass', async () => {
    await files({ 'package.json': JSON.stringify({ name: `${'a'.repeat(60)}!` }) });
    const slow = [{ field: 'name', matches: '^(a+)+$' }];
    expect(await judged(schema({ rules: slow }))).toEqual(['L0:schema:package.json:name:matches']);
  });
});

describe('names', () => {
  test.each([
    ['kebab', ['good-name.test.ts', '.eslintrc.json'], ['BadName.ts', 'bad_name.ts']],
    ['snake', ['good_name.py', '__init__.py'], ['bad-name.py', 'Bad.py']],
    ['camel', ['goodName.ts', 'one.ts'], ['BadName.ts', 'bad-name.ts']],
    ['pascal', ['GoodName.tsx'], ['badName.tsx', 'Bad_Name.tsx']],
  ])('in %s case', async (style, good, bad) => {
    await files(Object.fromEntries([...good, ...bad].map((name) => [`src/${name}`, ''])));
    const ids = await judged({ forbidden: [], naming: [{ files: 'src/**', style }] });
    expect(ids.sort()).toEqual(bad.map((name) => `L0:naming:src/${name}`).sort());
  });

  test('of no file at all are said', async () => {
    expect(await verdictOf({ forbidden: [], naming: [{ files: 'lib/**', style: 'kebab' }] })).toMatchObject({
      kind: 'passed',
      note: 'kebab names in lib/**: no file matches',
    });
  });
});
