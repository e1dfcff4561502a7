// `npm test` sets up and runs everything that guards the product: the checks, then every test.
// Ends with the line `N passed, N failed`.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { unknownCitations } from './check-requirements.mjs';
import { root, setUp } from './setup.mjs';

setUp();
const only = process.argv.slice(2);
const report = join(root, '.cache', 'tests.json');
mkdirSync(join(root, '.cache'), { recursive: true });
rmSync(report, { force: true });

const check =
  only.length > 0
    ? 0
    : spawnSync(process.execPath, ['scripts/check.mjs'], { cwd: root, stdio: 'inherit' }).status;
const tests = spawnSync(
  join(root, 'node_modules', '.bin', 'vitest'),
  ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`, ...only],
  { cwd: root, stdio: 'inherit' },
).status;

const counted = existsSync(report)
  ? JSON.parse(readFileSync(report, 'utf8'))
  : { numPassedTests: 0, numFailedTests: 0, numPendingTests: 0 };
const unknown = only.length === 0 && counted.testResults ? unknownCitations(counted) : [];
for (const citation of unknown)
  console.error(`docs/requirements.md names a test that did not run: ${citation}`);

const passed = counted.numPassedTests + (check === 0 && only.length === 0 ? 1 : 0);
// A file that could not be loaded has no tests to fail, and a runner that died has no report: both are failures.
const broken = tests !== 0 && counted.numFailedTests === 0 ? 1 : 0;
const failed = counted.numFailedTests + broken + (check === 0 ? 0 : 1) + (unknown.length === 0 ? 0 : 1);
const skipped = counted.numPendingTests > 0 ? `, ${counted.numPendingTests} skipped` : '';
console.log(`${passed} passed, ${failed} failed${skipped}`);
process.exit(failed === 0 ? 0 : 1);
