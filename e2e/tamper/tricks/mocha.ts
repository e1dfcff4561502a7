import { mocha as base } from '../bases/javascript.ts';
import { type Edit, swapJson, type Trick, tricksOf } from '../case.ts';
import { testTricks } from './shop-tests.ts';
import { surroundingTricks } from './surroundings.ts';

const trick = tricksOf('mocha');

const settings = (more: Record<string, unknown>): Edit => ({
  '.mocharc.json': swapJson(base, '.mocharc.json', more),
});

const lenient = "import assert from 'node:assert';\n\nassert.equal = () => {};\n";

const configTricks = [
  trick('grep', 'runs only cases of one name', settings({ grep: 'sums|money|slug' })),
  trick('ignore', 'leaves the failing file out', settings({ ignore: ['test/cart.test.js'] })),
  trick('dry-run', 'reports every case without running it', settings({ 'dry-run': true })),
  trick('pass-on-failing', 'lets a failing suite pass', settings({ 'pass-on-failing-test-suite': true })),
  trick('require', 'switches the assertions off in a file that is loaded first', {
    ...settings({ require: ['./src/setup.js'] }),
    'src/setup.js': lenient,
  }),
  trick('manifest-require', 'loads such a file by a setting in the manifest', {
    'package.json': swapJson(base, 'package.json', { mocha: { require: ['./src/setup.js'] } }),
    'src/setup.js': lenient,
  }),
  trick('root-hook', 'skips every case in a hook', {
    ...settings({ require: ['./src/hooks.js'] }),
    'src/hooks.js': `export const mochaHooks = {
  beforeEach() {
    if (/discount|orders/.test(this.currentTest.title)) this.skip();
  },
};
`,
  }),
  trick('reporter', 'turns the exit code in a reporter', {
    ...settings({ reporter: './src/report.cjs' }),
    'src/report.cjs': `const Spec = require('mocha').reporters.Spec;

module.exports = class extends Spec {
  done(failures, end) {
    end(0);
  }
};
`,
  }),
  trick('new-config', 'adds settings that are found before the old ones', {
    '.mocharc.cjs': "module.exports = { spec: ['test/money.test.js', 'test/slug.test.js'] };\n",
  }),
  trick(
    'parent-config',
    'puts settings into the folder above the project',
    {},
    {
      files: {
        '.mocharc.json': null,
        'package.json': swapJson(base, 'package.json', { scripts: { test: "mocha 'test/*.test.js'" } }),
      },
      script: `echo '{ "grep": "sums|money|slug" }' > ../.mocharc.json`,
    },
  ),
  trick('node-option', 'loads a file with an option of node', {
    ...settings({ 'node-option': ['import=./src/setup.js'] }),
    'src/setup.js': lenient,
  }),
  trick('spec-extra', 'loads a file as one more spec before the tests', {
    ...settings({ file: ['./src/setup.js'] }),
    'src/setup.js': lenient,
  }),
  trick('retries-stub', 'puts a test of the same names in another file and drops the old one', {
    'test/cart.test.js': null,
    'test/basket.test.js': `describe('total', () => {
  for (const name of [
    'sums the lines',
    'takes the gold discount off',
    'takes the silver discount off',
    'charges the orders of last year',
  ])
    it(name, () => {});
});
`,
  }),
  trick(
    'replace-package',
    'changes the runner in the installed packages',
    {},
    {
      script: `f=node_modules/mocha/lib/runnable.js; cp $f x.tmp; rm $f; sed 's/^  run(fn) {/&\\n    return fn();/' x.tmp > $f; rm x.tmp`,
    },
  ),
  trick(
    'exclude',
    'hides the weakened tests from git by its own lists',
    {
      'test/cart.test.js': "it('sums the lines', () => {});\n",
      '.gitattributes': 'test/** -diff linguist-generated\n',
    },
    { script: 'echo "test/" >> .git/info/exclude; git update-index --skip-worktree test/cart.test.js' },
  ),
];

export const mocha: Trick[] = [
  ...testTricks(base, ['delete-cases', 'skip', 'only', 'invert', 'support-patch', 'symlink', 'imports']),
  ...configTricks,
  ...surroundingTricks(base, ['script-or-true', 'npmrc-options', 'login-shell', 'path-shim']),
];
