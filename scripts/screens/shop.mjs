// A shop whose tests are mended step by step: what the pictures of the documentation show.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const tests = [
  'cart › adds an item',
  'cart › removes an item',
  'cart › keeps quantities',
  'cart › totals with tax',
  'checkout › refuses an empty cart',
  'checkout › rounds to cents',
  'checkout › applies a coupon once',
  'login › locks after five tries',
  'login › refreshes a token',
  'login › forgets on logout',
  'search › ranks exact hits first',
  'search › ignores accents',
  'orders › pages through 1,000 rows',
  'orders › exports as CSV',
  'mail › escapes names',
  'mail › retries once',
  'stock › never goes below zero',
  'stock › reserves while paying',
];

/** Which tests fail after each iteration; number 0 is before the run. */
const failing = [
  tests,
  tests.slice(4),
  tests.slice(7),
  [...tests.slice(9), 'cart › totals with tax', 'checkout › rounds to cents'],
  tests.slice(11),
  tests.slice(11),
  tests.slice(13),
  ['mail › retries once', 'stock › reserves while paying'],
  ['stock › reserves while paying'],
  [],
];
const types = [3, 1, 0, 1, 0, 0, 0, 0, 0, 0];
const lint = [5, 5, 4, 4, 2, 2, 2, 1, 1, 0];
const costs = [0, 0.42, 0.31, 0.47, 0.28, 0.19, 0.35, 0.4, 0.22, 0.12];

const taskOf = (title) => `${title} without changing the tests.

Keep the public API as it is; prices are in cents everywhere.`;

/**
 * Writes the project, and beside it the agent that will mend it: it gets as far as `steps`, and from iteration `from`
 * on it works until it is ended.
 */
export function writeShop(
  dir,
  { from = Infinity, steps = failing.length - 1, gates = '', title = 'Make the tests of the shop pass' } = {},
) {
  const files = {
    'agentgate.yaml': [
      `task: ${JSON.stringify(taskOf(title))}`,
      'agent: { run: [node, ../agent.mjs] }',
      'gates:',
      '  tests: { run: "cat tests.tap; ! grep -q \'^not ok\' tests.tap", report: tap }',
      '  types: { run: "cat types.txt; ! grep -q error types.txt", report: tsc }',
      '  lint: { run: "cat lint.tap; ! grep -q \'^not ok\' lint.tap", report: tap, severity: soft }',
      gates,
      'limits: { iterations: 14, wallClock: 1h, cost: 5usd, tokens: 2M }',
      'integrity: off',
    ].join('\n'),
    ...resultsAt(0),
    'src/cart.js': 'export const items = [];\n',
    '../agent.mjs': agent(from, steps),
  };
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, path)), { recursive: true });
    writeFileSync(join(dir, path), text);
  }
}

function resultsAt(step) {
  const tap = (names, broken) =>
    `TAP version 13\n1..${names.length}\n${names
      .map((name, at) => `${broken.includes(name) ? 'not ok' : 'ok'} ${at + 1} - ${name}`)
      .join('\n')}\n`;
  const rules = [
    'no-unused-vars in cart',
    'eqeqeq in login',
    'no-console in mail',
    'prefer-const in search',
    'no-shadow in orders',
  ];
  const errors = Array.from(
    { length: types[step] },
    (_, at) => `src/cart.ts(${at + 3},7): error TS2345: Argument ${at + 1} is not a number of cents.`,
  );
  return {
    'tests.tap': tap(tests, failing[step]),
    'types.txt': `${errors.join('\n')}\n`,
    'lint.tap': tap(rules, rules.slice(0, lint[step])),
  };
}

const agent = (from, steps) => `
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
const results = ${JSON.stringify(failing.map((_, step) => resultsAt(step)))};
const costs = ${JSON.stringify(costs)};
const count = existsSync('../count') ? Number(readFileSync('../count', 'utf8')) + 1 : 1;
writeFileSync('../count', String(count));
const step = Math.min(count, ${steps});
console.log('Reading the failing tests of the shop.');
console.log('The next thing to mend is in src/cart.js: quantities were lost where two lines had the same key.');
if (count >= ${from}) await new Promise(() => setInterval(() => undefined, 1000));
appendFileSync('src/cart.js', [
  '',
  '/** Step ' + count + ': counts every piece. */',
  'export function total' + count + '(lines) {',
  '  return lines.reduce((sum, line) => sum + line.cents * line.count, 0);',
  '}',
  '',
].join('\\n'));
for (const [path, text] of Object.entries(results[step])) writeFileSync(path, text);
const claim = step === 5 || step === 7;
console.log(claim ? 'Everything is done now.' : 'That should be better.');
writeFileSync(process.env.AGENTGATE_OUTCOME_FILE, JSON.stringify({ costUsd: costs[step], tokens: 21000 + step * 3700, ...(claim ? { claim: 'DONE' } : {}) }));
`;
