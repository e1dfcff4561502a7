import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FaultError, fault, fold, type LoopEnd, type NamedGate } from '@agentgate/core';
import { describe, expect, it } from 'vitest';
import { makeMemoryStore, openRunStore, type RunStore } from '../store/index.ts';
import { createController } from './controller.ts';
import { play } from './testing.ts';
import type { ConvergenceSpec } from './read-spec.ts';

const fixed = (iterations: number, gates: NonNullable<ConvergenceSpec['gates']> = { tests: {} }) => ({
  strategy: { kind: 'fixed', iterations },
  gates,
});

describe('gates', () => {
  it('are given to the callback with what the spec says about them', async () => {
    const gates: NamedGate[] = [];
    await play(fixed(1, [{ name: 'tests', severity: 'soft', check: 'npm test' }]), {
      onGateCheck: (gate) => (gates.push(gate), { passed: true }),
    });
    expect(gates).toMatchObject([{ name: 'tests', kind: 'command', run: 'npm test', severity: 'soft' }]);
  });
  it('score by their levels and by their tests', async () => {
    const levelResults = [
      { level: 'L0', passed: true },
      { level: 'L1', passed: true },
      { level: 'L2', passed: false },
      { level: 'L3' },
    ] as const;
    const { result } = await play(fixed(1, [{ name: 'a', type: 'verification-levels' }, { name: 'b' }]), {
      onGateCheck: ({ name }) =>
        name === 'a'
          ? { passed: false, levelResults: [...levelResults] }
          : { passed: false, failures: ['one', 'two'], tests: { passed: 6, failed: 2 } },
    });
    expect(result.progress.metrics?.byGate).toMatchObject({
      a: { currentLevel: 0.5 },
      b: { currentLevel: 0.75 },
    });
    expect(result.gateResults['a']).toMatchObject({ status: 'failed', levelResults });
  });
  it('are asked again while they are pending, without a further build', async () => {
    let asked = 0;
    const { calls, result } = await play(fixed(3), {
      onGateCheck: () => (++asked < 3 ? { passed: false, pending: true } : { passed: true }),
    });
    expect(calls.filter((one) => one.startsWith('build'))).toHaveLength(1);
    expect(result).toMatchObject({ status: 'converged', iterations: 1 });
  });
  it('that stay pending suspend the run, which shows as stopped', async () => {
    const { result } = await play(
      { ...fixed(3), limits: { maxWait: '1m' } },
      {
        onGateCheck: () => ({ passed: false, pending: { retryAfterMs: 20_000 } }),
      },
    );
    expect(result).toMatchObject({
      status: 'stopped',
      outcome: { status: 'suspended', code: 'awaiting-gate' },
    });
  });
  it('that only advise leave a caveat', async () => {
    const { result } = await play(fixed(2, [{ name: 'hard' }, { name: 'soft', severity: 'soft' }]), {
      onGateCheck: ({ name }) => ({ passed: name === 'hard' }),
    });
    expect(result).toMatchObject({
      status: 'converged',
      outcome: { code: 'goal.hard-only', caveats: ['soft gate soft still fails (1)'] },
    });
  });
});

describe('snapshots', () => {
  it('that repeat are seen, and those that nobody tells are never taken for repeated', async () => {
    const spec = { gates: { tests: {} }, stuck: 'off', limits: { iterations: 12 } };
    const same = await play(spec, { onSnapshot: () => 'abc' });
    expect(same.result).toMatchObject({ status: 'diverged', finalState: { snapshot: 'abc' } });
    expect(same.result.outcome.code).toMatch(/^(loop|no-progress)\./);
    expect(same.result.history[0]).toMatchObject({ snapshotHash: 'abc' });
    const untold = await play(
      { ...spec, detectors: { enabled: false, 'snapshot-repeat': true, 'no-changes': true } },
      {
        onSnapshot: () => null,
        onGateCheck: (_, { iteration }) => ({ passed: false, failures: [`f${iteration}`] }),
      },
    );
    expect(untold.result.outcome.code).not.toMatch(/snapshot-repeat|no-changes/);
    expect(untold.result.history[0]).not.toHaveProperty('snapshotHash');
    expect(untold.result.finalState.snapshot).toBeNull();
  });
  it('are taken once more before converging where that is asked for, and what moved is judged again', async () => {
    let tree = 1;
    const { calls, result } = await play(
      fixed(2),
      { onSnapshot: () => `tree ${tree}`, onGateCheck: () => ((tree = 2), { passed: true }) },
      { confirm: true },
    );
    expect(calls).toEqual([
      'build 1',
      'snapshot 1',
      'gate tests 1',
      'snapshot 1',
      'gate tests 1',
      'snapshot 1',
    ]);
    expect(result).toMatchObject({ status: 'converged', finalState: { snapshot: 'tree 2' } });
  });
  it('are brought back by onRestore when the run gets worse', async () => {
    const restored: string[] = [];
    const spec = {
      gates: { tests: {} },
      stuck: { moves: ['revert'], patience: 1 },
      limits: { iterations: 12 },
    };
    const failing = (iteration: number) => Array.from({ length: iteration * 2 }, (_, at) => `f${at}`);
    const { result } = await play(spec, {
      onGateCheck: (_, { iteration }) => ({
        passed: restored.length > 0,
        failures: failing(iteration),
      }),
      onRestore: (hash) => void restored.push(hash),
    });
    expect(restored).toEqual(['tree 1']);
    expect(result.status).toBe('converged');
    const without = await play(spec, {
      onGateCheck: (_, { iteration }) => ({ passed: false, failures: failing(iteration) }),
    });
    expect(without.result.outcome.code).toMatch(/^no-progress\.|^strategy\.|^loop\./);
  });
});

describe('the store', () => {
  it('in a directory holds a log that folds to the same ending', async () => {
    const dir = mkdtempSync(join(tmpdir(), 'agentgate-controller-'));
    try {
      const { result } = await play(fixed(2), { runId: 'r1', workOrderId: 'w1' }, { store: dir });
      const store = openRunStore(dir);
      const events = await store.read('r1');
      expect(fold(events).ended).toMatchObject({
        status: 'diverged',
        code: result.outcome.code,
        iterations: 2,
      });
      expect(events[0]).toMatchObject({ kind: 'run.started', source: 'work order w1' });
      store.close();
      await expect(play(fixed(1), { runId: 'r1' }, { store: dir })).rejects.toThrow(
        /there is a run r1 in this store already/,
      );
    } finally {
      rmSync(dir, { recursive: true, force: true });
    }
  });
  it('of the caller is used and left open', async () => {
    const store = makeMemoryStore();
    const { result } = await play(fixed(1), {}, { store });
    expect(store.list()).toEqual([result.runId]);
    expect((await store.read(result.runId)).at(-1)).toMatchObject({ kind: 'run.ended' });
  });
  it.each([
    ['can no longer be written', 'state.unwritable', 'error', 'error.store'],
    ['is full', 'state.full', 'stopped', 'suspended.disk-full'],
  ])('that %s in mid-run ends it, and the result says so', async (_, code, status, ending) => {
    const store = makeMemoryStore();
    const breaking: RunStore = {
      ...store,
      append: async (runId, afterSeq, bodies) => {
        if (afterSeq >= 12) throw new FaultError(fault(code, 'no room'));
        return store.append(runId, afterSeq, bodies);
      },
    };
    const ends: string[] = [];
    const strategy = {
      decide: () => ({ continue: true, reason: 'on' }),
      onLoopEnd: ({ finalResult }: LoopEnd) => void ends.push(finalResult),
    };
    const { result } = await play({ gates: { tests: {} } }, {}, { store: breaking, strategy });
    expect(result).toMatchObject({ status, reason: 'no room', outcome: { code: ending }, iterations: 1 });
    expect(ends).toEqual(['error']);
  });
  it('has every decision with its reason and code', async () => {
    const store = makeMemoryStore();
    const { result } = await play(fixed(2), {}, { store });
    const decided = (await store.read(result.runId)).flatMap((event) =>
      event.kind === 'decided' ? [event.decision.because] : [],
    );
    expect(decided.length).toBeGreaterThan(4);
    expect(decided.every(({ code, reason }) => code !== '' && reason !== '')).toBe(true);
  });
});

describe('events', () => {
  it('are told as they are recorded, and a listener that throws harms nobody', async () => {
    const kinds: string[] = [];
    const controller = createController({
      onEvent: ({ kind }) => {
        kinds.push(kind);
        if (kind === 'agent.started') throw new Error('oops');
      },
    });
    await controller.initialize(fixed(1));
    const result = await controller.run({
      onBuild: () => ({ success: true }),
      onGateCheck: () => ({ passed: true }),
    });
    expect([kinds.at(0), kinds.at(-1), result.status]).toEqual(['run.started', 'run.ended', 'converged']);
    expect(result.warnings).toEqual([expect.stringMatching(/^onEvent threw at event \d+: oops$/)]);
  });
});
