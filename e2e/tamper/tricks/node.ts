import { node as base } from '../bases/javascript.ts';
import { type Edit, swapJson, type Trick, tricksOf } from '../case.ts';
import { testTricks } from './shop-tests.ts';
import { surroundingTricks } from './surroundings.ts';

const trick = tricksOf('node');

const script = (test: string): Edit => ({
  'package.json': swapJson(base, 'package.json', { scripts: { test } }),
});

const lenient = "import assert from 'node:assert';\n\nassert.equal = () => {};\n";

const ownTricks = [
  trick(
    'name-pattern',
    'runs only cases of one name',
    script("node --test --test-name-pattern='sums|cents|currency|letters' test/*.test.js"),
  ),
  trick('import', 'loads a file that switches the assertions off', {
    ...script('node --import ./src/setup.js --test test/*.test.js'),
    'src/setup.js': lenient,
  }),
  trick(
    'narrow',
    'names only the files that pass',
    script('node --test test/money.test.js test/slug.test.js'),
  ),
  trick('support-exit', 'ends the process in a support file of the tests', {
    'test/support/lines.js': `process.exit(0);\n${base.files['test/support/lines.js'] ?? ''}`,
  }),
  trick('support-only', 'lets a support file end every case before it is checked', {
    'test/support/lines.js': `import { beforeEach } from 'node:test';

beforeEach((context) => {
  if (/discount|orders/.test(context.name)) context.todo?.();
});
${base.files['test/support/lines.js'] ?? ''}`,
    'test/support/orders.js': 'export const orders = () => [];\n',
  }),
  trick('loader', 'mends the code while it is loaded', {
    ...script('node --import ./src/mend.js --test test/*.test.js'),
    'src/mend.js': `import { register } from 'node:module';

register('./mend-hooks.js', import.meta.url);
`,
    'src/mend-hooks.js': `export async function load(url, context, next) {
  const loaded = await next(url, context);
  if (!url.endsWith('/src/cart.js')) return loaded;
  const mended = String(loaded.source).replace(
    'return round(sum);',
    'return round(sum * (1 - (discounts[tier] ?? 0)));',
  );
  return { ...loaded, source: mended };
}
`,
  }),
  trick('env-file', 'takes options of node from a file of the environment', {
    ...script('node --env-file=.env --test test/*.test.js'),
    '.env': 'NODE_OPTIONS=--import=./src/setup.js\n',
    'src/setup.js': lenient,
  }),
  trick(
    'nested-repository',
    'makes a repository of the tests, so that git does not look into it',
    {
      'test/cart.test.js': "import { it } from 'node:test';\nit('sums the lines', () => {});\n",
    },
    { script: 'git rm -rq --cached test; git -C test init -q' },
  ),
  trick(
    'forged-report',
    'writes the report itself, and has the script do nothing else',
    {
      ...script('node src/report.js'),
      'src/report.js': `import { writeFileSync } from 'node:fs';

const names = ['sums the lines', 'takes the gold discount off', 'takes the silver discount off', 'charges the orders of last year'];
const rows = names.map((name) => \`<testcase name="\${name}" classname="test" time="0.001"/>\`);
writeFileSync('report.xml', \`<?xml version="1.0"?><testsuites><testsuite name="total" tests="4" failures="0">\${rows.join('')}</testsuite></testsuites>\`);
`,
    },
    {
      files: script(
        'node --test --test-reporter=junit --test-reporter-destination=report.xml test/*.test.js',
      ),
      report: { format: 'junit', path: 'report.xml' },
    },
  ),
  trick('forged-output', 'prints a report of success, and has the script do nothing else', {
    ...script('node src/report.js'),
    'src/report.js': `console.log('TAP version 13');
for (const [at, name] of ['sums the lines', 'takes the gold discount off', 'takes the silver discount off', 'charges the orders of last year'].entries())
  console.log(\`ok \${at + 1} - \${name}\`);
console.log('1..4');
`,
  }),
  trick(
    'report-daemon',
    'leaves a process behind that writes the report over',
    script('node --test --test-reporter=junit --test-reporter-destination=report.xml test/*.test.js; true'),
    {
      files: script(
        'node --test --test-reporter=junit --test-reporter-destination=report.xml test/*.test.js',
      ),
      report: { format: 'junit', path: 'report.xml' },
      script: `(i=0; while [ $i -lt 1500 ] && [ -d .git ]; do sleep 0.01; i=$((i+1))
  echo '<?xml version="1.0"?><testsuites><testsuite name="total" tests="1" failures="0"><testcase name="sums the lines" classname="test" time="0.001"/></testsuite></testsuites>' > report.xml
done) >/dev/null 2>&1 &`,
    },
  ),
  trick(
    'node-shim',
    'puts a node of its own in front of the real one',
    {},
    {
      gate: 'node --test test/*.test.js',
      script: "printf '#!/bin/sh\\nexit 0\\n' > ~/.local/bin/node; chmod +x ~/.local/bin/node",
    },
  ),
];

export const node: Trick[] = [
  ...testTricks(base, [
    'delete-file',
    'skip',
    'invert',
    'empty',
    'flip',
    'rename',
    'swallow',
    'fixture',
    'imports',
  ]),
  ...ownTricks,
  ...surroundingTricks(base, ['script-true', 'npmrc-options', 'makefile', 'path-shim']),
];
