import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { EventBody, PlanEvent } from '@agentgate/core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openLogWriter } from '../store/log-file.ts';
import { openHome, openRunStore, type RunStore, systemDisk, type WorkspaceHome } from '../store/index.ts';
import { openWorkspace } from '../workspace/index.ts';
import { planPrune } from './plan.ts';
import { isUnfinished, prune } from './prune.ts';
import { survey } from './survey.ts';

let base: string;
let home: WorkspaceHome;
let trees: string[];
let days = 0;

beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'agentgate-prune-'));
  mkdirSync(join(base, 'work'));
  home = openHome(join(base, 'work'), { AGENTGATE_STATE_DIR: join(base, 'state') });
  trees = [];
  days = 0;
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

const storeNow = (reserveBytes = 1_000): RunStore =>
  openRunStore(home.runs, { now: () => new Date(Date.UTC(2026, 0, 1 + days)), reserveBytes });

/** A run that left a tree of 200 kB of its own and a text of 50 kB. */
async function run(runId: string, { parent = '', status = 'diverged' } = {}): Promise<void> {
  days += 1;
  const store = storeNow();
  store.create(runId);
  const link = parent === '' ? {} : { parent: { runId: parent, seq: 1 } };
  const end = status === '' ? [] : [{ kind: 'run.ended', status } as EventBody];
  await store.append(runId, 0, [{ kind: 'run.started', runId, ...link } as EventBody, ...end]);
  store.keep(runId, noise(50_000));
  store.close();
  writeFileSync(join(home.root, 'big'), noise(200_000));
  const workspace = await openWorkspace({ root: home.root, gitDir: home.gitDir });
  trees.push((await workspace.snapshot({ ref: `runs/${runId}/1` })).tree);
  await workspace.close();
}

const noise = (length: number): string => {
  let text = '';
  while (text.length < length) text += Math.random().toString(36).slice(2);
  return text;
};

const hasTree = (tree: string): boolean => {
  try {
    execFileSync('git', ['--git-dir', home.gitDir, 'ls-tree', tree], { stdio: 'pipe' });
    execFileSync('git', ['--git-dir', home.gitDir, 'cat-file', '-p', `${tree}:big`], { stdio: 'pipe' });
    return true;
  } catch {
    return false;
  }
};

const rid = async (rules: object) => {
  const state = await survey(home);
  const plan = await planPrune(home, state, rules, Date.UTC(2026, 0, 1 + days));
  return { plan, pruned: await prune(home, plan) };
};

describe('prune', () => {
  it('removes folders, refs and what only they referred to, and says how much', async () => {
    for (const runId of ['r1', 'r2', 'r3']) await run(runId);
    // It is set aside again by the next run, so that nobody has more room for it.
    storeNow().reserve();
    const { plan, pruned } = await rid({ keep: 1 });
    expect(plan.runIds.toSorted()).toEqual(['r1', 'r2']);
    expect(pruned.bytes).toBeGreaterThan(300_000);
    expect(Math.abs(plan.bytes - pruned.bytes)).toBeLessThan(100_000);
    expect(storeNow().list()).toEqual(['r3']);
    expect(readdirSync(join(home.gitDir, 'refs/agentgate/runs'))).toEqual(['r3']);
    expect(trees.map(hasTree)).toEqual([false, false, true]);
    expect(isUnfinished(home)).toBe(false);
  });

  it('drops what lies in packs, too, and the next snapshot goes on from the last', async () => {
    for (const runId of ['r1', 'r2']) await run(runId);
    execFileSync('git', ['--git-dir', home.gitDir, 'repack', '-a', '-d', '-q'], { stdio: 'pipe' });
    await rid({ keep: 1 });
    expect(trees.map(hasTree)).toEqual([false, true]);
    await run('r3');
    expect(hasTree(trees[2]!)).toBe(true);
  });

  it('keeps every object of a kept run, also those that the repository of the user has too', async () => {
    const repository = join(base, 'theirs');
    const git = (...args: string[]) => execFileSync('git', ['-C', repository, ...args], { stdio: 'pipe' });
    execFileSync('git', ['init', '-q', repository]);
    for (const runId of ['r1', 'r2']) await run(runId);
    writeFileSync(join(repository, 'big'), readFileSync(join(home.root, 'big')));
    git('add', '.');
    git('-c', 'user.name=a', '-c', 'user.email=a@b', 'commit', '-qm', 'theirs');
    git('gc', '-q');
    const head = git('rev-parse', 'HEAD').toString().trim();
    mkdirSync(join(home.gitDir, 'objects/info'), { recursive: true });
    writeFileSync(join(home.gitDir, 'objects/info/alternates'), `${repository}/.git/objects\n`);
    mkdirSync(join(home.gitDir, 'refs/agentgate/delivered/r1'), { recursive: true });
    writeFileSync(join(home.gitDir, 'refs/agentgate/delivered/r1/x'), `${head}\n`);
    await rid({ keep: 1 });
    rmSync(repository, { recursive: true });
    expect(trees.map(hasTree)).toEqual([false, true]);
  });

  it('removes the oldest until the rest is small enough', async () => {
    for (const runId of ['r1', 'r2', 'r3', 'r4']) await run(runId);
    const { totalBytes } = await survey(home);
    const { plan } = await rid({ maxBytes: totalBytes - 300_000 });
    expect(plan.runIds).toEqual(['r1', 'r2']);
  });

  it('lets no run go for the room that is set aside for a full disk', async () => {
    for (const runId of ['r1', 'r2', 'r3']) await run(runId);
    const { totalBytes } = await survey(home);
    storeNow(2_000_000).reserve();
    expect((await rid({ maxBytes: totalBytes + 1_000 })).plan).toMatchObject({ runIds: [], bytes: 0 });
    storeNow(2_000_000).reserve();
    const { plan, pruned } = await rid({ maxBytes: totalBytes - 100_000 });
    expect(plan.runIds).toEqual(['r1']);
    expect(Math.abs(plan.bytes - pruned.bytes)).toBeLessThan(100_000);
  });

  it('leaves a run alone whose log cannot be read', async () => {
    for (const runId of ['r1', 'r2']) await run(runId);
    writeFileSync(join(home.runs, 'r1', 'log.jsonl'), 'nonsense\n');
    expect((await rid({ keep: 1 })).plan.runIds).toEqual([]);
  });

  it('leaves the run alone from which one with a damaged log goes on', async () => {
    await run('r1');
    await run('r2', { parent: 'r1' });
    await run('r3');
    appendFileSync(join(home.runs, 'r2', 'log.jsonl'), 'nonsense\n');
    expect((await rid({ keep: 1 })).plan.runIds).toEqual([]);
  });

  it('takes the rooms only when nobody could need them again', async () => {
    mkdirSync(join(home.dir, 'room'));
    writeFileSync(join(home.dir, 'room', 'x'), noise(10_000));
    await run('r1', { status: 'diverged' });
    expect((await rid({ maxBytes: 1 })).plan.room).toBe(false);
    await run('r2', { status: 'converged', parent: 'r1' });
    expect((await rid({ keep: 1 })).plan.room).toBe(false);
    expect((await rid({ maxBytes: 1 })).plan.room).toBe(true);
    expect(existsSync(join(home.dir, 'room'))).toBe(false);
  });
});

describe('a prune that was cut short', () => {
  beforeEach(async () => {
    for (const runId of ['r1', 'r2', 'r3']) await run(runId);
  });

  it('is seen by no reader', async () => {
    renameSync(join(home.runs, 'r1'), join(home.runs, '.removed-r1'));
    const store = storeNow();
    expect(store.list()).toEqual(['r3', 'r2']);
    expect(store.childOf('r2', 1)).toBeNull();
    await expect(store.read('r1')).rejects.toThrow(/no run r1/);
    expect((await survey(home)).runs.map(({ runId }) => runId)).toEqual(['r3', 'r2']);
  });

  it.each([
    [
      'after the folder had left its place',
      () => renameSync(join(home.runs, 'r1'), join(home.runs, '.removed-r1')),
    ],
    ['after the folder was gone', () => rmSync(join(home.runs, 'r1'), { recursive: true })],
    [
      'before git had let go',
      () => {
        rmSync(join(home.runs, 'r1'), { recursive: true });
        rmSync(join(home.gitDir, 'refs/agentgate/runs/r1'), { recursive: true });
        writeFileSync(join(home.dir, 'pruning'), '');
      },
    ],
  ])('%s is finished by the next one', async (_name, cut) => {
    cut();
    await rid({ keep: 2 });
    expect(readdirSync(home.runs).toSorted()).toEqual(['r2', 'r3']);
    expect(readdirSync(join(home.gitDir, 'refs/agentgate/runs')).toSorted()).toEqual(['r2', 'r3']);
    expect(trees.map(hasTree)).toEqual([false, true, true]);
    expect(isUnfinished(home)).toBe(false);
  });
});

describe('the runs of a plan', () => {
  const rules = { keep: 1 };
  const going = async () => (await planPrune(home, await survey(home), rules, Date.now())).runIds.toSorted();

  /** A plan with attempts at an item, and a session that ended so. */
  function plan(status: string, planId = 'p1', runIds = ['aaa']): void {
    const dir = join(home.dir, 'plans', planId);
    mkdirSync(dir, { recursive: true });
    const log = openLogWriter<PlanEvent, object>(join(dir, 'log.jsonl'), systemDisk);
    const bodies = [
      { kind: 'session.started', session: 1 },
      ...runIds.map((runId) => ({ kind: 'plan.decided', decision: { kind: 'run-item', item: 'a', runId } })),
      { kind: 'session.ended', status },
    ];
    log.append(0, bodies, new Date(Date.UTC(2026, 0, Number(planId.slice(1)))));
    log.close();
  }
  function keepTree(planId: string): void {
    mkdirSync(join(home.gitDir, 'refs/agentgate/plans', planId), { recursive: true });
    writeFileSync(join(home.gitDir, 'refs/agentgate/plans', planId, 'now'), `${trees[0]}\n`);
  }

  it.each(['budget', 'stopped', 'stuck'])('stay while it may go on from them (%s)', async (status) => {
    for (const runId of ['aaa', 'bbb', 'ccc']) await run(runId);
    plan(status);
    expect(await going()).toEqual(['bbb']);
  });
  it.each(['complete', 'complete-with-caveats'])('go like any other when it is %s', async (status) => {
    for (const runId of ['aaa', 'bbb', 'ccc']) await run(runId);
    plan(status);
    expect(await going()).toEqual(['aaa', 'bbb']);
  });
  it('take a complete plan along with the last of them, with its trees', async () => {
    for (const runId of ['aaa', 'bbb', 'ccc']) await run(runId);
    plan('complete', 'p1', ['aaa', 'bbb']);
    plan('complete', 'p2', ['ccc']);
    const trees = join(home.gitDir, 'refs/agentgate/plans');
    for (const planId of ['p1', 'p2']) keepTree(planId);
    expect((await rid({ keep: 2 })).pruned.planIds).toEqual([]);
    expect((await rid({ keep: 1 })).pruned.planIds).toEqual(['p1']);
    expect(readdirSync(join(home.dir, 'plans'))).toEqual(['p2']);
    expect(readdirSync(trees)).toEqual(['p2']);
    await run('ddd');
    // The newest plan stays, though all its runs go.
    expect((await rid({ keep: 1 })).pruned).toMatchObject({ runIds: ['ccc'], planIds: [] });
  });
  it('leave nothing behind of a plan whose removal was cut short', async () => {
    for (const runId of ['aaa', 'bbb']) await run(runId);
    plan('complete');
    keepTree('p1');
    rmSync(join(home.dir, 'plans', 'p1', 'log.jsonl'));
    await rid({ keep: 1 });
    expect(readdirSync(join(home.dir, 'plans'))).toEqual([]);
    expect(readdirSync(join(home.gitDir, 'refs/agentgate/plans'))).toEqual([]);
  });
  it('stay, and all others with them, while its log cannot be read', async () => {
    for (const runId of ['aaa', 'bbb', 'ccc']) await run(runId);
    plan('complete');
    const log = join(home.dir, 'plans', 'p1', 'log.jsonl');
    writeFileSync(log, readFileSync(log, 'utf8').replace('run-item', 'run-itch'));
    expect(await going()).toEqual([]);
  });
});
