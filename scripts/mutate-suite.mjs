// The part of Vitest's interface that the tests of the core use, with its own matchers, for `npm run mutate`.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { format } from 'node:util';
import {
  ASYMMETRIC_MATCHERS_OBJECT,
  chai,
  JestAsymmetricMatchers,
  JestChaiExpect,
  JestExtend,
} from '@vitest/expect';

for (const plugin of [JestExtend, JestChaiExpect, JestAsymmetricMatchers]) chai.use(plugin);
let running = null;
chai.util.addMethod(chai.Assertion.prototype, 'toMatchFileSnapshot', function (path) {
  chai.expect(this._obj).toBe(readFileSync(join(dirname(running), path), 'utf8'));
});
const expect = Object.assign((value, message) => chai.expect(value, message), chai.expect, {
  ...globalThis[ASYMMETRIC_MATCHERS_OBJECT],
});

/** Stands for `vitest` in one loading of the tests, and tells what was registered. */
export function collect() {
  const tests = [];
  let file = '';
  let path = [];
  const it = (name, body) => {
    // Code that counts which of its changes a test reaches is many times slower: what measures time is left out.
    if (name.includes('linear time')) return;
    const at = file;
    const run = async () => {
      running = at;
      await body();
    };
    tests.push({ id: `${tests.length} ${name}`, name: [...path, name].join(' '), file: at, run });
  };
  const describe = (name, body) => {
    path = [...path, name];
    body();
    path = path.slice(0, -1);
  };
  it.each = each(it);
  describe.each = each(describe);
  // What a file of tests does while it is read is like a test of its own: a change there is one for its tests.
  const opens = (name) => {
    file = name;
    globalThis.__stryker__.currentTestId = loadingOf(name);
  };
  const closes = () => {
    globalThis.__stryker__.currentTestId = undefined;
    tests.push({ id: loadingOf(file), name: 'loads', file, run() {} });
  };
  return { suite: { describe, it, test: it, expect, opens, closes }, tests };
}

export const loadingOf = (file) => `loading ${file}`;

export const isLoading = (id) => id.startsWith('loading ');

function each(declare) {
  return (rows, ...values) => {
    if (values.length > 0) throw new Error('a table as a template is not supported here');
    return (name, body) => {
      for (const row of rows) {
        const args = Array.isArray(row) ? row : [row];
        declare(format(name, ...args), () => body(...args));
      }
    };
  };
}
