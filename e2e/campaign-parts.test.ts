import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';

interface Told {
  kind: string;
  [field: string]: unknown;
}

const script = (name: string) => import(new URL(`../scripts/${name}.mjs`, import.meta.url).href);
const golden = new URL('../packages/core/src/golden/histories/converged.jsonl', import.meta.url);
const dirs: string[] = [];
afterEach(() => {
  for (const dir of dirs.splice(0)) rmSync(dir, { recursive: true });
});

/** What the campaign finds in a run of two iterations that has this log, told these events, and should be that story. */
async function findings(given: {
  told?: string[];
  reference?: (story: Told[]) => Told[];
}): Promise<string[]> {
  const { differences } = await script('crash-story');
  const dir = mkdtempSync(join(tmpdir(), 'agentgate-campaign-'));
  dirs.push(dir);
  const run = join(dir, 'state', 'workspaces', 'w', 'runs', 'r');
  mkdirSync(join(run, 'blobs'), { recursive: true });
  writeFileSync(join(run, 'log.jsonl'), readFileSync(golden));
  writeFileSync(join(dir, 'told-0.jsonl'), (given.told ?? []).join('\n'));
  const place = { dir, state: join(dir, 'state'), ledger: join(dir, 'ledger'), told: ['told-0.jsonl'] };
  const story = given.reference?.(events()) ?? events();
  return differences({ exit: 0, place, reference: { story }, iterations: 2 });
}

/** The history as the command tells it, without its chain. */
const events = (): Told[] =>
  readFileSync(golden, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => {
      const { hash: _, ...event } = JSON.parse(line);
      return event;
    });
const lines = (): string[] => [...events().map((event) => JSON.stringify(event)), ''];

describe('the campaign of deaths', () => {
  const isLost = (one: string) => one.endsWith('was told and is not in the log as it was told');

  it('takes what was told and is in the log for kept, and half a line for nothing', async () => {
    const told = [...lines().slice(0, -1), '{"seq":99,"kind":"noti'];
    expect((await findings({ told })).filter(isLost)).toEqual([]);
  });

  it('finds an event that was told and is not in the log', async () => {
    const more = '{"v":1,"seq":99,"at":"2026-11-16T06:11:09.000Z","kind":"run.paused"}';
    const found = await findings({ told: [...lines().slice(0, -1), more, ''] });
    expect(found.filter(isLost)).toEqual([expect.stringMatching(/^event 99 \(run\.paused\)/)]);
  });

  it('finds an event that is another one in the log', async () => {
    const told = lines().map((line) =>
      line.replace('"kind":"agent.started"', '"kind":"agent.started","start":7'),
    );
    expect((await findings({ told })).filter(isLost)).toHaveLength(2);
  });

  it('finds decisions that come out otherwise than where nobody died', async () => {
    const isOther = (one: string) => one.endsWith('without a fault');
    expect((await findings({})).filter(isOther)).toEqual([]);
    const withoutOne = (story: Told[]) =>
      story.toSpliced(
        story.findLastIndex((one) => one.kind === 'decided'),
        1,
      );
    expect((await findings({ reference: withoutOne })).filter(isOther)).toHaveLength(1);
  });

  it('finds whatever of the user is not as it was, and lets the agent have its own', async () => {
    const { layPlace, disturbed } = await script('crash-place');
    const place = layPlace('', { git: true });
    dirs.push(place.dir);
    const git = (...args: string[]) => execFileSync('git', args, { cwd: place.workspace, stdio: 'ignore' });
    writeFileSync(join(place.workspace, 'f3'), '3');
    expect(disturbed(place)).toEqual([]);
    git('stash', 'drop');
    expect(disturbed(place)).toContain('.git/refs/stash of the user is gone');
    git('reset', '-q');
    expect(disturbed(place)).toContain('.git/index of the user is another one');
    git('checkout', '-qf', 'main');
    expect(disturbed(place)).toContain('.git/HEAD of the user is another one');
    git('clean', '-fdxq');
    expect(disturbed(place)).toContain('own.secret of the user is gone');
    writeFileSync(join(place.workspace, 'left.txt'), '');
    expect(disturbed(place)).toContain("left.txt is neither the user's nor the agent's");
  });
});

describe('the hunt for planted bugs', () => {
  const lab = (broken: number[]) => ({
    drawPlan: (seed: number) => seed,
    simulate: async (seed: number) => ({
      violations: broken.includes(seed) ? [{ id: 'I1', text: `world ${seed}\nmore` }] : [],
    }),
  });

  it('counts a seed only when its world is clean without the bug', async () => {
    const { hunt } = await script('hunt');
    const found = await hunt({ planted: lab([2, 3, 5]), clean: lab([2]), seeds: 9 });
    expect(found).toEqual({ seed: 3, id: 'I1', text: 'world 3', unclean: [2] });
    const unseen = await hunt({ planted: lab([2, 5]), clean: lab([2, 5]), seeds: 9 });
    expect(unseen).toEqual({ seed: null, unclean: [2, 5] });
  });
});
