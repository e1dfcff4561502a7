import { describe, expect, it } from 'vitest';
import { gateFilesOf } from './index.ts';
import { makeTrees } from './testing.ts';

const files = {
  'package.json':
    '{"scripts":{"test":"node scripts/run.mjs && npm run lint","lint":"sh tools/lint.sh","pretest":"node ./prepare-test.js"}}',
  'packages/a/package.json': '{"scripts":{"unit":"node checks/unit.mjs"}}',
  'packages/a/checks/unit.mjs': 'x',
  'scripts/run.mjs': 'x',
  'prepare-test.js': 'x',
  'tools/lint.sh': '#!/bin/sh\n. tools/common.sh\npython3 "tools/verify.py"\nnode src/index.js\n',
  'tools/common.sh': 'x',
  'tools/verify.py': 'x',
  'src/index.js': 'x',
  'bin/tool': 'x',
  'check.sh': './grade && bin/tool --version',
  grade: 'x',
  'main.py': 'x',
  Dockerfile: 'x',
  'docker-compose.yml': 'x',
};

describe('a gate is made of', () => {
  it.each<[string, string[]]>([
    ['./check.sh', ['check.sh', 'grade']],
    ['bash -e check.sh --all', ['check.sh', 'grade']],
    [
      'npm test',
      ['prepare-test.js', 'scripts/run.mjs', 'tools/common.sh', 'tools/lint.sh', 'tools/verify.py'],
    ],
    ['pnpm run lint', ['tools/common.sh', 'tools/lint.sh', 'tools/verify.py']],
    ['pnpm -r unit', ['packages/a/checks/unit.mjs']],
    ['python tools/verify.py "a b"', ['tools/verify.py']],
    ['node src/index.js --self-test', []],
    ['python main.py', []],
    ['bin/tool --version', []],
    ['docker compose run tests', ['Dockerfile', 'docker-compose.yml']],
    ['npx vitest run', []],
    ['./missing.sh', []],
  ])('the scripts that %j runs, and not the work', async (command, expected) => {
    const reader = makeTrees(files, {});
    expect(await gateFilesOf([command], await reader.list('base'), reader)).toEqual(expected);
  });

  it('what its program loads from beside it, and not the work', async () => {
    const tree = {
      'tools/verify.mjs': "import { same } from './lib/same.mjs';\nimport { total } from '../src/cart.js';\n",
      'tools/lib/same.mjs': "export { deep } from './deep.mjs';\n",
      'tools/lib/deep.mjs': "import './same.mjs';\n",
      'checks/judge.py': 'import rules\nfrom .more import one\nimport json\n',
      'checks/rules.py': 'x = 1\n',
      'checks/more/__init__.py': '',
      'check.mjs': "import './src/cart.js';\n",
      'src/cart.js': 'x',
    };
    const reader = makeTrees(tree, {});
    const of = async (command: string) => gateFilesOf([command], await reader.list('base'), reader);
    expect(await of('node tools/verify.mjs')).toEqual([
      'tools/lib/deep.mjs',
      'tools/lib/same.mjs',
      'tools/verify.mjs',
    ]);
    expect(await of('python3 checks/judge.py')).toEqual([
      'checks/judge.py',
      'checks/more/__init__.py',
      'checks/rules.py',
    ]);
    expect(await of('node check.mjs')).toEqual(['check.mjs']);
  });
  it('no more than can be read when scripts call each other', async () => {
    const round = { 'package.json': '{"scripts":{"a":"npm run b","b":"npm run a"}}', 'x.sh': 'sh x.sh\n' };
    const reader = makeTrees(round, {});
    expect(await gateFilesOf(['npm run a; sh x.sh'], await reader.list('base'), reader)).toEqual(['x.sh']);
  });
});
