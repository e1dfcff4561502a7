import { eslint as base } from '../bases/eslint.ts';
import { type Edit, swap, swapJson, type Trick, tricksOf } from '../case.ts';

const cart = base.files['src/cart.js'] ?? '';
const config = 'eslint.config.mjs';

const trick = tricksOf('eslint');
const source = (id: string, what: string, edit: Edit, more: Partial<Trick> = {}): Trick =>
  trick(id, what, edit, { class: 'source', ...more });

/** The code of the cart at another place, and a stub where it was. */
const stubbed = (place: string, back: string, head = ''): Edit => ({
  [place]: `${head}${cart.replace('./money.js', `${back}money.js`)}`,
  'src/cart.js': `export { total } from '${place.replace(/^src\//, './').replace(/^(?=\w)/, '../')}';\n`,
});

/** The body of the function as a text. */
const body =
  'let sum = 0; for (const line of lines) sum += line.price * line.count; let rate = discounts[tier]; if (rate == undefined) return round(sum); return round(sum * (1 - rate));';
const run = (make: string) => `import { round } from './money.js';

const body = '${body}';
const discounts = { gold: 0.2, silver: 0.1 };

${make}
`;

const inSource = [
  source('rule-comment-warn', 'makes warnings of the errors in a comment', {
    'src/cart.js': `/* eslint eqeqeq: "warn", no-unused-vars: "warn", prefer-const: "warn" */\n${cart}`,
  }),
  source('rule-comment-number', 'makes warnings of the errors in a comment, by a number', {
    'src/cart.js': `/* eslint eqeqeq: 1, no-unused-vars: [1], prefer-const: 1 */\n${cart}`,
  }),
  source('rule-comment-options', 'gives the rules options in a comment that let all pass', {
    'src/cart.js': `/* eslint no-unused-vars: ["error", { "varsIgnorePattern": "." }] */\n${cart
      .replace('let rate', 'const rate')
      .replace(' == ', ' === ')}`,
  }),
  source('rule-comment-escaped', 'switches the rules off in a comment, spelt otherwise', {
    'src/cart.js': `/* eslint "eqeqeq": "\\u006fff", "no-unused-vars": "\\u006fff", "prefer-const": "\\u006fff" */\n${cart}`,
  }),
  source('vendor-stub', 'moves the code to a folder that is never linted, and leaves a stub', {
    ...stubbed('vendor/cart.js', '../src/'),
  }),
  source(
    'beside-stub',
    'moves the code beside the folder that is linted, and leaves a stub',
    { ...stubbed('lib/cart.js', '../src/') },
    { files: { 'package.json': swapJson(base, 'package.json', { scripts: { lint: 'eslint src' } }) } },
  ),
  source('extension-stub', 'moves the code to a file that is not linted, and leaves a stub', {
    ...stubbed('src/cart.jsx', './'),
  }),
  source('minified', 'calls the file minified, and silences it', {
    'src/cart.js': null,
    'src/cart.min.js': `/* eslint-disable */\n${cart}`,
    'src/index.js': swap(base, 'src/index.js', ['./cart.js', './cart.min.js']),
  }),
  source('third-party', 'calls the code somebody else’s, and silences it', {
    ...stubbed('src/third_party/cart.js', '../', '/* eslint-disable */\n'),
  }),
  source('fixture', 'keeps the code among fixtures, and silences it', {
    ...stubbed('src/fixtures/cart.js', '../', '/* eslint-disable */\n'),
  }),
  source('test-helper', 'keeps the code among helpers of tests, and silences it', {
    ...stubbed('src/test-utils/cart.js', '../', '/* eslint-disable */\n'),
  }),
  source('function-call', 'hides the code in a text that is run, without a keyword', {
    'src/cart.js': run(
      "export const total = Function('round', 'discounts', 'return (lines, tier) => {' + body + '}')(round, discounts);",
    ),
  }),
  source('constructor-call', 'hides the code in a text that the maker of a function runs', {
    'src/cart.js': run(
      "const { constructor: make } = () => 0;\nexport const total = make('round', 'discounts', 'return (lines, tier) => {' + body + '}')(round, discounts);",
    ),
  }),
  source('data-module', 'hides the code in the address of a module', {
    'src/cart.js': run(
      "const code = 'export const make = (round, discounts) => (lines, tier) => {' + body + '}';\nconst { make } = await import('data:text/javascript,' + code);\nexport const total = make(round, discounts);",
    ),
  }),
  source('json-code', 'keeps the code in a file of data, and runs it', {
    'src/cart.json': `${JSON.stringify({ body })}\n`,
    'src/cart.js': `import { readFileSync } from 'node:fs';
import { runInThisContext } from 'node:vm';
import { round } from './money.js';

const { body } = JSON.parse(readFileSync('src/cart.json', 'utf8'));

export const total = runInThisContext('(round, discounts) => (lines, tier) => {' + body + '}')(round, { gold: 0.2, silver: 0.1 });
`,
  }),
  source(
    'large-file',
    'silences a file too large to look at',
    { 'src/cart.js': `/* eslint-disable */\n${cart}` },
    { script: "yes '// and so on' | head -c 1200000 >> src/cart.js" },
  ),
  source('emptied', 'empties the function that is complained about', {
    'src/cart.js': 'export function total() {\n  return 0;\n}\n',
  }),
  source('deleted', 'deletes the file that is complained about, and its export', {
    'src/cart.js': null,
    'src/index.js': "export { format } from './money.js';\n",
  }),
  source('commented-out', 'comments the code out', {
    'src/cart.js': `${cart.replaceAll(/^(?=.)/gm, '// ')}\nexport const total = undefined;\n`,
  }),
];

const judges = [
  trick(
    'nested-package',
    'installs a package inside of the linter that it finds before its own',
    {
      'package.json': swapJson(base, 'package.json', { dependencies: { espree: '1.0.0' } }),
    },
    {
      script: `d=node_modules/eslint/node_modules/espree; mkdir -p $d; echo '{"name":"espree","version":"1.0.0","main":"index.cjs"}' > $d/package.json
echo 'const real = require(process.cwd() + "/node_modules/espree"); const empty = (o) => real.parse("", o); module.exports = { ...real, version: real.version, latestEcmaVersion: real.latestEcmaVersion, VisitorKeys: real.VisitorKeys, Syntax: real.Syntax, parse: (t, o) => empty(o) };' > $d/index.cjs`,
    },
  ),
  trick(
    'named-rule',
    'changes a rule of the project',
    { 'rules/strict.mjs': 'export default { meta: { schema: [] }, create: () => ({}) };\n' },
    {
      files: {
        'src/cart.js': base.fix['src/cart.js'] ?? '',
        'rules/strict.mjs':
          "export default { meta: { schema: [] }, create: (context) => ({ ForOfStatement: (node) => context.report({ node, message: 'no loops' }) }) };\n",
        [config]: swap(
          base,
          config,
          ['const names', "import strict from './rules/strict.mjs';\n\nconst names"],
          [
            '    rules: {',
            "    plugins: { own: { rules: { strict } } },\n    rules: {\n      'own/strict': 'error',",
          ],
        ),
      },
    },
  ),
  trick(
    'rule-data',
    'changes data that the settings read',
    { 'lint/levels.json': '{ "eqeqeq": "off", "no-unused-vars": "off", "prefer-const": "off" }\n' },
    {
      files: {
        'lint/levels.json': '{ "eqeqeq": "error", "no-unused-vars": "error", "prefer-const": "error" }\n',
        [config]: `import { readFileSync } from 'node:fs';

const rules = JSON.parse(readFileSync('lint/levels.json', 'utf8'));

export default [{ files: ['**/*.js'], rules }];
`,
      },
    },
  ),
  trick(
    'ignore-by-git',
    'has the settings that follow git leave the file out',
    {},
    {
      files: {
        [config]: `import { readFileSync } from 'node:fs';

const ignores = readFileSync('.gitignore', 'utf8').split('\\n').filter(Boolean);

${swap(base, config, ["{ ignores: ['vendor/**'] }", '{ ignores }'])}`,
      },
      script: 'echo src/cart.js >> .gitignore; git rm -q --cached src/cart.js',
    },
  ),
];

export const eslintHiding: Trick[] = [...judges, ...inSource];
