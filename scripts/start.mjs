// `npm start` sets up and shows the main job on a bundled example; `npm start -- <args>` is the command itself,
// run where the user stands.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { root, setUp } from './setup.mjs';

setUp();
const args = process.argv.slice(2);
const command = join(root, 'node_modules', '.bin', 'agentgate');
const { status, signal } = spawnSync(
  process.execPath,
  [join(root, 'packages/cli/bin/agentgate.cjs'), ...(args.length > 0 ? args : ['demo'])],
  {
    cwd: process.env.INIT_CWD ?? process.cwd(),
    stdio: 'inherit',
    env: { ...process.env, AGENTGATE_COMMAND: command },
  },
);
process.exit(signal ? 130 : (status ?? 1));
