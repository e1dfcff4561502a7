import { expect, test } from 'vitest';
import { whatIsMissing } from './missing.ts';

test.each([
  ['sh: 1: vitest: not found\n', 127, 'npm test', 'vitest is not installed'],
  ['/bin/sh: vitest: command not found\n', 127, 'npm test', 'vitest is not installed'],
  ['bash: line 1: go: command not found\n', 127, 'make', 'go is not installed'],
  ['env: ‘python’: No such file or directory\n', 127, './x', 'python is not installed'],
  ['/bin/sh: 1: ./run.sh: Permission denied\n', 126, './run.sh', './run.sh is not executable'],
  ['', 127, 'cargo test', 'cargo is not installed'],
  ['', 126, ['./x', '-v'], './x is not executable'],
  ['npm error Missing script: "nope"\nnpm error\n', 1, 'npm run nope', 'package.json has no script nope'],
  ['npm ERR! Missing script: "nope"\n', 1, 'npm run nope', 'package.json has no script nope'],
  [' ERR_PNPM_NO_SCRIPT  Missing script: nope\n', 1, 'pnpm nope', 'package.json has no script nope'],
  ['error Command "nope" not found.\n', 1, 'yarn nope', 'package.json has no script nope'],
  ["make: *** No rule to make target 'test'.  Stop.\n", 2, 'make test', 'the Makefile has no target test'],
  [
    '/usr/bin/python3: No module named pytest\n',
    1,
    'python3 -m pytest',
    'the Python module pytest is not installed',
  ],
  ['error: no such command: `nextest`\n', 101, 'cargo nextest', 'cargo has no command nextest'],
])('%j with exit code %i', (output, code, run, expected) => {
  expect(whatIsMissing(output, code, run)).toBe(expected);
});

test.each([
  ["make: *** No rule to make target 'a.c', needed by 'a.o'.  Stop.\n", 2],
  ["E   ModuleNotFoundError: No module named 'x'\n", 1],
  ['  npm error Missing script: "nope"\n', 1],
  ['test failed\n', 1],
])('%j with exit code %i ran', (output, code) => {
  expect(whatIsMissing(output, code, 'x')).toBeUndefined();
});
