// A whole plan, worked through by scripted agents in a copy of this folder: node examples/plan/run.mjs
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = fileURLToPath(new URL('.', import.meta.url));
const agentgate = fileURLToPath(new URL('../../packages/cli/bin/agentgate.cjs', import.meta.url));
const place = mkdtempSync(join(tmpdir(), 'agentgate-plan-'));
const project = join(place, 'project');
cpSync(here, project, { recursive: true });
const env = { ...process.env, AGENTGATE_STATE_DIR: join(place, 'state'), XDG_CACHE_HOME: join(place, 'cache') };
const { status } = spawnSync(process.execPath, [agentgate, 'plan', 'run', ...process.argv.slice(2)], {
  cwd: project,
  env,
  stdio: 'inherit',
});
spawnSync(process.execPath, [agentgate, 'plan', 'status'], { cwd: project, env, stdio: 'inherit' });
rmSync(place, { recursive: true, force: true });
process.exit(status ?? 1);
