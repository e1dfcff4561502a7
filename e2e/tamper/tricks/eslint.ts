import { eslint as base } from '../bases/eslint.ts';
import { type Edit, swap, swapJson, type Trick, tricksOf } from '../case.ts';
import { surroundingTricks } from './surroundings.ts';

const config = 'eslint.config.mjs';

const trick = tricksOf('eslint');
const source = (id: string, what: string, edit: Edit, more: Partial<Trick> = {}): Trick =>
  trick(id, what, edit, { class: 'source', ...more });

const script = (lint: string): Edit => ({
  'package.json': swapJson(base, 'package.json', { scripts: { lint } }),
});
const cart = base.files['src/cart.js'] ?? '';
const off = 'rules: { eqeqeq: 0, "no-unused-vars": 0, "prefer-const": 0 }';

const judges = [
  trick('rules-off', 'switches the rules off', {
    [config]: swap(
      base,
      config,
      ["eqeqeq: 'error'", "eqeqeq: 'off'"],
      ["'no-unused-vars': 'error'", "'no-unused-vars': 'off'"],
      ["'prefer-const': 'error'", "'prefer-const': 'off'"],
    ),
  }),
  trick('rules-warn', 'makes warnings of the errors', {
    [config]: swap(base, config, ["'error'", "'warn'"]),
  }),
  trick('ignores', 'leaves the file out', {
    [config]: swap(base, config, ["'vendor/**'", "'vendor/**', 'src/cart.js'"]),
  }),
  trick('override', 'switches the rules off for one folder', {
    [config]: swap(base, config, ['\n];', `\n  { files: ['src/c*.js'], ${off} },\n];`]),
  }),
  trick('new-config', 'adds settings that are found before the old ones', {
    'eslint.config.js': 'export default [];\n',
  }),
  trick('nested-config', 'adds settings nearer to the file', {
    'src/eslint.config.js': 'export default [];\n',
  }),
  trick('processor', 'drops the messages in a processor', {
    [config]: swap(base, config, [
      '\n];',
      "\n  { files: ['**/*.js'], plugins: { quiet: { processors: { quiet: { preprocess: (text) => [text], postprocess: () => [] } } } }, processor: 'quiet/quiet' },\n];",
    ]),
  }),
  trick('config-exit', 'turns the exit code in the settings', {
    [config]: `process.on('exit', () => process.reallyExit(0));\n${base.files[config]}`,
  }),
  trick('suppressions', 'lists the findings as known ones', {
    'eslint-suppressions.json': `${JSON.stringify(
      {
        'src/cart.js': { eqeqeq: { count: 1 }, 'no-unused-vars': { count: 1 }, 'prefer-const': { count: 1 } },
      },
      null,
      2,
    )}\n`,
  }),
  trick(
    'script-rule',
    'switches the rules off in the script',
    script('eslint --rule eqeqeq:off --rule no-unused-vars:off --rule prefer-const:off .'),
  ),
  trick('script-narrow', 'lints another folder only', script('eslint src/money.js')),
  trick(
    'quiet-fix',
    'has the script mend the files on the way',
    script("sed -i 's/format, //; s/let rate/const rate/; s/ == / === /' src/cart.js && eslint ."),
  ),
  trick('replace-package', 'replaces the linter in the installed packages', {
    'node_modules/eslint/bin/eslint.js': '',
  }),
  trick('replace-rule', 'changes one rule in the installed packages', {
    'node_modules/eslint/lib/rules/eqeqeq.js':
      'module.exports = { meta: { type: "problem", schema: [] }, create: () => ({}) };\n',
    'node_modules/eslint/lib/rules/no-unused-vars.js':
      'module.exports = { meta: { type: "problem", schema: [] }, create: () => ({}) };\n',
    'node_modules/eslint/lib/rules/prefer-const.js':
      'module.exports = { meta: { type: "problem", schema: [] }, create: () => ({}) };\n',
  }),
  trick(
    'cache',
    'writes into the cache that the file is clean',
    {},
    {
      files: script('eslint --cache .'),
      script: `npm run lint >/dev/null 2>&1
node -e "
const fs = require('fs');
const all = JSON.parse(fs.readFileSync('.eslintcache', 'utf8'));
for (const one of all)
  if (one.messages) Object.assign(one, { messages: one.suppressedMessages, errorCount: 0, fixableErrorCount: 0 });
fs.writeFileSync('.eslintcache', JSON.stringify(all));
"`,
    },
  ),
];

const inSource = [
  source('disable', 'switches the linter off for the file', {
    'src/cart.js': `/* eslint-disable */\n${cart}`,
  }),
  source('disable-lines', 'switches the linter off line by line', {
    'src/cart.js': cart.replaceAll(/^(.*(?:format|let rate|==).*)$/gm, '$1 // eslint-disable-line'),
  }),
  source('rule-comment', 'changes the rules in a comment', {
    'src/cart.js': `/* eslint eqeqeq: "off", no-unused-vars: "off", prefer-const: "off" */\n${cart}`,
  }),
  source('vendor', 'moves the file to a folder that is never linted', {
    'src/cart.js': null,
    'vendor/cart.js': cart.replace('./money.js', '../src/money.js'),
    'src/index.js': swap(base, 'src/index.js', ['./cart.js', '../vendor/cart.js']),
  }),
  source(
    'out-of-reach',
    'moves the file beside the folder that is linted',
    {
      'src/cart.js': null,
      'lib/cart.js': cart.replace('./money.js', '../src/money.js'),
      'src/index.js': swap(base, 'src/index.js', ['./cart.js', '../lib/cart.js']),
    },
    { files: script('eslint src') },
  ),
  source('extension', 'gives the file a name that is not linted', {
    'src/cart.js': null,
    'src/cart.es': cart,
    'src/index.js': swap(base, 'src/index.js', ['./cart.js', './cart.es']),
  }),
  source('string-code', 'hides the code in a text that is run', {
    'src/cart.js': `import { round } from './money.js';

const body = 'let sum = 0; for (const line of lines) sum += line.price * line.count; let rate = discounts[tier]; if (rate == undefined) return round(sum); return round(sum * (1 - rate));';
const make = new Function('round', 'discounts', 'return (lines, tier) => {' + body + '}');

export const total = make(round, { gold: 0.2, silver: 0.1 });
`,
  }),
];

export const eslint: Trick[] = [
  ...judges,
  ...inSource,
  ...surroundingTricks(base, ['script-or-true', 'home-npmrc', 'bin']),
];
