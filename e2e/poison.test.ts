import { copyFileSync, existsSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { LoopEnd, StrategyContext } from '@agentgate/core';
import { listMarked, openAdvisor } from '@agentgate/runtime';
import { describe, expect, it } from 'vitest';
import { poisons } from './poison/table.ts';
import { agentgate, makePlace, outcomeOf } from './support/command.ts';

const fixture = (name: string) => fileURLToPath(new URL(`./poison/fixtures/${name}.mjs`, import.meta.url));

describe('a poisoned strategy that is asked', () => {
  it.each(poisons)('$name: answers within 5 s and leaves nobody behind', async ({ name, asked, says }) => {
    const root = realpathSync(mkdtempSync(join(tmpdir(), 'poison-')));
    copyFileSync(fixture(name), join(root, `${name}.mjs`));
    const marker = `poison-${root}`;
    const spec = {
      kind: 'custom',
      module: `${name}.mjs`,
      name: 'default',
      max: 10,
      timeout: 3_000,
      memoryMb: 128,
    } as const;
    const advisor = openAdvisor({ root, spec: { ...spec, config: {} }, runId: 'r1', marker });
    const fromMs = performance.now();
    const { answer } = await advisor.consult({ runId: 'r1', root, context, state: undefined });
    expect(performance.now() - fromMs).toBeLessThan(5_000);
    const got = answer.kind === 'advice' ? 'advice' : answer.fault.code;
    const text = answer.kind === 'advice' ? answer.reason : answer.fault.message;
    expect([got, text]).toEqual([asked, says === undefined ? text : expect.stringContaining(says)]);
    const endMs = performance.now();
    await advisor.end(ending);
    expect(performance.now() - endMs).toBeLessThan(5_000);
    expect(await listMarked(marker)).toEqual([]);
    expect([({} as Record<string, unknown>)['polluted'], existsSync(join(root, 'core'))]).toEqual([
      undefined,
      false,
    ]);
    rmSync(root, { recursive: true, force: true });
  });
});

describe.concurrent('a run with a poisoned strategy', () => {
  it.each(poisons)('$name: lives, ends, and converges only by its gates', async ({ name, asked }) => {
    const place = makePlace({ 'agentgate.yaml': specFor(name), 'work.txt': '0' });
    try {
      copyFileSync(fixture(name), join(place.workspace, 'poison.mjs'));
      const ended = await agentgate(place, 'run', '--json');
      const events = ended.stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as Event);
      expect(outcomeOf(ended), ended.stderr).toMatchObject({ kind: 'run.ended', status: 'diverged' });
      expect(ended.exit).toBe(1);
      expect(await listMarked(`agentgate-${String(outcomeOf(ended)['runId'])}`)).toEqual([]);
      const answers = events.filter((event) => event.kind === 'strategy.answered');
      expect(answers.length).toBeGreaterThan(0);
      const codes = answers.map(({ answer }) => (answer?.kind === 'advice' ? 'advice' : answer?.fault?.code));
      expect(codes[0]).toBe(asked);
      if (asked === 'advice') return;
      const decided = events
        .filter((event) => event.kind === 'decided')
        .map(({ decision }) => decision?.because.reason);
      expect(decided.join('\n')).toContain('hybrid decides for custom');
    } finally {
      place.remove();
    }
  });

  it('converges with any of them as soon as the hard gates are green', async () => {
    const place = makePlace({
      'agentgate.yaml': specFor('loops', 'echo 2 > work.txt; touch done'),
      'work.txt': '0',
    });
    try {
      copyFileSync(fixture('loops'), join(place.workspace, 'poison.mjs'));
      expect(outcomeOf(await agentgate(place, 'run', '--json'))).toMatchObject({
        status: 'converged',
        code: 'goal.met',
      });
    } finally {
      place.remove();
    }
  });
});

interface Event {
  kind: string;
  answer?: { kind: string; fault?: { code: string } };
  decision?: { because: { reason: string } };
}

/** An agent that changes something each time and never meets the gate. */
const specFor = (
  name: string,
  work = 'echo $AGENTGATE_ITERATION > work.txt',
): string => `task: survive ${name}
agent: { run: "${work}" }
gates:
  done: test -f done
strategy: { kind: custom, module: poison.mjs, max: 2, timeout: 1s, memoryMb: 64 }
`;

const context = {
  runId: 'r1',
  iteration: 1,
  index: 0,
  sinceStart: 1,
  granted: 0,
  limits: { iterations: 20, wallClock: 3_600_000, maxWait: 1_000 },
  elapsedMs: 1_000,
  tokens: null,
  costUsd: null,
  goalSatisfied: false,
  build: 'finished',
  history: [],
  bestScoreBefore: 0,
  tree: 't',
  gates: [],
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
