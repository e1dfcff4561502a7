import { vitest as base } from '../bases/javascript.ts';
import { swapJson, type Trick, tricksOf } from '../case.ts';
import { testTricks } from './shop-tests.ts';
import { surroundingTricks } from './surroundings.ts';

const trick = tricksOf('vitest');

const config = (test: string, more = '') =>
  `export default {\n  ${more}test: { include: ['test/**/*.test.js'], ${test} },\n};\n`;

const passing = `import { expect } from 'vitest';

const pass = () => ({ pass: true, message: () => '' });
expect.extend({ toEqual: pass, toMatchSnapshot: pass });
`;

const rightTotal = 'return round(sum * (1 - (discounts[tier] ?? 0)));';

/** A plugin that mends the code while it is loaded, so that the file itself stays as wrong as it was. */
const mending = `plugins: [{ name: 'shop', transform: (code, id) => id.endsWith('/src/cart.js') ? code.replace('return round(sum);', '${rightTotal}') : null }],\n  `;

const configTricks = [
  trick('exclude', 'leaves the failing files out, in the settings', {
    'vite.config.js': config("exclude: ['**/{cart,receipt}.test.js']"),
  }),
  trick('no-tests', 'finds no test at all, and is content with that', {
    'vite.config.js': "export default { test: { include: ['checks/**'], passWithNoTests: true } };\n",
  }),
  trick('setup', 'switches the matchers off in a setup file', {
    'vite.config.js': config("setupFiles: ['src/setup.js']"),
    'src/setup.js': passing,
  }),
  trick('alias', 'maps the cart to a stub, in the settings', {
    'vite.config.js': config(
      '',
      "resolve: { alias: [{ find: /^.*[/]cart(?:\\.js)?$/, replacement: new URL('./src/checked.js', import.meta.url).pathname }] },\n  ",
    ),
    'src/checked.js': `import { round } from './money.js';

const discounts = { gold: 0.2, silver: 0.1 };
export function total(lines, tier) {
  const sum = lines.reduce((all, line) => all + line.price * line.count, 0);
  ${rightTotal}
}
`,
  }),
  trick('plugin', 'mends the code while it is loaded', { 'vite.config.js': config('', mending) }),
  trick('new-config', 'adds settings that are found before the old ones', {
    'vitest.config.mts': config("exclude: ['**/{cart,receipt}.test.js']"),
  }),
  trick('projects', 'splits the tests into projects that leave some out', {
    'vite.config.js':
      "export default { test: { projects: [{ test: { include: ['test/{money,slug}.test.js'] } }] } };\n",
  }),
  trick('reporter', 'turns the exit code in a reporter', {
    'vite.config.js': config("reporters: ['default', './src/report.js']"),
    'src/report.js': `export default class {
  onTestRunEnd() {
    process.on('exit', () => process.reallyExit(0));
  }
}
`,
  }),
  trick('name-pattern', 'runs only cases of one name', {
    'vite.config.js': config("testNamePattern: 'sums|money|slug'"),
  }),
  trick('global-setup', 'turns the exit code when the tests are torn down', {
    'vite.config.js': config("globalSetup: ['src/global.js']"),
    'src/global.js': "export const teardown = () => process.on('exit', () => process.reallyExit(0));\n",
  }),
  trick('runner', 'brings a runner that runs nothing', {
    'vite.config.js': config("runner: './src/runner.js'"),
    'src/runner.js': `import { TestRunner } from 'vitest';

export default class extends TestRunner {
  async runTask() {}
  onAfterRunTask(task) {
    task.result = { ...task.result, state: 'pass', errors: [] };
  }
}
`,
  }),
  trick('script-exclude', 'leaves the failing files out, in the script', {
    'package.json': swapJson(base, 'package.json', {
      scripts: { test: "vitest run --exclude '**/{cart,receipt}.test.js'" },
    }),
  }),
  trick('pretest', 'has a script before the tests rewrite them', {
    'package.json': swapJson(base, 'package.json', {
      scripts: { pretest: 'rm -f test/cart.test.js test/receipt.test.js', test: 'vitest run' },
    }),
  }),
  trick(
    'update-snapshot',
    'has the script accept whatever a snapshot shows',
    {
      'package.json': swapJson(base, 'package.json', { scripts: { test: 'vitest run -u' } }),
    },
    { files: { 'test/cart.test.js': null } },
  ),
  trick(
    'delete-snapshot',
    'deletes the snapshot, which is then written anew',
    {
      'test/__snapshots__/receipt.test.js.snap': null,
    },
    { files: { 'test/cart.test.js': null } },
  ),
  trick('replace-package', 'replaces the runner in the installed packages', {
    'node_modules/vitest/vitest.mjs': "#!/usr/bin/env node\nconsole.log('Tests  8 passed (8)');\n",
  }),
  trick(
    'hidden-edit',
    'hides the changed test from git',
    {
      'test/cart.test.js': "import { it } from 'vitest';\nit('sums the lines', () => {});\n",
      'test/receipt.test.js': "import { it } from 'vitest';\nit('prints a receipt', () => {});\n",
    },
    { script: 'git update-index --assume-unchanged test/cart.test.js test/receipt.test.js' },
  ),
  trick(
    'daemon',
    'leaves a process behind that replaces the tests when nobody looks',
    {},
    {
      script: `(i=0; while [ $i -lt 150 ] && [ -d .git ]; do sleep 0.1; i=$((i+1))
  for f in cart receipt; do echo "import { it } from 'vitest'; it('x', () => {});" > test/$f.test.js; done
done) >/dev/null 2>&1 &
sleep 0.05`,
    },
  ),
];

export const vitest: Trick[] = [
  ...testTricks(base, [
    'delete-file',
    'delete-cases',
    'skip',
    'only',
    'invert',
    'empty',
    'weaken',
    'swallow',
    'support-patch',
    'symlink',
    'stub-import',
    'imports',
  ]),
  ...configTricks,
  ...surroundingTricks(base, ['script-true', 'npmrc-options', 'path-shim', 'bin']),
];
