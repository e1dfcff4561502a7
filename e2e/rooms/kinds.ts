import { join } from 'node:path';
import type { Fixture, Kind } from './kind.ts';
import { database } from './database.ts';
import { compiled } from './compiled.ts';

const sum = (sign: string) => `exports.sum = (a, b) => a ${sign} b;\n`;
const sumTest = (from: string) =>
  `const { test } = require('node:test');\nconst { sum } = require('${from}');\ntest('adds', () => require('node:assert').equal(sum(1, 2), 3));\n`;

const workspaceFiles = (range: string): Record<string, string> => ({
  '.gitignore': 'node_modules\n',
  'packages/a/package.json': JSON.stringify({
    name: 'a',
    version: '1.0.0',
    scripts: { test: 'node --test' },
  }),
  'packages/a/index.js': sum('+'),
  'packages/a/a.test.js': sumTest('./index.js'),
  'packages/b/package.json': JSON.stringify({
    name: 'b',
    version: '1.0.0',
    scripts: { test: 'node --test' },
    dependencies: { a: range },
  }),
  'packages/b/b.test.js': sumTest('a'),
});

const breakSum = (at: Fixture) => at.write({ 'packages/a/index.js': sum('-') });
const mendSum = (at: Fixture) =>
  at.write({ 'packages/a/index.js': `${sum('+')}exports.twice = (a) => exports.sum(a, a);\n` });

/** Every kind of repository that the rooms are tried on. */
export const kinds: readonly Kind[] = [
  {
    name: 'npm workspaces',
    programs: ['npm'],
    make(at) {
      at.write({
        ...workspaceFiles('*'),
        'package.json': JSON.stringify({ private: true, workspaces: ['packages/*'] }),
      });
      at.run('npm', 'install', '--offline', '--no-audit', '--no-fund');
    },
    gates: { tests: 'npm test --workspaces' },
    breakIt: breakSum,
    mendIt: mendSum,
  },
  {
    name: 'pnpm workspaces',
    programs: ['npm'],
    make(at) {
      const tool = at.beside('pnpm');
      at.run('npm', 'install', '--prefix', tool, '--no-audit', '--no-fund', 'pnpm@9.15.9');
      at.write({
        ...workspaceFiles('workspace:*'),
        'package.json': JSON.stringify({ private: true }),
        'pnpm-workspace.yaml': 'packages: ["packages/*"]\n',
      });
      at.run(join(tool, 'node_modules/.bin/pnpm'), 'install', '--offline', '--ignore-scripts');
    },
    gates: { tests: 'node --test packages/' },
    breakIt: breakSum,
    mendIt: mendSum,
  },
  {
    name: 'Python with an editable install',
    programs: ['python3'],
    make(at) {
      at.write({
        '.gitignore': '.venv\n*.egg-info\n__pycache__\nbuild\n',
        'pyproject.toml':
          '[project]\nname = "sums"\nversion = "1.0"\n[build-system]\nrequires = ["setuptools"]\nbuild-backend = "setuptools.build_meta"\n[tool.setuptools.packages.find]\nwhere = ["src"]\n',
        'src/sums/__init__.py': 'def add(a, b):\n    return a + b\n',
        'tests/test_sums.py':
          'import unittest\nimport sums\n\nclass Sums(unittest.TestCase):\n    def test_add(self):\n        self.assertEqual(sums.add(1, 2), 3)\n',
      });
      at.run('python3', '-m', 'venv', '.venv');
      at.run('.venv/bin/pip', 'install', '-q', '-e', '.');
    },
    gates: { tests: '.venv/bin/python -m unittest discover -s tests -v' },
    breakIt: (at) => at.write({ 'src/sums/__init__.py': 'def add(a, b):\n    return a - b\n' }),
    mendIt: (at) => at.write({ 'src/sums/__init__.py': 'def add(a, b):\n    return sum([a, b])\n' }),
  },
  database,
  ...compiled,
  {
    name: 'Make',
    programs: ['make'],
    short: true,
    make(at) {
      at.write({
        '.gitignore': 'out\n',
        Makefile:
          'test: out/greeting\n\tgrep -q hello out/greeting\n\nout/greeting: src/greeting\n\tmkdir -p out\n\tcp src/greeting out/greeting\n',
        'src/greeting': 'hello\n',
      });
      at.run('make', 'test');
    },
    gates: { tests: 'make test' },
    breakIt: (at) => at.write({ 'src/greeting': 'goodbye\n' }),
    mendIt: (at) => at.write({ 'src/greeting': 'hello again\n' }),
  },
  {
    name: 'nested repositories',
    programs: ['git'],
    short: true,
    make(at) {
      at.write({
        'check.sh':
          'set -e\ngit -C inner log --format=%s | grep -qx inner\ngit log --format=%s | grep -qx outer\ngrep -q ok inner/state\n',
      });
      at.write({ 'inner/state': 'ok\n' });
      at.git('inner', 'init', '-q');
      at.git('inner', 'add', '-A');
      at.git('inner', 'commit', '-qm', 'inner');
      at.git('.', 'init', '-q');
      at.git('.', 'add', 'check.sh');
      at.git('.', 'commit', '-qm', 'outer');
    },
    gates: { check: 'sh check.sh' },
    breakIt: (at) => at.write({ 'inner/state': 'bad\n' }),
    mendIt: (at) => at.write({ 'inner/state': 'ok again\n' }),
  },
  {
    name: 'without tests',
    programs: ['npm'],
    short: true,
    make: (at) => at.write({ 'package.json': JSON.stringify({ name: 'bare' }), 'index.js': sum('+') }),
    gates: { tests: 'npm test' },
    untouched: 'unable',
    broken: 'unable',
    breakIt: (at) => at.write({ 'index.js': '(' }),
    mendIt: (at) => at.write({ 'index.js': sum('+') }),
  },
  {
    name: 'a large tree',
    programs: [],
    make(at) {
      const paths = Array.from({ length: 20_000 }, (_, n) => [`src/${n % 200}/file-${n}.txt`, `text ${n}\n`]);
      at.write(Object.fromEntries(paths));
    },
    gates: { count: 'test "$(find src -name "*.txt" | wc -l)" -ge 20000 && ! grep -rqx broken src' },
    breakIt: (at) => at.write({ 'src/7/file-7.txt': 'broken\n' }),
    mendIt: (at) => at.write({ 'src/7/file-7.txt': 'text 7 again\n', 'src/7/new.txt': 'new\n' }),
  },
  {
    name: 'generated files',
    programs: [],
    short: true,
    make(at) {
      at.write({
        '.gitignore': 'generated\n',
        'generate.js':
          "const fs = require('node:fs');\nfs.mkdirSync('generated', { recursive: true });\nfs.writeFileSync('generated/table.js', `module.exports = ${fs.readFileSync('table.json')}`);\n",
        'table.json': '{"one": 1}\n',
        'table.test.js':
          "const { test } = require('node:test');\ntest('has one', () => require('node:assert').equal(require('./generated/table.js').one, 1));\n",
      });
    },
    gates: { generate: 'node generate.js', tests: 'node --test' },
    breakIt: (at) => at.write({ 'table.json': '{"one": 2}\n' }),
    mendIt: (at) => at.write({ 'table.json': '{"one": 1, "two": 2}\n' }),
  },
  {
    name: 'files generated by hand',
    programs: [],
    short: true,
    make: (at) => at.write({ '.gitignore': 'generated\n', 'generated/table': 'one\n', wanted: 'one\n' }),
    gates: { compare: 'cmp wanted generated/table' },
    rungs: ['ignored'],
    breakIt: (at) => at.write({ wanted: 'two\n' }),
    mendIt: (at) => at.write({ wanted: 'one\n', 'more.txt': 'more\n' }),
  },
];
