import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type Event,
  emptyState,
  fold,
  type Gate,
  parseSpec,
  type RunSpec,
  type Verdict,
} from '@agentgate/core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { judge as realJudge } from '../gates/index.ts';
import { openRunStore } from '../store/index.ts';
import { openWorkspace } from '../workspace/index.ts';
import { systemClock } from './clock.ts';
import { makeControl } from './control.ts';
import { drive } from './drive.ts';
import type { Ports } from './ports.ts';

let home: string;
let root: string;
beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'agentgate-judge-')));
  root = join(home, 'work');
  mkdirSync(join(root, 'docs'), { recursive: true });
  writeFileSync(join(root, 'docs', 'page.md'), 'page');
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

function specOf(fields: Record<string, unknown>): RunSpec {
  const parsed = parseSpec({ task: 'go', agent: ['true'], ...fields });
  if (parsed.kind === 'invalid') throw new Error(JSON.stringify(parsed.problems));
  return { ...parsed.spec, task: 'go' };
}

/** Drives a run whose agent writes `work.txt` and, in some iterations, the docs. */
async function run(spec: RunSpec, judge: Gate, docsAt: readonly number[] = []): Promise<Event[]> {
  const store = openRunStore(join(home, 'runs'));
  const workspace = await openWorkspace({ root, gitDir: join(home, 'git') });
  const ports: Ports = {
    store,
    workspace,
    judge,
    build: async ({ iteration }) => {
      writeFileSync(join(root, 'work.txt'), `turn ${iteration}`);
      if (docsAt.includes(iteration)) writeFileSync(join(root, 'docs', 'page.md'), `page ${iteration}`);
      return { end: { kind: 'finished' }, output: '', outputBytes: 0, tookMs: 1 };
    },
    clock: systemClock,
    advisor: null,
    notify: async () => [],
    deliver: async () => null,
    scratch: () => ({ path: home, remove: () => undefined }),
    keepFds: [],
  };
  const runId = store.newId();
  store.create(runId);
  const first = { runId, version: 't', root, nonce: 'n', spec, specHash: '', source: 't' };
  await store.append(runId, 0, [{ kind: 'run.started', ...first }]);
  await drive(runId, ports, makeControl());
  const events = [...(await store.read(runId))];
  await workspace.close();
  store.close();
  return events;
}

const verdictsOf = (events: Event[], gate: string) =>
  events.flatMap((one) =>
    one.kind === 'gate.judged' && one.gate === gate
      ? [`${one.iteration} ${one.cached ? 'again' : 'judged'} ${one.verdict.kind}`]
      : [],
  );
const red = (id: string): Verdict => ({ kind: 'failed', findings: [{ id, title: id }], excerpt: '' });

describe('a verdict is used again', () => {
  const spec = specOf({
    gates: { tests: 'x', docs: { run: 'y', inputs: ['docs'] } },
    limits: { iterations: 4 },
  });
  it('only while none of the declared inputs changed, and never at the end', async () => {
    let turn = 0;
    const judge: Gate = async ({ gate, run: { iteration } }) => {
      turn = iteration;
      const verdict =
        gate.name === 'docs' || turn === 4 ? ({ kind: 'passed' } as const) : red(`t${iteration}`);
      return { verdict, tookMs: 1, output: '' };
    };
    const events = await run(spec, judge, [2]);
    expect(verdictsOf(events, 'docs')).toEqual([
      '0 judged passed',
      '1 again passed',
      '2 judged passed',
      '3 again passed',
      '4 again passed',
      '4 judged passed',
    ]);
    expect(fold(events, emptyState()).ended?.status).toBe('converged');
  });
  it('never when its inputs match nothing that is kept', async () => {
    const none = specOf({
      gates: { tests: 'x', docs: { run: 'y', inputs: ['nowhere/**'] } },
      limits: { iterations: 2 },
    });
    const events = await run(none, async ({ gate, run: { iteration } }) => ({
      verdict: gate.name === 'docs' ? { kind: 'passed' } : red(`t${iteration}`),
      tookMs: 1,
      output: '',
    }));
    expect(verdictsOf(events, 'docs').some((one) => one.includes('again'))).toBe(false);
  });
});

describe('gates that may run beside each other', () => {
  it('do, and the others wait for their turn', async () => {
    let running = 0;
    const most: Record<string, number> = {};
    const together = new Map<string, () => void>();
    const judge: Gate = async ({ gate }) => {
      running += 1;
      most[gate.name] = Math.max(most[gate.name] ?? 0, running);
      if (gate.name !== 'alone') {
        // Each of the two ends only when the other has begun.
        await new Promise<void>((done) => {
          together.set(gate.name, done);
          if (together.size === 2) for (const release of together.values()) release();
        });
        most[gate.name] = Math.max(most[gate.name]!, running);
        together.delete(gate.name);
      }
      running -= 1;
      return { verdict: { kind: 'passed' }, tookMs: 1, output: '' };
    };
    const gates = { alone: 'a', one: { run: 'b', parallel: true }, two: { run: 'c', parallel: true } };
    const events = await run(specOf({ gates }), judge);
    expect(most['alone']).toBe(1);
    expect(Math.max(most['one']!, most['two']!)).toBe(2);
    expect(fold(events, emptyState()).ended?.status).toBe('converged');
  });
});

it('a failing gate with a generator of its own has the agent told what that prints', async () => {
  const gates = {
    tests: {
      run: 'echo "not ok 1 - sums"; exit 1',
      feedback: {
        run: 'node -e \'process.stdin.on("data", (d) => console.log("Mend " + JSON.parse(d).findings[0].title))\'',
      },
    },
  };
  const events = await run(specOf({ gates, limits: { iterations: 1 } }), realJudge);
  const judged = events.findLast((one) => one.kind === 'gate.judged');
  expect(judged).toMatchObject({ feedback: expect.stringContaining('Mend ') });
});
