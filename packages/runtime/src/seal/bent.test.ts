import { describe, expect, it } from 'vitest';
import type { TestCase } from '@agentgate/core';
import { bend, passingWhenBent } from './bent.ts';

const path = 'test/a.test.js';
const contentOf = (text: string, at = path) => bend(at, text)?.content;

describe('a test is bent', () => {
  it.each([
    [
      "it('a', () => {\n  expect(f(1)).toEqual(16);\n});",
      "it('a', () => {\n  expect(f(1)).toEqual( 1025);\n});",
    ],
    [
      "test('a', async () => { await expect(f()).toBe('x'); });",
      "test('a', async () => { await expect(f()).toBe( 'x or not'); });",
    ],
    [
      "test('a', () => assert.equal(f(1, [2]), 1.5, 'why'));",
      "test('a', () => assert.equal(f(1, [2]), 1010.5, 'why'));",
    ],
    ["it('a', function () { strictEqual(f(), true) })", "it('a', function () { strictEqual(f(), 1009) })"],
    [
      "it('a', (done) => {\n  g(() => done());\n  expect(f()).to.deep.equal(-2);\n});",
      "it('a', (done) => {\n  g(() => done());\n  expect(f()).to.deep.equal( 1007);\n});",
    ],
  ])('where it compares with a value: %j', (text, bent) => {
    expect(contentOf(text)).toBe(bent);
    expect(bend(path, text)?.names).toEqual(['a']);
  });

  it.each([
    ['in a branch', "it('a', () => { if (x) expect(f()).toBe(1); });"],
    ['after a way out', "it('a', () => {\n  if (x) return;\n  expect(f()).toBe(1);\n});"],
    ['in a callback', "it('a', () => { g(() => { expect(f()).toBe(1); }); });"],
    ['in a loop', "it('a', () => { for (const x of y) { expect(x).toBe(1); } });"],
    ['of something else', "it('a', () => { expect(f()).toBe(g()); });"],
    ['the other way round', "it('a', () => { expect(f()).not.toBe(1); });"],
    ['by another measure', "it('a', () => { expect(f()).toBeGreaterThan(1); });"],
    ['that nobody waits for', "it('a', () => { expect(f()).resolves.toBe(1); });"],
    ['of a test that is skipped', "it.skip('a', () => { expect(f()).toBe(1); });"],
    ['of a test in a comment', "// it('a', () => { expect(f()).toBe(1); });"],
    ['beside one that runs alone', "it.only('b', f);\nit('a', () => { expect(f()).toBe(1); });"],
    ['of two tests of one name', "it('a', () => { expect(f()).toBe(1); });\n".repeat(2)],
    ['that breaks off', "it('a', () => { expect(f()).toBe(1"],
  ])('not by a comparison %s', (_, text) => {
    expect(contentOf(text)).toBeUndefined();
  });

  it('and all its other parts stay', () => {
    const text =
      "import { f } from '../f.js';\n\nit('a', () => {\n  expect(f()).toBe(1);\n  expect(f()).toBe('b');\n});\nit('c', g);\n";
    expect(contentOf(text)).toBe(text.replace('(1)', '( 1010)').replace("('b')", "( 'b or not')"));
  });

  it('in files of scripts alone', () => {
    expect(contentOf("it('a', () => { expect(f()).toBe(1); });", 'tests/a.py')).toBeUndefined();
  });
});

describe('a bent test that passes', () => {
  const bent = [{ path, content: '', names: ['a', 'b'] }];
  const told = (...cases: TestCase[]) => passingWhenBent(bent, cases).map((one) => one.id);
  const one = (id: string, status: TestCase['status'], file?: string): TestCase => ({
    id: `test:${id}`,
    status,
    ...(file === undefined ? {} : { file }),
  });

  it('is told, in its file or by its name alone', () => {
    expect(told(one(`${path} > s > a`, 'passed', path), one('b', 'failed'))).toEqual([
      `integrity:bent:${path} > a`,
    ]);
    expect(told(one('s > b', 'passed'))).toEqual([`integrity:bent:${path} > b`]);
  });

  it('is not, where it failed, did not run, or may be another', () => {
    expect(told(one('a', 'failed'), one('b', 'skipped'))).toEqual([]);
    expect(told()).toEqual([]);
    expect(told(one('s > a', 'passed'), one('t > a', 'passed'))).toEqual([]);
    expect(told(one('other.test.js > a', 'passed', 'other.test.js'))).toEqual([]);
  });
});
