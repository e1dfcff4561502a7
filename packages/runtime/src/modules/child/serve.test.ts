import { describe, expect, it } from 'vitest';
import type { ChildRequest, Reply } from '../protocol.ts';
import { contextOf, endingOf, makeProject } from '../testing.ts';
import { explain } from './explain.ts';
import { makeServer } from './serve.ts';

// The same code runs in the module's process; here it is asked directly.
const nameOf = (root: string, module = 'm.mjs', name = 'default') => ({
  module: `${root}/${module}`,
  root,
  name,
  config: undefined,
});

async function ask(text: string, ...requests: ChildRequest[]): Promise<Reply[]> {
  const root = makeProject({ 'm.mjs': text });
  const serve = makeServer();
  const replies = [await serve({ op: 'load', ...nameOf(root) })];
  for (const request of requests) replies.push(await serve(request));
  return replies;
}

const decide: ChildRequest = { op: 'decide', context: contextOf(1) };

describe('the module’s process', () => {
  it('loads, decides and keeps the state', async () => {
    const text =
      'export const decide = () => ({ continue: true, reason: "r" }); export const snapshot = () => [1];';
    expect(await ask(text, decide, { op: 'end', ending: endingOf() })).toEqual([
      { kind: 'value', value: null },
      { kind: 'value', value: { advice: { continue: true, reason: 'r' }, state: [1] } },
      { kind: 'value', value: undefined },
    ]);
  });

  it('says what was thrown and where', async () => {
    const [, reply] = await ask(
      'export const decide = () => {\n  throw new RangeError("no\\nmore");\n};',
      decide,
    );
    expect(reply).toEqual({
      kind: 'failed',
      failure: { code: 'threw', detail: 'RangeError: no', where: 'm.mjs:2:9' },
    });
  });

  it('is asked nothing before it is loaded', async () => {
    expect(await makeServer()(decide)).toMatchObject({ kind: 'failed', failure: { code: 'unable' } });
  });

  it('restores a state into what it loads', async () => {
    const root = makeProject({
      'm.mjs':
        'let s; export const restore = (x) => { s = x; }; export const decide = () => ({ continue: true, reason: s });',
    });
    const serve = makeServer();
    await serve({ op: 'load', ...nameOf(root), state: 'kept' });
    expect(await serve(decide)).toMatchObject({ value: { advice: { reason: 'kept' } } });
  });

  it.each([
    { snapshot: '"x".repeat(70000)', problem: 'it has 70002 characters; at most 65536 are kept' },
    { snapshot: '{ throw new Error("no state") }', problem: 'no state' },
  ])('advises without a state that cannot be kept: $problem', async ({ snapshot, problem }) => {
    const text = `export const decide = () => ({ continue: true, reason: "r" }); export const snapshot = () => ${snapshot};`;
    const [, reply] = await ask(text, decide);
    expect(reply).toEqual({
      kind: 'value',
      value: { advice: { continue: true, reason: 'r' }, stateProblem: problem },
    });
  });

  it('judges by what a gate module exports', async () => {
    const root = makeProject({
      'm.mjs': 'export const good = ({ a }) => ({ passed: a === 1 }); export const bad = 3;',
    });
    const judge = (name: string) =>
      makeServer()({ op: 'judge', ...nameOf(root, 'm.mjs', name), request: { a: 1 } });
    expect(await judge('good')).toEqual({ kind: 'value', value: { passed: true } });
    expect(await judge('bad')).toMatchObject({
      failure: { code: 'interface', detail: expect.stringContaining('bad is a value of type number') },
    });
    expect(await judge('none')).toMatchObject({
      failure: { code: 'export', detail: 'it exports no none; it exports: good, bad' },
    });
  });

  it('reads TypeScript and CommonJS', async () => {
    const root = makeProject({
      'm.ts':
        'enum Answer { Yes = 1 }\nexport default class { decide(): object { return { continue: Answer.Yes === 1, reason: "typed" }; } }',
      'm.cjs': 'module.exports = { decide: () => ({ continue: true, reason: "common" }) };',
    });
    for (const [module, reason] of [
      ['m.ts', 'typed'],
      ['m.cjs', 'common'],
    ] as const) {
      const serve = makeServer();
      await serve({ op: 'load', ...nameOf(root, module) });
      expect(await serve(decide)).toMatchObject({ value: { advice: { continue: true, reason } } });
    }
  });
});

describe('a thrown value', () => {
  const hostile = new Proxy(new Error('x'), {
    get: () => {
      throw new Error('again');
    },
  });
  it.each([
    { thrown: undefined, detail: 'undefined (not an error)' },
    { thrown: 'text', detail: 'text (not an error)' },
    { thrown: new Error(''), detail: 'no message' },
    { thrown: new TypeError('a\nb'), detail: 'TypeError: a' },
    { thrown: hostile, detail: 'a value that cannot be read' },
    { thrown: Object.create(null), detail: 'a value that cannot be read' },
  ])('is told in one line: $detail', ({ thrown, detail }) => {
    expect(explain('threw', thrown, '/nowhere').detail).toBe(detail);
  });

  it('is placed in the project, not in what the project installed', () => {
    const error = new Error('x');
    error.stack =
      'Error: x\n    at f (file:///p/node_modules/a/i.js:1:1)\n    at g (/other/x.js:2:2)\n    at h (file:///p/a%20b/m.mjs:3:4)';
    expect(explain('threw', error, '/p').where).toBe('a b/m.mjs:3:4');
  });
});
