import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, type TestContext } from 'vitest';
import { makePlace, outcomeOf } from './support/command.ts';
import { strictProject, use } from './support/consumer.ts';
import {
  hasInstallScript,
  importedBy,
  install,
  installed,
  pack,
  run,
  type Tarball,
} from './support/packed.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const ours = ['agentgate', '@agentgate/core', '@agentgate/runtime'];
const place = makePlace();
/** All three packages, for who builds on the libraries. */
const library = join(place.workspace, '..', 'library');
/** The command and nothing else: what it needs must come along with it. */
const command = place.workspace;
let tarballs: Tarball[] = [];
let missing: string | null = null;

beforeAll(() => {
  tarballs = pack(place, ['packages/cli', 'packages/core', 'packages/runtime']);
  missing =
    install(place, library, tarballs) ??
    install(
      place,
      command,
      tarballs.filter(({ name }) => name === 'agentgate'),
    );
  if (missing !== null) console.error(`The tests of the installed packages are skipped. Missing: ${missing}`);
});
afterAll(() => place.remove());

const needsRegistry = ({ skip }: TestContext) => skip(missing !== null, `missing: ${missing}`);

describe('the packed files', () => {
  it('carry licence and readme, and neither tests nor sources nor maps', () => {
    expect(tarballs.map(({ name }) => name).sort()).toEqual([...ours].sort());
    for (const { name, paths } of tarballs) {
      expect([name, paths]).toEqual([name, expect.arrayContaining(['LICENSE', 'README.md', 'package.json'])]);
      // The bundled example is a project with tests of its own.
      const product = paths.filter((path) => !path.startsWith('demo/'));
      const strange = product.filter((path) => /\.map$|\.test\.|^src\/|fixture|testing|golden/.test(path));
      expect([name, strange]).toEqual([name, []]);
    }
    const needed = [
      'demo/script.yaml',
      'dist/licences.txt',
      'dist/web/index.html',
      'schema/agentgate.schema.json',
    ];
    expect(tarballs.find(({ name }) => name === 'agentgate')!.paths).toEqual(expect.arrayContaining(needed));
  });

  it('hold the licence of the repository', (context) => {
    needsRegistry(context);
    const licence = readFileSync(join(root, 'LICENSE'), 'utf8');
    for (const name of ours)
      expect(readFileSync(join(library, 'node_modules', name, 'LICENSE'), 'utf8')).toBe(licence);
  });
});

describe('installed into an empty folder', () => {
  it('brings at most 15 packages of others, none with an install script', (context) => {
    needsRegistry(context);
    const others = installed(library).filter(({ name }) => !ours.includes(name));
    const named = others.map(({ name, manifest }) => `${name} ${manifest.version}`);
    expect(named.length, `too many: ${named.join(', ')}`).toBeLessThanOrEqual(15);
    expect(installed(library).filter(hasInstallScript)).toEqual([]);
    const alone = installed(command).filter(({ name }) => !ours.includes(name));
    expect(alone.length, 'the command carries its code and installs less').toBeLessThan(others.length);
  });

  it('declares what it imports', (context) => {
    needsRegistry(context);
    for (const name of ours) {
      const { dir, manifest } = installed(library).find((one) => one.name === name)!;
      const declared = Object.keys(manifest.dependencies ?? {});
      expect([name, importedBy(dir).filter((one) => !declared.includes(one))]).toEqual([name, []]);
    }
  });

  it('runs an agent until the gate is met', (context) => {
    needsRegistry(context);
    const { version } = JSON.parse(readFileSync(join(root, 'packages/cli/package.json'), 'utf8')) as {
      version: string;
    };
    expect(npx('--version').stdout).toBe(`${version}\n`);
    place.write({ 'agent.sh': '#!/bin/sh\ncat > prompt.txt\necho x >> work.txt\n' });
    const gate = 'test $(wc -l < work.txt) -ge 2';
    expect(
      judged('run', '--json', '-p', 'Write two lines.', '--gate', gate, '--', './agent.sh'),
    ).toMatchObject([0, { kind: 'run.ended', status: 'converged', code: 'goal.met', iterations: 2 }]);
    expect(readFileSync(join(command, 'prompt.txt'), 'utf8')).toContain('Write two lines.');
  });

  it('reads a spec in TypeScript', (context) => {
    needsRegistry(context);
    place.write({ 'typed/agentgate.ts': typedSpec });
    expect(judged('run', '-C', 'typed', '--json')).toMatchObject([0, { status: 'converged' }]);
  });

  it('shows its bundled example', (context) => {
    needsRegistry(context);
    expect(judged('demo', '--json')).toMatchObject([0, { status: 'converged' }]);
  });
});

describe('the libraries, installed', () => {
  it('load', (context) => {
    needsRegistry(context);
    const script = ours
      .slice(1)
      .map((name) => `console.log(Object.keys(await import('${name}')).length > 9)`);
    const { stdout, stderr } = run(place, library, process.execPath, [
      '--input-type=module',
      '-e',
      script.join(';'),
    ]);
    expect([stdout, stderr]).toEqual(['true\ntrue\n', '']);
  });

  it('have types that a strict project can check', (context) => {
    needsRegistry(context);
    writeFileSync(
      join(library, 'tsconfig.json'),
      JSON.stringify(strictProject(join(root, 'node_modules', '@types'))),
    );
    writeFileSync(join(library, 'use.ts'), use);
    const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
    const { status, stdout } = run(place, library, process.execPath, [tsc, '-p', '.']);
    expect([status, stdout]).toEqual([0, '']);
  });
});

const typedSpec = `import { defineSpec } from '@agentgate/runtime';
enum Gate { made = 'test -f made' }
export default defineSpec({ task: 'Make it.', agent: { kind: 'command', run: ['touch', 'made'] }, gates: { made: { run: Gate.made } } });
`;

const npx = (...args: string[]) => run(place, command, 'npx', ['agentgate', ...args]);

/** The exit code, and the outcome that the last line tells. */
function judged(...args: string[]): [number | null, Record<string, unknown>] {
  const { status, ...ended } = npx(...args);
  return [status, outcomeOf({ exit: status, ...ended })];
}
