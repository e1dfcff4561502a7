import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { agentgate, makePlace, outcomeOf, type Place, said, start } from './support/command.ts';

let place: Place;
beforeEach(() => {
  place = makePlace({ 'a.txt': '' });
  place.write({
    '../agent.sh': 'head -c 200000 /dev/urandom > blob; echo x >> a.txt; [ ! -e ../hold ] || sleep 600\n',
  });
});
afterEach(() => place.remove());

const gate = ['--gate', 'test "$(wc -l < a.txt)" -ge 2', '--max-iterations', '1'];
const agent = ['--', 'sh', '../agent.sh'];

async function run(): Promise<string> {
  const ended = await agentgate(place, 'run', '--json', '-p', 'x', ...gate, ...agent);
  return String(outcomeOf(ended)['runId'] ?? JSON.parse(ended.stdout.split('\n')[0]!).runId);
}

const homeOf = (): string => {
  const parent = join(place.state, 'agentgate', 'workspaces');
  return join(parent, readdirSync(parent)[0]!);
};
const listed = async (): Promise<string[]> =>
  (await agentgate(place, 'list', '--json')).stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => (JSON.parse(line) as { runId: string }).runId);

it('tells what there is, shows what would go, removes it, and what is left goes on', async () => {
  const runs: string[] = [];
  for (let n = 0; n < 3; n++) {
    place.write({ 'a.txt': '' });
    runs.push(await run());
  }
  const told = await agentgate(place, 'prune');
  expect([told.exit, told.stdout]).toEqual([0, expect.stringMatching(/: 3 runs, .* of logs and outputs/)]);
  const shown = await agentgate(place, 'prune', '--keep', '1', '--dry-run');
  expect(shown.stdout).toMatch(/Would remove 2 runs \(\w{6}, \w{6}\): about \d/);
  expect(await listed()).toHaveLength(3);
  const gone = await agentgate(place, 'prune', '--keep', '1');
  expect([gone.exit, gone.stderr]).toEqual([0, '']);
  expect(gone.stdout).toMatch(/Removing 2 runs .*: about \d.*\n.*Freed [\d.]+ [kM]B\.\n$/);
  expect(await listed()).toEqual([runs[2]]);
  expect(readdirSync(join(homeOf(), 'git/refs/agentgate/runs'))).toEqual([runs[2]]);
  const refused = await agentgate(place, 'show', runs[0]!);
  expect([refused.exit, refused.stderr]).toEqual([2, expect.stringContaining('there is no run')]);
  const resumed = await agentgate(place, 'resume', '--json', '--add-iterations', '2');
  expect(outcomeOf(resumed)).toMatchObject({ status: 'converged', iterations: 2 });
  // The parent of the newest stays with it.
  await agentgate(place, 'prune', '--keep', '1');
  expect(await listed()).toHaveLength(2);
});

it('says what it could not read, and tells machines', async () => {
  await run();
  const wrong = await agentgate(place, 'prune', '--older-than', 'long', '--max-size', '2', '--keep', '-1');
  expect([wrong.exit, wrong.stderr.split('\n')]).toEqual([
    2,
    [
      'agentgate: --older-than: expected a duration such as 30d, found "long"',
      'agentgate: --keep: expected a whole number such as 10, found "-1"',
      'agentgate: --max-size: expected a size such as 2GB, found "2"',
      '',
    ],
  ]);
  const machine = await agentgate(place, 'prune', '--older-than', '1d', '--all-workspaces', '--json');
  expect(outcomeOf(machine)).toMatchObject({
    kind: 'prune',
    root: place.workspace,
    runs: [expect.any(String)],
    plan: { runIds: [], room: false },
    pruned: { runIds: [], bytes: 0 },
  });
});

it('is busy while somebody owns the workspace, and touches nothing', async () => {
  await run();
  place.write({ '../hold': '', 'a.txt': '' });
  const { child, ended } = start(place, ['run', '--json', '-p', 'x', ...gate, ...agent]);
  await said(child, '"agent.started"');
  const busy = await agentgate(place, 'prune', '--older-than', '0s');
  expect([busy.exit, busy.stderr]).toEqual([
    75,
    expect.stringMatching(/held by run \w{6} \(process \d+, since/),
  ]);
  expect((await agentgate(place, 'prune', '--older-than', '0s', '--dry-run')).exit).toBe(0);
  expect(await listed()).toHaveLength(2);
  child.kill('SIGTERM');
  await ended;
});

it('killed at any moment leaves nothing but work for the next one', async () => {
  for (let n = 0; n < 3; n++) {
    place.write({ 'a.txt': '' });
    await run();
  }
  for (const ms of [150, 220, 260, 300, 340, 380, 420, 500]) {
    const { child, ended } = start(place, ['prune', '--keep', '1']);
    await sleep(ms);
    child.kill('SIGKILL');
    await ended;
    const runs = await listed();
    for (const runId of runs) expect((await agentgate(place, 'show', runId)).exit).toBe(0);
  }
  expect((await agentgate(place, 'prune', '--keep', '1')).exit).toBe(0);
  expect(await listed()).toHaveLength(1);
  expect(readdirSync(join(homeOf(), 'runs'))).toEqual(await listed());
  expect(existsSync(join(homeOf(), 'pruning'))).toBe(false);
  const git = ['--git-dir', join(homeOf(), 'git')];
  expect(spawnSync('git', [...git, 'fsck', '--no-dangling'], { encoding: 'utf8' }).stderr).not.toMatch(
    /missing|error/,
  );
  const unreachable = execFileSync('git', [...git, 'fsck', '--unreachable'], {
    encoding: 'utf8',
    stdio: 'pipe',
  });
  expect(unreachable).toBe('');
  expect(dirname(homeOf())).toContain(place.state);
});
