import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findSpecFile, loadSpec } from '@agentgate/runtime';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { agentgate, makePlace, type Place } from './support/command.ts';

let place: Place;
beforeEach(() => {
  place = makePlace();
});
afterEach(() => place.remove());

const has = (program: string): boolean => spawnSync(program, ['--version']).status === 0;

/** Puts programs that only say their version before those of the machine. */
const addPrograms = (...names: string[]) => {
  const bin = join(place.workspace, '..', 'bin');
  mkdirSync(bin);
  for (const name of names) {
    writeFileSync(join(bin, name), '#!/bin/sh\necho 1.0.0\n');
    chmodSync(join(bin, name), 0o755);
  }
  place.env['PATH'] = `${bin}:${place.env['PATH']}`;
};

interface Project {
  name: string;
  files: Record<string, string>;
  /** What `check` answers on it. */
  exit: number;
  needs?: string;
}

const projects: Project[] = [
  {
    name: 'a JavaScript project with tests',
    files: {
      'package.json': '{"scripts":{"test":"node --test","lint":"true"}}',
      'a.test.js': "require('node:test')('a', () => {});\n",
    },
    exit: 0,
  },
  {
    name: 'scripts without a manifest, one of which cannot be read',
    files: { 'a.js': 'let a;\n', 'b.js': 'let a;\n', 'c.js': 'let a;\n', 'd.js': 'let = ;\n' },
    exit: 1,
  },
  {
    name: 'a Python project with unittest',
    needs: 'python3',
    files: {
      'shop/__init__.py': '',
      'tests/test_a.py': 'import unittest, shop\nclass T(unittest.TestCase):\n  def test_a(self): pass\n',
    },
    exit: 0,
  },
  { name: 'Python without tests', needs: 'python3', files: { 'src/a.py': 'x = (\n' }, exit: 1 },
  {
    name: 'a Makefile with a folder of the name of its target',
    needs: 'make',
    files: { Makefile: 'test:\n\t@echo "error: ran"; false\n', 'test/a': '' },
    exit: 1,
  },
  { name: 'a page', files: { 'index.html': '<p>' }, exit: 0 },
  { name: 'an empty directory', files: {}, exit: 1 },
  {
    name: 'what a workflow runs',
    files: {
      '.github/workflows/ci.yml':
        'on: push\njobs:\n  "odd: job # name":\n    steps:\n      - run: sh tests.sh\n      - run: echo ${{ secrets.X }}\n',
      'tests.sh': 'exit 0\n',
    },
    exit: 0,
  },
  { name: 'a gate whose program is missing', files: { 'mix.exs': '', 'test/a_test.exs': '' }, exit: 4 },
];

describe('the file that init writes', () => {
  it.each(projects)('is a spec that check can judge by: $name', async ({ files, exit, needs }) => {
    if (needs && !has(needs)) return;
    place.write(files);
    expect(await agentgate(place, 'init')).toMatchObject({ exit: 0, stderr: '' });
    expect(await loadSpec(place.workspace, findSpecFile(place.workspace), [])).toMatchObject({
      kind: 'loaded',
    });
    const checked = await agentgate(place, 'check');
    expect(checked, checked.stdout + checked.stderr).toMatchObject({ exit });
  });
  it('names a gate that cannot run here, and what it needs', async () => {
    place.write({ 'mix.exs': '', 'test/a_test.exs': '' });
    expect((await agentgate(place, 'init')).stdout).toContain('cannot run here yet: mix is not installed');
    const [gate] = JSON.parse((await agentgate(place, 'init', '--force', '--json')).stdout).gates;
    expect(gate).toMatchObject({ name: 'tests', run: 'mix test', lacks: { what: 'mix is not installed' } });
  });
  it('says what a run without tests proves, and how to get tests', async () => {
    place.write({ 'go.mod': 'module x\n' });
    const { stdout } = await agentgate(place, 'init');
    expect(stdout).toContain('A run without tests proves only what its gates say.');
    expect(stdout).toContain('_test.go');
    expect(readFileSync(join(place.workspace, 'agentgate.yaml'), 'utf8')).toContain('No tests were found');
  });
  it('is honest in an empty directory: nothing passes until a gate is written', async () => {
    expect((await agentgate(place, 'init')).stdout).toContain('Nothing was found here to judge the work by.');
    const checked = await agentgate(place, 'check');
    expect([checked.exit, checked.stdout]).toMatchObject([
      1,
      expect.stringContaining('no gate of its own yet'),
    ]);
  });
});

describe('the agent that init finds', () => {
  it('is the one on the PATH, with the flags to work alone', async () => {
    addPrograms('gemini', 'aider');
    const { stdout } = await agentgate(place, 'init');
    expect(stdout).toMatch(/agent +gemini .*also here: aider/);
    expect(await loadSpec(place.workspace, findSpecFile(place.workspace), [])).toMatchObject({
      spec: { agent: { kind: 'gemini' } },
    });
  });
  it('really works: a run drives it', async () => {
    const bin = join(place.workspace, '..', 'bin');
    addPrograms('claude');
    writeFileSync(join(bin, 'claude'), '#!/bin/sh\ncat > ../prompt; echo done > work.txt\n');
    place.write({ 'package.json': '{"scripts":{"test":"grep -q done work.txt"}}' });
    await agentgate(place, 'init');
    const ended = await agentgate(place, 'run', '--quiet', '-p', 'write the file');
    expect(ended, ended.stdout + ended.stderr).toMatchObject({ exit: 0 });
    expect(readFileSync(join(place.workspace, '..', 'prompt'), 'utf8')).toContain('write the file');
    rmSync(bin, { recursive: true });
  });
});

it('bare agentgate in an empty folder asks for gates alone, since an agent and a task can be proposed', async () => {
  const place = makePlace();
  const { exit, stderr } = await agentgate(place);
  expect(exit).toBe(2);
  expect(stderr).toContain('no gates were given');
  expect(stderr).not.toContain('task: missing');
  place.remove();
});
