import { join } from 'node:path';
import { type DeliverRequest, emptyState, newCurrent, parseSpec, type RunState } from '@agentgate/core';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { type Bed, makeBed } from '../workspace/testing.ts';
import { openDelivery } from './deliver.ts';

let bed: Bed;
beforeEach(() => {
  bed = makeBed();
  vi.stubEnv('HOME', join(bed.root, '..'));
  onTestFinished(() => void vi.unstubAllEnvs());
});

/** A run that changed one file, about to end. */
async function ending(
  deliver: unknown,
  end: Partial<DeliverRequest['ending']> = {},
): Promise<DeliverRequest> {
  bed.git('init', '-q', '-b', 'main');
  bed.write('a.txt', 'one\n');
  bed.git('add', '.');
  bed.git('commit', '-qm', 'one');
  const ws = await bed.open();
  const { tree: baseTree } = await ws.snapshot({ ref: 'runs/r1/0' });
  bed.write('a.txt', 'two\n');
  const { tree } = await ws.snapshot({ ref: 'runs/r1/1', baseTree });
  const parsed = parseSpec({ task: 'Mend it\nplease', agent: ['true'], gates: { tests: 'x' }, deliver });
  if (parsed.kind === 'invalid') throw new Error(JSON.stringify(parsed.problems));
  const current = { ...newCurrent(2), tree, verdicts: new Map([['tests', { kind: 'passed' as const }]]) };
  const spec = { ...parsed.spec, task: 'Mend it\nplease' };
  const state: RunState = {
    ...emptyState(),
    runId: 'r1',
    spec,
    baseTree,
    iteration: 2,
    current,
    costUsd: 0.5,
  };
  const because = {
    code: 'goal.met',
    reason: 'r',
    confidence: 1,
    evidence: {},
    action: 'complete' as const,
    also: [],
  };
  const decision = {
    kind: 'end-run' as const,
    status: 'converged' as const,
    caveats: [],
    goalSatisfied: true,
    because,
  };
  return { runId: 'r1', tree, ending: { ...decision, ...end }, state };
}

const delivered = (request: DeliverRequest) =>
  openDelivery({ root: bed.root, gitDir: bed.gitDir }, request.state.spec!).deliver(request);

describe('delivery by itself', () => {
  it('makes a branch with the receipt of the run', async () => {
    const request = await ending({ as: 'branch', commitPrefix: '[AgentGate]' });
    expect(await delivered(request)).toEqual({
      kind: 'delivered',
      as: 'branch',
      tree: request.tree,
      commit: bed.git('rev-parse', 'agentgate/r1').trim(),
      ref: 'refs/heads/agentgate/r1',
    });
    const message = bed.git('show', '-s', '--format=%B', 'agentgate/r1');
    expect(message).toContain('[AgentGate] Mend it\n\nGates on the judged tree:\n- tests: passed\n');
    expect(bed.git('show', '-s', '--format=%(trailers:only)', 'agentgate/r1').trim().split('\n')).toEqual([
      'AgentGate-Run: r1',
      'AgentGate-Outcome: converged (goal.met)',
      `AgentGate-Tree: ${request.tree}`,
      'AgentGate-Iterations: 2',
      'AgentGate-Time: 0ms',
      'AgentGate-Cost: $0.50',
    ]);
  });
  it('gives the same answer when it is asked again after a crash', async () => {
    const request = await ending('branch');
    expect(await delivered(request)).toEqual(await delivered(request));
  });
  it.each([
    ['none', {}],
    ['branch', { status: 'diverged' as const }],
    [{ as: 'branch', on: 'clean' }, { status: 'partial' as const }],
  ])('does nothing for %j when the run ends %j', async (deliver, end) => {
    expect(await delivered(await ending(deliver, end))).toBeNull();
    expect(bed.git('for-each-ref', '--format=%(refname)').trim()).toBe('refs/heads/main');
  });
  it('says why a good ending is not delivered', async () => {
    const request = await ending({ as: 'branch', on: 'clean' }, { caveats: ['soft gate lint still fails'] });
    expect((await delivered(request))?.problem).toMatch(/caveats; agentgate deliver r1/);
  });
  it('delivers any ending where that is wanted, and nothing where nothing changed', async () => {
    const request = await ending({ as: 'commit', on: 'any' }, { status: 'diverged' });
    expect((await delivered(request))?.ref).toMatch(/^refs\/agentgate\/delivered\/r1\//);
    expect(await delivered({ ...request, tree: request.state.baseTree! })).toBeNull();
  });
  it('tells a problem instead of throwing it', async () => {
    const request = await ending('branch');
    bed.git('branch', 'agentgate');
    const told = await delivered(request);
    expect(told).toMatchObject({
      kind: 'delivered',
      as: 'branch',
      problem: expect.stringContaining('cannot make'),
    });
    expect(told).not.toHaveProperty('commit');
    expect((await delivered({ ...request, tree: 'f'.repeat(40) }))?.problem).toMatch(/git/);
  });
});
