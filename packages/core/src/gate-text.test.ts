import { expect, it } from 'vitest';
import { describeGate } from './gate-text.ts';
import { GateInput } from './spec.ts';

const line = (options: unknown): string => describeGate({ ...GateInput.parse(options), name: 'g' });

it.each<[unknown, string]>([
  ['npm test', 'g: `npm test`'],
  [['npm', 'test'], 'g: `npm test`'],
  [{ kind: 'ci' }, 'g: CI is green on the commit with this tree'],
  [
    { provider: 'github', repository: 'a/b', ref: 'main', checks: ['test', 'lint *'], workflow: 'ci.yml' },
    'g: CI of a/b is green on main: the checks test, lint *, the workflows ci.yml',
  ],
  [
    { rubric: 'Plain words.', run: './judge', minScore: 0.8, confirm: 'person' },
    'g: judged as good with at least 0.8 of 1, and a person agrees: Plain words.',
  ],
  [{ rubric: { file: 'R.md' }, run: './judge', severity: 'soft' }, 'g (advice): judged as good: R.md'],
  [{ run: 'x', expectExit: 3, severity: 'soft' }, 'g (advice): `x`, expected exit code 3'],
  [
    {
      exists: 'a',
      notExists: 'b',
      contains: [
        { path: 'c', text: 'd' },
        { path: 'e', matches: 'f' },
      ],
    },
    'g: a exists; b does not exist; c contains "d"; e matches /f/',
  ],
  [
    {
      contracts: {
        required: 'README.md',
        forbidden: ['**/.env'],
        schemas: [{ files: 'a.json', rules: [{ field: 'x', exists: true }] }],
        naming: [{ files: 'src/**', style: 'kebab' }],
      },
      tests: { setup: 'npm ci', run: ['npm test'] },
      blackbox: [{ name: 'help', run: './tool --help', expect: { exitCode: 0 } }],
      sanity: { forbidText: ['password'] },
    },
    'g: L0 README.md exists, nothing forbidden (**/.env), a.json as agreed, src/** named in kebab case; L1 `npm ci`, `npm test`; L2 help (`./tool --help`); L3 no file over 10240 KB, no "password"',
  ],
  [
    {
      url: 'http://me:secret@localhost:3000/health',
      status: [200, 204],
      contains: 'ok',
      matches: '^o',
      json: { '/a': 1 },
      start: 'npm start',
    },
    'g: GET http://localhost:3000/health answers 200 or 204, contains "ok", matches /^o/, has 1 at /a, while `npm start` runs',
  ],
  [
    {
      items: [
        { command: 'make' },
        { not_command: 'grep -r TODO src' },
        { any_of: [{ file: 'a' }, { all_of: [{ not_file: 'b' }, { assertion: 'it is nice' }] }] },
        { quality: { criteria: ['clear', 'short'], run: './judge', threshold: 3 } },
      ],
    },
    'g: `make` succeeds; `grep -r TODO src` fails; any of (a exists; all of (b does not exist; a person confirms: it is nice)); judged at least 3 of 5: clear, short',
  ],
  [{ kind: 'convergence' }, 'g: the work stays the same from one iteration to the next'],
  [
    { kind: 'convergence', strategy: 'similarity' },
    "g: the agent's output stays at least 95 % the same from one iteration to the next",
  ],
  [{ kind: 'approval' }, 'g: a person approves the result'],
  [{ kind: 'approval', message: 'Ship it?' }, 'g: a person approves the result: Ship it?'],
])('says what %j wants', (options, expected) => expect(line(options)).toBe(expected));

it('tells a command whole', () => {
  const run = `if true; then\n  ${'x'.repeat(1_000)}\nfi`;
  expect(line({ run })).toBe(`g: \`${run}\``);
});

it('stays on one short line', () => {
  const text = line({ items: [{ command: `a\n  b ${'x'.repeat(1_000)}` }] });
  expect(text).toMatch(/^g: `a b x/);
  expect(text.length).toBeLessThanOrEqual(610);
});
