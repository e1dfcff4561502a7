import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Advisor, Consulted, LoopEnd, StrategyContext } from '@agentgate/core';
import { afterEach } from 'vitest';
import { type AdvisorRequest, openAdvisor } from './advisor.ts';

const roots: string[] = [];
const advisors: Advisor[] = [];

afterEach(async () => {
  await Promise.all(advisors.splice(0).map((advisor) => advisor.end(endingOf())));
  for (const root of roots.splice(0)) rmSync(root, { recursive: true, force: true });
});

/** A project with these files, gone after the test. */
export function makeProject(files: Record<string, string>): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'modules-')));
  roots.push(root);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return root;
}

/** An advisor for a module of a project, closed after the test. */
export function adviseBy(
  root: string,
  spec: Partial<AdvisorRequest['spec']> = {},
  rest: Partial<AdvisorRequest> = {},
): Advisor {
  const advisor = openAdvisor({
    root,
    runId: 'r1',
    marker: `module-test-${root}`,
    spec: {
      kind: 'custom',
      module: 'strategy.mjs',
      name: 'default',
      config: undefined,
      max: 10,
      timeout: 3_000,
      memoryMb: 256,
      ...spec,
    },
    ...rest,
  });
  advisors.push(advisor);
  return advisor;
}

export const consult = (advisor: Advisor, iteration = 1, state?: unknown): Promise<Consulted> =>
  advisor.consult({ runId: 'r1', root: '', context: contextOf(iteration), state });

/** What a consultation came to: the reason, or the code and the words of the fault. */
export function told({ answer }: Consulted): string {
  return answer.kind === 'advice' ? answer.reason : `${answer.fault.code}: ${answer.fault.message}`;
}

export function contextOf(iteration: number): StrategyContext {
  return {
    runId: 'r1',
    iteration,
    index: iteration - 1,
    granted: 0,
    limits: { iterations: 20, wallClock: 3_600_000, maxWait: 1_000 },
    elapsedMs: 1_000,
    build: 'finished',
    current: { tookMs: 1, tokens: null },
    history: [],
    gates: [],
    tree: 't',
    output: null,
  } as unknown as StrategyContext;
}

export const endingOf = (rest: Partial<LoopEnd> = {}): LoopEnd => ({
  runId: 'r1',
  totalIterations: 2,
  finalResult: 'strategy_stop',
  elapsedMs: 5,
  status: 'diverged',
  code: 'strategy.stop',
  ...rest,
});
