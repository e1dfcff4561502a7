import { mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { LoopEnd, StrategyContext } from '@agentgate/core';
import { openAdvisor } from '@agentgate/runtime';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { agentgate, makePlace, outcomeOf, type Place } from './support/command.ts';

const repository = fileURLToPath(new URL('..', import.meta.url));

/** Every block of the page that names a file: what a reader would copy. */
function readPage(): Record<string, string> {
  const page = readFileSync(join(repository, 'docs/custom.md'), 'utf8');
  return Object.fromEntries(
    [...page.matchAll(/```\w+ (\S+)\n([\s\S]*?)```/g)].map(([, file, text]) => [file!, text!]),
  );
}

let place: Place;
const files = readPage();

beforeAll(() => {
  place = makePlace({ ...files, 'src/short.js': '\n', 'src/long.js': '\n'.repeat(500) });
  const core = join(place.workspace, 'node_modules/@agentgate/core');
  mkdirSync(dirname(core), { recursive: true });
  symlinkSync(join(repository, 'packages/core'), core);
});
afterAll(() => place.remove());

describe('the examples of the page on custom modules', () => {
  it.each([
    { file: 'strategies/steady.mjs', name: 'default', reason: 'iteration 1: 3 failures' },
    { file: 'strategies/budget.mjs', name: 'Budget', reason: '1/10' },
    { file: 'strategies/half.mjs', name: 'default', reason: '0 % of the gates pass' },
    { file: 'strategies/climb.mjs', name: 'default', reason: 'from 0 % to 0 %' },
  ])('$file advises', async ({ file, name, reason }) => {
    const spec = {
      kind: 'custom',
      module: file,
      name,
      config: {},
      max: 10,
      timeout: 3_000,
      memoryMb: 256,
    } as const;
    const advisor = openAdvisor({ root: place.workspace, spec, runId: 'r1' });
    const { answer } = await advisor.consult({
      runId: 'r1',
      root: place.workspace,
      context,
      state: undefined,
    });
    await advisor.end(ending);
    expect(answer).toMatchObject({ kind: 'advice', reason });
  });

  it('gates/size.mjs judges', async () => {
    place.write({ 'size.yaml': `task: x\nagent: [a]\n${files['gates.yaml']}` });
    const { stdout, exit } = await agentgate(place, 'check', '--config', 'size.yaml', '--json');
    expect(exit).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      gate: 'size',
      verdict: {
        kind: 'failed',
        findings: [
          { id: 'size:long.js', title: 'src/long.js is longer than 400 lines', file: 'src/long.js' },
        ],
      },
    });
  });

  it('agentgate.yaml runs with it, the strategy ends the run, and the state goes from answer to answer', async () => {
    place.write({
      'agent.sh': '#!/bin/sh\necho $AGENTGATE_ITERATION > work.txt\n',
      'package.json': '{"scripts":{"test":"false"}}',
    });
    const ended = await agentgate(place, 'run', '--json');
    expect(outcomeOf(ended), ended.stderr).toMatchObject({
      status: 'diverged',
      code: expect.stringMatching(/^strategy\./),
      reason: expect.stringContaining('2 iterations without fewer failures'),
      iterations: 3,
    });
    const states = ended.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { kind: string; state?: unknown });
    expect(states.filter((one) => one.kind === 'strategy.answered').map((one) => one.state)).toEqual([
      0, 1, 2,
    ]);
  });
});

const context = {
  runId: 'r1',
  iteration: 1,
  index: 0,
  granted: 0,
  limits: { iterations: 20, wallClock: 3_600_000, maxWait: 1_000 },
  elapsedMs: 1_000,
  build: 'finished',
  current: { failures: 3, tookMs: 1, tokens: null },
  history: [],
  gates: [
    {
      name: 'tests',
      kind: 'command',
      severity: 'hard',
      verdict: 'failed',
      passed: false,
      level: 0,
      failures: ['a'],
      levels: [],
    },
  ],
  tree: 't',
  output: null,
} as unknown as StrategyContext;

const ending: LoopEnd = {
  runId: 'r1',
  totalIterations: 1,
  finalResult: 'strategy_stop',
  elapsedMs: 1,
  status: 'diverged',
  code: 'strategy.stop',
};
