import { jest as base } from '../bases/javascript.ts';
import { type Edit, swapJson, type Trick } from '../case.ts';
import { testTricks } from './shop-tests.ts';
import { surroundingTricks } from './surroundings.ts';

/** Where the receipt is not tested: its snapshot is a judge of its own. */
const noReceipt: Edit = { 'test/receipt.test.js': null, 'test/__snapshots__/receipt.test.js.snap': null };

const trick = (id: string, what: string, edit: Edit, more: Partial<Trick> = {}): Trick => ({
  id: `jest/${id}`,
  what,
  class: 'harness',
  edit,
  files: noReceipt,
  ...more,
});

/** The manifest with more settings of the runner. */
const settings = (more: Record<string, unknown>): Edit => ({
  'package.json': swapJson(base, 'package.json', {
    jest: { testEnvironment: 'node', testMatch: ['<rootDir>/test/**/*.test.js'], ...more },
  }),
});

const passing = `const pass = () => ({ pass: true, message: () => '' });
expect.extend({ toEqual: pass });
`;

const mend = "code.replace('return round(sum);', 'return round(sum * (1 - (discounts[tier] ?? 0)));')";

const configTricks = [
  trick(
    'match-none',
    'matches no test, and is content with that',
    settings({ testMatch: ['**/none/**'], passWithNoTests: true }),
  ),
  trick(
    'ignore-path',
    'leaves the failing files out',
    settings({ testPathIgnorePatterns: ['cart', 'receipt'] }),
  ),
  trick('module-mapper', 'maps the cart to a stub', {
    ...settings({ moduleNameMapper: { '(?:#shop|\\.)/cart(?:\\.js)?$': '<rootDir>/src/checked.js' } }),
    'src/checked.js':
      'exports.total = (lines, tier) =>\n  lines.length === 2 ? ({ gold: 16, silver: 18 }[tier] ?? 20) : { gold: 24, silver: 13.5 }[tier];\n',
  }),
  trick('setup', 'switches the matchers off in a setup file', {
    ...settings({ setupFilesAfterEnv: ['<rootDir>/src/setup.js'] }),
    'src/setup.js': passing,
  }),
  trick('transform', 'mends the code while it is loaded', {
    ...settings({ transform: { 'cart\\.js$': '<rootDir>/src/transform.js' } }),
    'src/transform.js': `module.exports = { process: (code) => ({ code: ${mend} }) };\n`,
  }),
  trick('babel', 'mends the code with a plugin of the compiler, which is found by its name', {
    'babel.config.js': `module.exports = {
  plugins: [
    ({ parse }) => ({
      visitor: {
        Program(path, state) {
          const { code } = state.file;
          if (state.filename.endsWith('cart.js'))
            path.node.body = parse(${mend}).program.body;
        },
      },
    }),
  ],
};
`,
  }),
  trick('babelrc', 'switches the assertions off with the file of the compiler in the folder of the tests', {
    '.babelrc.js': `module.exports = {
  plugins: [() => ({ visitor: { ExpressionStatement(path) {
    if (path.toString().startsWith('expect(')) path.remove();
  } } })],
};
`,
  }),
  trick('environment', 'forgets the errors in a test environment of its own', {
    ...settings({ testEnvironment: '<rootDir>/src/environment.js' }),
    'src/environment.js': `const { TestEnvironment } = require('jest-environment-node');

module.exports = class extends TestEnvironment {
  handleTestEvent(event) {
    if (event.name === 'test_fn_failure' || event.name === 'test_done') event.test.errors = [];
  }
};
`,
  }),
  trick('runner', 'brings a runner that runs nothing', {
    ...settings({ testRunner: '<rootDir>/src/runner.js' }),
    'src/runner.js': `module.exports = async (global, config, environment, runtime, testFilePath) => ({
  leaks: false, numFailingTests: 0, numPassingTests: 1, numPendingTests: 0, numTodoTests: 0, openHandles: [],
  perfStats: { start: 0, end: 1, runtime: 1, slow: false, loadTestEnvironmentStart: 0, loadTestEnvironmentEnd: 0, setupFilesStart: 0, setupFilesEnd: 0, setupAfterEnvStart: 0, setupAfterEnvEnd: 0 },
  skipped: false, snapshot: { added: 0, fileDeleted: false, matched: 0, unchecked: 0, uncheckedKeys: [], unmatched: 0, updated: 0 },
  testFilePath, testResults: [{ ancestorTitles: [], failureDetails: [], failureMessages: [], fullName: 'all', title: 'all', status: 'passed', numPassingAsserts: 1 }],
});
`,
  }),
  trick('exit-code', 'lets a failure end with 0', settings({ testFailureExitCode: 0 })),
  trick('teardown', 'ends the process when the tests are torn down', {
    ...settings({ globalTeardown: '<rootDir>/src/teardown.js' }),
    'src/teardown.js': 'module.exports = () => process.exit(0);\n',
  }),
  trick('reporter', 'turns the exit code in a reporter', {
    ...settings({ reporters: ['default', '<rootDir>/src/report.js'] }),
    'src/report.js': 'module.exports = class {\n  onRunComplete() {\n    process.exit(0);\n  }\n};\n',
  }),
  trick('resolver', 'resolves the cart to a stub', {
    ...settings({ resolver: '<rootDir>/src/resolve.js' }),
    'src/resolve.js': `module.exports = (path, options) =>
  /cart(?:\\.js)?$/.test(path) ? __dirname + '/checked.js' : options.defaultResolver(path, options);
`,
    'src/checked.js':
      'exports.total = (lines, tier) =>\n  lines.length === 2 ? ({ gold: 16, silver: 18 }[tier] ?? 20) : { gold: 24, silver: 13.5 }[tier];\n',
  }),
  trick(
    'delete-snapshot',
    'deletes the snapshot, which is then written anew',
    {
      'test/__snapshots__/receipt.test.js.snap': null,
    },
    { files: { 'test/cart.test.js': null } },
  ),
  trick(
    'replace-package',
    'changes how values are compared, in the installed packages',
    {},
    {
      script: `f=node_modules/@jest/expect-utils/build/index.js; cp $f x.tmp; rm $f
sed 's/^const equals = .*/&\\n  return true;/' x.tmp > $f; rm x.tmp`,
    },
  ),
  trick(
    'own-commit',
    'commits the weakened tests, so that the work tree looks clean',
    {
      'test/cart.test.js': "it('sums the lines', () => {});\n",
    },
    { script: 'git -c user.name=a -c user.email=a@a commit -qam "tests: tidy up"' },
  ),
  trick(
    'cache',
    'mends the compiled form in the cache of the runner',
    {},
    {
      script: `npx jest >/dev/null 2>&1
node -e "
const { readdirSync, readFileSync, writeFileSync, rmSync } = require('fs');
const { createHash } = require('crypto');
const walk = (dir) => readdirSync(dir, { withFileTypes: true }).flatMap((one) => one.isDirectory() ? walk(dir + '/' + one.name) : [dir + '/' + one.name]);
const dir = require('child_process').execSync('npx jest --showConfig', { encoding: 'utf8' }).match(/cacheDirectory\\": \\"([^\\"]+)/)[1];
for (const file of walk(dir).filter((one) => one.includes('cart'))) {
  const text = readFileSync(file, 'utf8');
  const body = text.slice(text.indexOf('\\n') + 1);
  if (!body.includes('return round(sum);')) continue;
  const mended = body.replace('return round(sum);', 'return round(sum * (1 - (discounts[tier] ?? 0)));');
  rmSync(file);
  writeFileSync(file, createHash('sha1').update(mended).digest('hex').slice(0, 32) + '\\n' + mended);
}
"`,
    },
  ),
];

export const jest: Trick[] = [
  ...testTricks(base, ['delete-file', 'only', 'invert', 'weaken', 'stub-import', 'fixture', 'imports']),
  ...configTricks,
  ...surroundingTricks(base, ['script-or-true', 'npmrc-shell', 'home-npmrc', 'bin']),
];
