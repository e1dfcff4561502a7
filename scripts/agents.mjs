// `npm run e2e:agents`: the real agent programs against a scripted model on the loopback, one line per scenario. The
// programs are fetched from the registry once, pinned, and kept in the user's cache. `-- -t <pattern>` picks scenarios.
import { spawnSync } from 'node:child_process';
import { setUp } from './setup.mjs';

setUp();
const args = ['vitest', 'run', '--project', 'agents', '--reporter', 'verbose', ...process.argv.slice(2)];
const env = { ...process.env, AGENTGATE_AGENTS: 'all' };
process.exit(spawnSync('npx', ['--no-install', ...args], { stdio: 'inherit', env }).status ?? 1);
