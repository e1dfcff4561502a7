// `npm run coverage` runs the unit tests and tells how much of the libraries they reach; `npm test` does so too, for
// all tests. Arguments are those of vitest.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { forgetCovered, tooLittleCovered } from './covered.mjs';
import { root, setUp } from './setup.mjs';

setUp({ quiet: true });
forgetCovered();
const vitest = join(root, 'node_modules', '.bin', 'vitest');
const options = ['--project', 'unit', '--coverage', '--coverage.reportOnFailure', ...process.argv.slice(2)];
const { status } = spawnSync(vitest, ['run', ...options], { cwd: root, stdio: 'inherit' });
const under = tooLittleCovered();
if (status !== 0) console.error('A test failed, and may have left out what it would have reached.');
process.exit(status === 0 && under?.length === 0 ? 0 : 1);
