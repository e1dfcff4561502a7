import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { makePlace } from './support/command.ts';

const node = process.env['AGENTGATE_NODE24'];
const bin = fileURLToPath(new URL('../packages/cli/bin/agentgate.cjs', import.meta.url));

describe.runIf(node)('the built command on Node 24', () => {
  it('converges the bundled example and explains it', () => {
    const place = makePlace();
    const run = (...args: string[]) =>
      spawnSync(node!, [bin, ...args], { cwd: place.workspace, env: place.env, encoding: 'utf8' });
    expect(run('--version').stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
    const demo = run('demo', '--json');
    expect([demo.status, demo.stderr]).toEqual([0, '']);
    const started = JSON.parse(demo.stdout.split('\n')[0]!) as { root: string };
    const told = run('explain', '-C', started.root);
    expect([told.status, told.stdout]).toMatchObject([0, expect.stringContaining('the run converged')]);
    expect(
      run('run', '-p', 'x', '--gate', 'false', '--strategy', 'fixed', '--quiet', '--', 'true').status,
    ).toBe(1);
    place.remove();
  });
});
