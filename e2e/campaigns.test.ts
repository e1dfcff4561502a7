import { execFile, spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));

/** The short forms of campaigns that have a long one of their own. */
async function campaign(script: string, ...args: string[]): Promise<string> {
  const run = promisify(execFile)(process.execPath, [`scripts/${script}.mjs`, ...args], { cwd: root });
  return run.then(
    ({ stdout }) => stdout,
    ({ stdout, stderr }: { stdout: string; stderr: string }) => `${stdout}\n${stderr}`,
  );
}

// What a campaign finds once is a finding: none of them has a second try.
describe('the simulator', { retry: 0 }, () => {
  it('finds nothing in 1,000 worlds', { timeout: 300_000 }, async () => {
    expect(await campaign('sim', '--seeds', '1000', '--from', '1001')).toMatch(/sim: 0 violations\n$/);
  });

  it('finds bugs that are planted', { timeout: 300_000 }, async () => {
    const names = [
      'one iteration too many',
      'an append is not synced',
      'a letter is taken twice',
      'a build that is recorded is made again',
      'an agent that had begun begins again',
      'the agent.s tests judge',
      'a strategy that says done is believed',
    ];
    const told = await campaign('planted', '--seeds', '600', '--only', `^(${names.join('|')})`);
    expect(told).toMatch(/planted: (\d+) of \1 found/);
  });
});

it.each([
  ['sim', '--seeds', '5k'],
  ['planted', '--only', 'no such bug'],
  ['crash', '--points', 'all'],
  ['soak', '--minutes', 'long'],
])('%s %s %s tries nothing and does not pass', async (script, ...args) => {
  await expect(
    promisify(execFile)(process.execPath, [`scripts/${script}.mjs`, ...args], { cwd: root }),
  ).rejects.toMatchObject({ code: 2, stderr: expect.stringMatching(`^${script}: `) });
});

const mayTrace =
  process.env['CI'] !== undefined || spawnSync('strace', ['-o', '/dev/null', 'true']).status === 0;

it.runIf(mayTrace)(
  'the real command survives its death at 250 points (needs strace)',
  { timeout: 900_000, retry: 0 },
  async () => {
    expect(await campaign('crash', '--points', '250')).toMatch(
      /\n250 points in \d+ s, 250 of them hit, 0 faults\ncrash: 250 passed, 0 failed\n$/,
    );
  },
);

it('the real command survives its death at any moment, and so does what the user was at', {
  timeout: 300_000,
  retry: 0,
}, async () => {
  expect(await campaign('crash', '--random', '4')).toMatch(
    /\n4 points in \d+ s, 4 of them hit, 0 faults\ncrash: 4 passed, 0 failed\n$/,
  );
});

it('a run that goes on and on does not grow', { timeout: 120_000 }, async () => {
  expect(await campaign('soak', '--minutes', '0.3')).toMatch(/soak: flat\n$/);
});
