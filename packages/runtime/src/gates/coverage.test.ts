import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { coverageAfter, printedCoverage } from './coverage.ts';

it.each([
  [
    'the table of Istanbul and V8',
    'File | % Stmts | % Branch\nAll files |   85.71 |  75 |\n a.js | 1 | 2 |',
    85.71,
  ],
  ['the table of Node', 'ℹ all files       |  97.50 |    90.00 |   100.00 | ', 97.5],
  ['coverage.py', 'Name Stmts Miss Cover\na.py 10 2 80%\nTOTAL      120     12    90%', 90],
  ['coverage.py with branches', 'TOTAL  120  12  40  3  88.25%', 88.25],
  ['Go, package by package', 'ok a coverage: 80.0% of statements\nok b coverage: 60.0% of statements', 70],
  ['nothing', 'all files are fine, TOTAL of 5 at 100%', undefined],
])('coverage is read from what was printed: %s', (_, output, percent) => {
  expect(printedCoverage(output)).toBe(percent);
});

function place(files: Record<string, string>): string {
  const root = mkdtempSync(join(tmpdir(), 'agentgate-coverage-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return root;
}

const clover =
  '<coverage generated="1"><project timestamp="1" name="All">\n<metrics statements="8" coveredstatements="6" methods="1"/>';

it.each([
  ['coverage/coverage-summary.json', '{"total":{"statements":{"pct":91.5}}}', 91.5],
  ['coverage/lcov.info', 'SF:a\nLF:10\nLH:5\nend_of_record\nSF:b\nLF:10\nLH:10\n', 75],
  ['coverage/clover.xml', clover, 75],
  ['coverage.xml', '<?xml version="1.0" ?>\n<coverage version="7" line-rate="0.875" branch-rate="0">', 87.5],
  ['coverage.json', '{"meta":{},"totals":{"percent_covered":66.5}}', 66.5],
  ['coverage/coverage-summary.json', '{"total":', undefined],
  ['coverage/coverage-summary.json', '{"total":{"statements":{"pct":"Unknown"}}}', undefined],
  ['coverage/lcov.info', '', undefined],
])('coverage is read from %s: %j', async (path, text, percent) => {
  expect(await coverageAfter({ root: place({ [path]: text }) }, '', 100)).toBe(percent);
});

it('a report from before the gate ran measures nothing', async () => {
  const path = 'coverage/lcov.info';
  const root = place({ [path]: 'LF:10\nLH:5\n' });
  utimesSync(join(root, path), new Date(0), new Date(Date.now() - 60_000));
  expect(await coverageAfter({ root }, '', 100)).toBeUndefined();
});
