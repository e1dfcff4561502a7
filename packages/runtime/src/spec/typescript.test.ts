import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, expectTypeOf, it } from 'vitest';
import { findSpecFile, loadSpec } from './load.ts';
import { defineSpec } from './typescript.ts';

let root: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'agentgate-code-')));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));
const write = (files: Record<string, string>) => {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
};
const load = () => loadSpec(root, findSpecFile(root), [], { env: { HOME: '/nowhere' } });
const problemsOf = async (text: string) => {
  write({ 'agentgate.ts': text });
  const loaded = await load();
  return loaded.kind === 'invalid'
    ? loaded.problems.map((one) => `${one.where} ${one.path} ${one.message}`)
    : [];
};

const body = "{ task: 'go', agent: ['true'], gates: { t: 'npm test' }";

describe('a spec in code', () => {
  it.each([
    [
      'agentgate.ts',
      `import { defineSpec } from '@agentgate/runtime';\ninterface A { n: number }\nconst a: A = { n: 4 };\nexport default defineSpec(${body}, limits: { iterations: a.n } });\n`,
    ],
    [
      'agentgate.mts',
      `const n: number = await Promise.resolve(4);\nexport default ${body}, limits: { iterations: n } };\n`,
    ],
    ['agentgate.js', `module.exports = ${body}, limits: { iterations: 4 } };\n`],
    ['agentgate.mjs', `export default ${body}, limits: { iterations: 4 } };\n`],
  ])('is read from %s', async (name, text) => {
    write({ [name]: text });
    expect(await load()).toMatchObject({
      kind: 'loaded',
      source: name,
      spec: { task: 'go', limits: { iterations: 4 }, gates: [{ name: 't' }] },
    });
  });
  it('may load other files of the project, and leaves nothing behind', async () => {
    write({
      'lib/limits.ts': 'export const iterations: number = 7;\n',
      'agentgate.ts': `import { iterations } from './lib/limits.ts';\nexport default ${body}, limits: { iterations } };\n`,
    });
    expect(await load()).toMatchObject({ spec: { limits: { iterations: 7 } } });
    write({ 'lib/limits.ts': 'export const iterations: number = 8;\n' });
    expect(await load()).toMatchObject({ spec: { limits: { iterations: 8 } } });
    expect(readdirSync(root).sort()).toEqual(['agentgate.ts', 'lib']);
  });
  it('may be a profile', async () => {
    write({
      '.agentgate/profiles/base.ts': `export default ${body}, strategy: 'ralph' };\n`,
      'agentgate.yaml': 'extends: base\n',
    });
    expect(await load()).toMatchObject({ kind: 'loaded', spec: { task: 'go', strategy: { kind: 'ralph' } } });
  });
  it('is refused beside another spec', () => {
    write({ 'agentgate.ts': '', 'agentgate.yaml': '' });
    expect(() => findSpecFile(root)).toThrow(
      'agentgate.yaml and agentgate.ts are both there; keep one, or name one with --config',
    );
    expect(findSpecFile(root, 'agentgate.ts')).toBe(join(root, 'agentgate.ts'));
  });
});

describe('mistakes in code are told with their line', () => {
  it.each<[string, string, RegExp]>([
    [
      'a syntax error',
      `export default {\n  task: 'x' +,\n};\n`,
      /^agentgate\.ts:2:\d+ {2}cannot be loaded: Unexpected token/,
    ],
    [
      'a throw',
      `type A = string;\n\nconst a = (undefined as unknown as { b: A }).b;\nexport default { task: a };\n`,
      /^agentgate\.ts:3:\d+ {2}cannot be loaded: TypeError: Cannot read properties of undefined/,
    ],
    ['nothing exported', 'export const spec = {};\n', /^agentgate\.ts:1:1 .*found an export of spec/],
    [
      'an unknown option',
      `const x = 1;\nexport default ${body},\n  limits: {\n    itterations: x,\n  },\n};\n`,
      /^agentgate\.ts:4:5 limits\.itterations unknown option "itterations": did you mean "iterations"\?$/,
    ],
    [
      'a wrong value of a quoted name',
      `export default {\n  task: 'go', agent: ['true'],\n  gates: {\n    'unit tests': { run: 'x',\n      severity: 'sfot' },\n  },\n};\n`,
      /^agentgate\.ts:5:7 gates\.unit tests\.severity expected one of hard, soft, found "sfot"/,
    ],
    [
      'a function',
      `export default {\n  task: 'go', agent: ['true'],\n  gates: { t: () => 'npm test' },\n};\n`,
      /^agentgate\.ts:3:12 gates\.t expected data, found a function$/,
    ],
    [
      'a value that holds itself',
      `const a: Record<string, unknown> = {};\na['limits'] = a;\nexport default a;\n`,
      /expected data, found a value that holds itself/,
    ],
  ])('%s', async (_name, text, expected) => expect((await problemsOf(text)).join('\n')).toMatch(expected));
  it('also those of a file that it loads', async () => {
    write({ 'lib/a.ts': '\nthrow new Error("no luck");\n' });
    expect(await problemsOf(`import './lib/a.ts';\nexport default {};\n`)).toEqual([
      expect.stringMatching(/^lib\/a\.ts:2:\d+ {2}cannot be loaded: no luck$/),
    ]);
  });
});

describe('defineSpec', () => {
  it('knows the options of a spec', () => {
    const spec = defineSpec({
      task: { file: 'T.md' },
      agent: { run: 'x', escalate: ['y'] },
      gates: { a: 'x', b: { exists: 'y', severity: 'soft' }, c: { url: 'http://localhost', status: 200 } },
      strategy: { kind: 'ralph', max: 4 },
      stuck: 'off',
      detectors: { stall: false, oscillation: { window: 3 } },
      deliver: 'branch',
      extends: ['ci'],
    });
    expect(spec.stuck).toBe('off');
    expectTypeOf(defineSpec).parameter(0).not.toBeAny();
    // @ts-expect-error: the name is misspelt.
    defineSpec({ limts: {} });
    // @ts-expect-error: there is no such severity.
    defineSpec({ gates: { a: { run: 'x', severity: 'sfot' } } });
    // @ts-expect-error: there is no such strategy.
    defineSpec({ strategy: 'ralhp' });
  });
});

describe('a spec in code that misbehaves does so to nobody else', () => {
  it.each([
    ['ends the process', 'process.exit(0); export default {}', 'ended by itself'],
    ['never settles', 'await new Promise(() => {}); export default {}', 'ended by itself|did not end within'],
    [
      'throws later',
      `setTimeout(() => { throw new Error('late') }, 0); await new Promise((d) => setTimeout(d, 500)); export default {}`,
      'late',
    ],
    ['loads what is not there', "import 'nowhere-at-all'; export default {}", 'nowhere-at-all'],
  ])(
    '%s',
    async (_, text, expected) => {
      expect((await problemsOf(text)).join()).toMatch(new RegExp(expected));
    },
    30_000,
  );
  it('keeps a timer that would keep the command alive, and prints, without harm', async () => {
    write({ 'agentgate.ts': `setInterval(() => {}, 1000); console.log('hello'); export default ${body} };` });
    expect((await load()).kind).toBe('loaded');
  });
});
