import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { GateRequest, GateSpec, Verdict } from '@agentgate/core';
import { gateWith, judgeGate } from './testing.ts';

type ArtifactGate = Extract<GateSpec, { kind: 'artifact' }>;

let outside: string;
let root: string;
beforeEach(async () => {
  outside = await realpath(await mkdtemp(join(tmpdir(), 'agentgate-artifact-')));
  root = join(outside, 'root');
  for (const [path, text] of Object.entries({
    'root/dist/index.js': 'export const a = 1;\nexport const b = 2;\n',
    'root/dist/.map': '',
    'root/README.md': '# Demo\n',
    'root/node_modules/x/index.js': '',
    'root/.git/config': '',
    'secret.txt': 'key',
  })) {
    await mkdir(dirname(join(outside, path)), { recursive: true });
    await writeFile(join(outside, path), text);
  }
  await symlink(outside, join(root, 'out'));
  await symlink(join(outside, 'secret.txt'), join(root, 'secret.txt'));
  await symlink('dist', join(root, 'lib'));
  await symlink('nowhere', join(root, 'dangling'));
});
afterEach(() => rm(outside, { recursive: true }));

async function look(conditions: Partial<ArtifactGate>, request: Partial<GateRequest> = {}): Promise<Verdict> {
  const gate = gateWith('artifact', {}, { ...conditions, name: 'build' });
  return (await judgeGate(gate, root, request)).verdict;
}

const ids = (verdict: Verdict): string[] =>
  verdict.kind === 'failed' ? verdict.findings.map(({ id }) => id) : [`(${verdict.kind})`];

describe('exists', () => {
  test.each([
    ['dist/index.js', '(passed)'],
    ['./dist/index.js', '(passed)'],
    ['dist', '(passed)'],
    ['lib/index.js', '(passed)'],
    ['dist/*.js', '(passed)'],
    ['./dist/*.js', '(passed)'],
    ['**/index.js', '(passed)'],
    ['dist/*', '(passed)'],
    ['node_modules/x/*.js', '(passed)'],
    ['**/node_modules/x/*.js', '(passed)'],
    ['dist/main.js', 'artifact:missing:dist/main.js'],
    ['dist/*.ts', 'artifact:missing:dist/*.ts'],
    ['nowhere/*.ts', 'artifact:missing:nowhere/*.ts'],
    ['**/x/index.js', 'artifact:missing:**/x/index.js'],
    ['dangling', 'artifact:missing:dangling'],
    ['secret.txt', '(unable)'],
    ['out/secret.txt', '(unable)'],
    ['out/*.txt', '(unable)'],
    ['../secret.txt', '(unable)'],
    ['../nowhere.txt', '(unable)'],
    ['../*.txt', '(unable)'],
    ['/etc/passwd', '(unable)'],
  ])('%s is %s', async (path, expected) => {
    expect(ids(await look({ exists: [path] }))).toEqual([expected]);
  });
});

describe('notExists', () => {
  test.each([
    ['tmp.log', '(passed)'],
    ['**/*.log', '(passed)'],
    ['dist/index.js', 'artifact:present:dist/index.js'],
    ['dist/*map', 'artifact:present:dist/*map'],
    ['dangling', 'artifact:present:dangling'],
    ['secret.txt', '(unable)'],
  ])('%s is %s', async (path, expected) => {
    expect(ids(await look({ notExists: [path] }))).toEqual([expected]);
  });
});

describe('contains', () => {
  test.each([
    [{ path: 'README.md', text: '# Demo' }, '(passed)'],
    [{ path: 'dist/index.js', matches: '^export const b' }, '(passed)'],
    [{ path: 'dist/index.js' }, '(passed)'],
    [
      { path: 'README.md', text: '# Other' },
      expect.stringMatching(/^artifact:content:README\.md:[0-9a-f]{8}$/),
    ],
    [
      { path: 'README.md', matches: 'x{3}' },
      expect.stringMatching(/^artifact:content:README\.md:[0-9a-f]{8}$/),
    ],
    [{ path: 'nowhere.md', text: 'x' }, 'artifact:missing:nowhere.md'],
    [{ path: 'dist', text: 'x' }, 'artifact:content:dist'],
    [{ path: 'secret.txt', text: 'key' }, '(unable)'],
    [{ path: 'README.md', matches: '(' }, '(unable)'],
  ])('%j', async (content, expected) => {
    expect(ids(await look({ contains: [content] }))).toEqual([expected]);
  });

  test('looks at the first 10 MB only', async () => {
    await writeFile(join(root, 'big.txt'), `${'x'.repeat(10 * 1024 * 1024)}needle`);
    expect((await look({ contains: [{ path: 'big.txt', text: 'needle' }] })).kind).toBe('failed');
  });
});

test('every unmet condition is a finding', async () => {
  const verdict = await look({ exists: ['a', 'README.md'], notExists: ['dist'], contains: [{ path: 'b' }] });
  expect(verdict).toMatchObject({
    kind: 'failed',
    findings: [
      { id: 'artifact:missing:a', title: 'a does not exist', file: 'a' },
      { id: 'artifact:present:dist', title: 'dist exists, but must not', file: 'dist' },
      { id: 'artifact:missing:b' },
    ],
    excerpt: 'a does not exist\ndist exists, but must not\nb does not exist',
  });
});

test('a gate without conditions judges nothing', async () => {
  expect(await look({})).toMatchObject({ kind: 'unable', fault: { code: 'gate.empty' } });
});

test('a path that leads out says which and what next', async () => {
  expect(await look({ exists: ['out/*.txt'] })).toMatchObject({
    fault: {
      code: 'gate.path',
      message: expect.stringMatching(/gate build cannot look at out\/\*\.txt: .*; name a path/),
    },
  });
});

test('is skipped when the run is stopped', async () => {
  const signal = AbortSignal.abort();
  expect((await look({ exists: ['dist'] }, { signal })).kind).toBe('skipped');
});
