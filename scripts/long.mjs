// `npm run fuzz [-- N]`, `npm run pending [-- MINUTES]` and `npm run readers [-- SECONDS]`: the long forms of tests that
// are short in `npm test`.
import { spawnSync } from 'node:child_process';
import { setUp } from './setup.mjs';

const forms = {
  fuzz: { file: 'e2e/fuzz.test.ts', variable: 'FUZZ_INPUTS', usual: '10000' },
  readers: { file: 'e2e/readers.test.ts', variable: 'READERS_SECONDS', usual: '60' },
  pending: { file: 'e2e/pending.test.ts', variable: 'PENDING_MINUTES', usual: '10' },
};
const [name, amount] = process.argv.slice(2);
const { file, variable, usual } = forms[name];
setUp();
const args = ['--no-install', 'vitest', 'run', '--project', 'e2e', file, '--reporter', 'verbose'];
const env = { ...process.env, [variable]: amount ?? usual };
process.exit(spawnSync('npx', args, { stdio: 'inherit', env }).status ?? 1);
