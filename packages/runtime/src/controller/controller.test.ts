import { FaultError } from '@agentgate/core';
import { describe, expect, it } from 'vitest';
import type { BuildContext, Failure, Notice } from './context.ts';
import { createController } from './controller.ts';
import { aborted, fastClock, play, promised } from './testing.ts';
import type { ConvergenceSpec } from './read-spec.ts';

const fixed = (iterations: number, gates: NonNullable<ConvergenceSpec['gates']> = { tests: {} }) => ({
  strategy: 'fixed',
  config: { iterations },
  gates,
});
const faultCode = (error: unknown): string =>
  error instanceof FaultError ? error.fault.code : String(error);

describe('the order of a turn', () => {
  it('builds first, then takes the snapshot, checks the gates in their order, and feeds back', async () => {
    const { calls, result } = await play(fixed(2, [{ name: 'b' }, { name: 'a' }]));
    expect(calls).toEqual([
      'build 1',
      'snapshot 1',
      'gate b 1',
      'gate a 1',
      'feedback 1',
      'build 2',
      'snapshot 2',
      'gate b 2',
      'gate a 2',
    ]);
    expect(result).toMatchObject({
      status: 'diverged',
      iterations: 2,
      outcome: { code: 'limit.iterations' },
    });
  });
  it('converges when every gate passes, also in the last allowed iteration', async () => {
    const { result } = await play(fixed(2), {
      onGateCheck: (_, { iteration }) => ({ passed: iteration === 2 }),
    });
    expect(result).toMatchObject({
      status: 'converged',
      iterations: 2,
      reason: 'every gate passed: tests',
      gateResults: { tests: { passed: true, status: 'passed', iteration: 2 } },
      finalState: { snapshot: { hash: 'tree 2' } },
    });
  });
  it('takes no snapshot and asks no gate after a failed build, and goes on with feedback', async () => {
    const told: (readonly Failure[])[] = [];
    const { calls, result } = await play(fixed(3), {
      onBuild: ({ iteration, feedback }) =>
        iteration === 1 ? { success: false, error: 'no compiler' } : { success: feedback === 'mend it' },
      onFeedback: (failures) => (told.push(failures), 'mend it'),
      onGateCheck: () => ({ passed: true }),
    });
    expect(calls).toEqual(['build 1', 'feedback 1', 'build 2', 'snapshot 2', 'gate tests 2']);
    expect(told).toEqual([[{ source: 'build', gate: null, message: 'the build failed: no compiler' }]]);
    expect(result).toMatchObject({ status: 'converged', iterations: 2 });
  });
  it('ends at once at a failed gate whose rule is to stop, without asking the gates after it', async () => {
    const gates = [{ name: 'first', onFailure: { action: 'stop' } }, { name: 'second' }];
    const { calls, result } = await play(fixed(5, gates));
    expect(calls).toEqual(['build 1', 'snapshot 1', 'gate first 1']);
    expect(result).toMatchObject({
      status: 'diverged',
      outcome: { code: 'gate.stop' },
      gateResults: { first: { status: 'failed' }, second: { status: 'skipped' } },
    });
  });
  it('tells about a failed gate whose rule is to escalate, and carries on', async () => {
    const notices: Notice[] = [];
    const { result } = await play(fixed(2, [{ name: 'tests', onFailure: { action: 'escalate' } }]), {
      onNotify: (notice) => void notices.push(notice),
    });
    expect(result.iterations).toBe(2);
    expect(notices.map(({ about, gates }) => [about, ...gates])).toEqual([['escalation', 'tests'], ['end']]);
  });
  it('measures a baseline only where it is asked for or a gate compares with it', async () => {
    const { calls } = await play(fixed(1), {}, { baseline: true });
    expect(calls.slice(0, 4)).toEqual(['snapshot 0', 'gate tests 0', 'feedback 0', 'build 1']);
    const old = { message: 'was there before' };
    const { result } = await play(fixed(3, { tests: { baseline: 'no-new' } }), {
      onGateCheck: (_, { iteration }) => ({
        passed: false,
        failures: iteration === 2 ? [old] : [old, { message: `new ${iteration}` }],
      }),
    });
    expect(result).toMatchObject({ status: 'converged', iterations: 2 });
  });
});

describe('feedback', () => {
  it('gives the words of onFeedback to the next build, with those of the strategy, and keeps them', async () => {
    const feedback: string[] = [];
    const strategy = {
      decide: () => ({ continue: true, reason: 'on', feedback: 'the strategy says: smaller steps' }),
    };
    const refs: unknown[] = [];
    await play(
      { gates: { tests: {} }, limits: { iterations: 2 }, feedback: { maxChars: 500 } },
      {
        onBuild: (context) => (feedback.push(context.feedback), { success: true }),
        onFeedback: (failures) => `fix ${failures.map((one) => one.message).join()}`,
      },
      { strategy, onEvent: (event) => event.kind === 'agent.started' && refs.push(event.feedback) },
    );
    expect(feedback).toEqual(['', 'fix it fails\n\nthe strategy says: smaller steps']);
    expect(refs).toEqual([undefined, expect.stringMatching(/^[0-9a-f]{40}$/)]);
  });
  it('composes the words itself without onFeedback, and hands them to it to build upon', async () => {
    const seen: BuildContext[] = [];
    const run = (onFeedback?: Parameters<typeof play>[1]) =>
      play(fixed(2), { onBuild: (context) => (seen.push(context), { success: true }), ...onFeedback });
    await run({ onFeedback: () => null });
    expect(seen[1]!.feedback).toMatch(/Gate tests: 1 finding.*\n- it fails/);
    await run({ onFeedback: (_, { composed }) => `${composed}\nAnd hurry.` });
    expect(seen[3]!.feedback).toMatch(/it fails[\s\S]*And hurry\.$/);
    expect(seen[3]!.prompt).toContain('And hurry.');
  });
  it('keeps to the size that the spec allows', async () => {
    const lengths: number[] = [];
    await play(
      { ...fixed(2), feedback: { maxChars: 600 } },
      {
        onBuild: ({ feedback }) => (lengths.push(feedback.length), { success: true }),
        onFeedback: () => 'x'.repeat(5_000),
      },
    );
    expect(lengths).toEqual([0, 600]);
  });
  it('hands back the failures as the gate gave them', async () => {
    const told: (readonly Failure[])[] = [];
    const failure = { message: 'adds wrongly', file: 'a.js', line: 3, owner: 'ann' };
    await play(fixed(2), {
      onGateCheck: () => ({ passed: false, failures: [failure, 'plain words'] }),
      onFeedback: (failures) => void told.push(failures) as undefined,
    });
    expect(told).toEqual([
      [
        { ...failure, source: 'gate', gate: 'tests' },
        { message: 'plain words', source: 'gate', gate: 'tests' },
      ],
    ]);
  });
});

describe('limits', () => {
  it('builds exactly three times when every build fails and three are allowed', async () => {
    const { calls, result } = await play(
      { gates: { tests: {} }, limits: { maxIterations: 3 } },
      { onBuild: () => ({ success: false }) },
    );
    expect(calls.filter((one) => one.startsWith('build'))).toHaveLength(3);
    expect(calls.filter((one) => one.startsWith('gate'))).toEqual([]);
    expect(result).toMatchObject({
      status: 'diverged',
      iterations: 3,
      outcome: { code: 'limit.iterations' },
      gateResults: { tests: { status: 'not-run', iteration: null } },
    });
    expect(result.history.map((one) => one.build)).toEqual(['failed', 'failed', 'failed']);
  });
  it('stops failing builds at the wall clock, too', async () => {
    const clock = fastClock(1_000);
    const { result } = await play(
      { ...fixed(1000), limits: { maxIterations: 1000, maxWallClock: 60_000 } },
      { onBuild: async ({ signal }) => (await clock.sleep(10_000, signal), { success: false }) },
      { clock },
    );
    expect(result.outcome.code).toBe('limit.wall-clock');
    expect(result.iterations).toBeLessThan(10);
  });
  it('aborts a build in the middle at the wall clock, and counts what it told of its cost', async () => {
    const reasons: unknown[] = [];
    const { result, calls } = await play(
      { gates: { tests: {} }, limits: { wallClock: '1m' } },
      {
        onBuild: async ({ signal }) => {
          await aborted(signal);
          reasons.push(signal.reason);
          return { success: true, tokens: 7 };
        },
      },
    );
    expect(reasons).toEqual(['wall-clock']);
    expect(calls).toEqual(['build 1']);
    expect(result).toMatchObject({ status: 'diverged', outcome: { code: 'limit.wall-clock', tokens: 7 } });
  });
  it.each([
    ['tokens', { tokens: 250 }, { tokens: 100 }, 3],
    ['cost', { maxCost: '$1' }, { costUsd: 0.5 }, 2],
  ])('binds %s', async (_, limits, used, iterations) => {
    const { result } = await play({ ...fixed(9), limits }, { onBuild: () => ({ success: true, ...used }) });
    expect(result).toMatchObject({ status: 'diverged', iterations });
    expect(result.outcome.code).toMatch(/^limit\.(tokens|cost)$/);
  });
  it('gives a gate that hangs its time and no more', async () => {
    const { result } = await play(fixed(1, { slow: { timeout: '1s' } }), {
      onGateCheck: async (_, { signal }) => (await aborted(signal), { passed: true }),
    });
    expect(result).toMatchObject({
      status: 'diverged',
      gateResults: { slow: { passed: false, status: 'errored' } },
    });
  });
});

describe('what callbacks do wrong', () => {
  it.each([
    ['build', { onBuild: () => Promise.reject(new Error('boom')) }],
    [
      'snapshot',
      {
        onSnapshot: () => {
          throw new Error('boom');
        },
      },
    ],
    ['feedback', { onFeedback: () => Promise.reject(new Error('boom')) }],
  ])('ends as an error of its phase when the %s callback throws, with the cause', async (phase, context) => {
    const { result } = await play(fixed(3), context);
    const thrown = new Error('boom');
    expect(result).toMatchObject({
      status: 'error',
      outcome: { code: `error.${phase}` },
      error: { phase, cause: thrown },
    });
    expect(result.reason).toMatch(/^on\w+ threw.*iteration \d: boom/);
  });
  it('keeps the history and the gate results of before the error', async () => {
    const { result } = await play(fixed(5), {
      onBuild: ({ iteration }) => {
        if (iteration === 3) throw new Error('boom');
        return { success: true };
      },
    });
    expect(result).toMatchObject({ status: 'error', iterations: 3, error: { phase: 'build', iteration: 3 } });
    expect(result.history.map((one) => one.iteration)).toEqual([1, 2]);
    expect(result.gateResults['tests']).toMatchObject({ status: 'failed', iteration: 2 });
  });
  it('tells a gate that threw from one that failed: it is errored, and twice is an error of the run', async () => {
    const once = await play(fixed(2), {
      onGateCheck: (_, { iteration }) => {
        if (iteration === 1) throw new Error('no network');
        return { passed: true };
      },
    });
    expect(once.result).toMatchObject({ status: 'converged', iterations: 2 });
    const twice = await play(fixed(5), {
      onGateCheck: () => {
        throw new Error('no network');
      },
    });
    expect(twice.result).toMatchObject({
      status: 'error',
      iterations: 2,
      outcome: { code: 'error.gate' },
      gateResults: { tests: { passed: false, status: 'errored' } },
      error: { phase: 'gate', cause: new Error('no network') },
    });
  });
  it.each([
    ['nothing', undefined],
    ['a text', 'passed'],
    ['true', true],
    ['a group without passed', { failures: [] }],
    ['passed in words', { passed: 'yes' }],
  ])('takes %s for no pass', async (_, answer) => {
    const { result } = await play(fixed(1), { onGateCheck: () => answer as never });
    expect(result.gateResults['tests']).toMatchObject({ passed: false, status: 'errored' });
  });
  it.each([
    ['nothing', undefined],
    ['no success', { output: 'x' }],
    ['a cost that is no number', { success: true, costUsd: Number.NaN }],
    ['tokens below zero', { success: true, tokens: -5 }],
  ])('refuses a build that answers %s', async (_, answer) => {
    const { result } = await play(fixed(1), { onBuild: () => answer as never });
    expect(result).toMatchObject({ status: 'error', outcome: { code: 'error.build' } });
    expect(result.reason).toMatch(/^onBuild (answered|gave an answer)/);
  });
  it('calls again after an error that says when, and gives up after three', async () => {
    let calls = 0;
    const passing = () => Object.assign(new Error('rate limit'), { retryAfterMs: 1_000 });
    const mended = await play(fixed(1), {
      onBuild: () => {
        calls += 1;
        if (calls < 3) throw passing();
        return { success: true };
      },
      onGateCheck: () => ({ passed: true }),
    });
    expect([mended.result.status, mended.result.iterations, calls]).toEqual(['converged', 1, 3]);
    const { result, calls: all } = await play(fixed(1), {
      onBuild: () => {
        throw passing();
      },
    });
    expect([result.status, all.length]).toEqual(['error', 3]);
  });
  it('uses no iteration for a build that could not work just now', async () => {
    let tries = 0;
    const { result } = await play(fixed(1), {
      onBuild: () =>
        ++tries < 3 ? { success: false, error: 'usage limit', retryAfterMs: 60_000 } : { success: true },
      onGateCheck: () => ({ passed: true }),
    });
    expect([result.status, result.iterations, tries]).toEqual(['converged', 1, 3]);
  });
});

describe('stop', () => {
  it('aborts the build, resolves when the loop has ended, and is truthful about running', async () => {
    const controller = createController();
    await controller.initialize(fixed(3));
    const building = promised();
    const seen: unknown[] = [];
    expect(controller.isRunning).toBe(false);
    const run = controller.run({
      onBuild: async ({ signal }) => {
        building.resolve();
        await aborted(signal);
        seen.push(signal.reason, controller.isRunning);
        throw new Error('aborted');
      },
      onGateCheck: () => ({ passed: true }),
    });
    await building.promise;
    expect(controller.isRunning).toBe(true);
    await controller.stop('the window was closed');
    expect([controller.isRunning, ...seen]).toEqual([false, 'stop', true]);
    expect(await run).toMatchObject({
      status: 'stopped',
      iterations: 1,
      outcome: { code: 'user.stop' },
      reason: expect.stringContaining('the window was closed'),
    });
    expect(controller.getProgress().iteration).toBe(1);
    await controller.stop();
  });
  it('abandons a callback that ignores its signal after the grace, and says so', async () => {
    const clock = fastClock(100);
    const building = promised();
    const controller = createController({ clock });
    await controller.initialize(fixed(3));
    const run = controller.run({
      onBuild: () => {
        building.resolve();
        return new Promise(() => undefined);
      },
      onGateCheck: () => ({ passed: true }),
    });
    await building.promise;
    const fromMs = clock.monoMs();
    await controller.stop();
    expect(clock.monoMs() - fromMs).toBeGreaterThanOrEqual(3_500);
    const { status, warnings } = await run;
    expect(status).toBe('stopped');
    expect(warnings).toEqual([expect.stringMatching(/onBuild of iteration 1 did not settle within 5000 ms/)]);
  });
  it.each(['onSnapshot', 'onGateCheck', 'onFeedback'] as const)('cuts %s short', async (name) => {
    const controller = createController();
    await controller.initialize(fixed(3));
    const run = controller.run({
      onBuild: () => ({ success: true }),
      onGateCheck: () => ({ passed: false }),
      [name]: async (...given: unknown[]) => {
        const { signal } = given.at(-1) as { signal: AbortSignal };
        void controller.stop('enough');
        await aborted(signal);
      },
    });
    expect(await run).toMatchObject({ status: 'stopped', outcome: { code: 'user.stop' } });
  });
  it('ends a run that waits for a gate, and one that has not begun to build', async () => {
    const controller = createController();
    await controller.initialize(fixed(3));
    const waiting = controller.run({
      onBuild: () => ({ success: true }),
      onGateCheck: () => {
        setImmediate(() => void controller.stop());
        return { passed: false, pending: { retryAfterMs: 3_600_000 } };
      },
    });
    expect(await waiting).toMatchObject({ status: 'stopped', gateResults: { tests: { status: 'pending' } } });
    const early = controller.run({
      onBuild: () => ({ success: true }),
      onGateCheck: () => ({ passed: true }),
    });
    await controller.stop('never mind');
    expect(await early).toMatchObject({ status: 'stopped', iterations: 0 });
  });
  it('redirects: the build is cut short, and the next one is told the new words', async () => {
    const controller = createController();
    await controller.initialize(fixed(3));
    const prompts: string[] = [];
    const result = await controller.run({
      taskSpec: 'write it in C',
      onBuild: async ({ iteration, signal, prompt }) => {
        prompts.push(prompt);
        if (iteration > 1) return { success: true };
        controller.redirect('write it in Rust');
        await aborted(signal);
        return { success: true };
      },
      onGateCheck: () => ({ passed: true }),
    });
    expect(result).toMatchObject({ status: 'converged', iterations: 2 });
    expect(prompts[0]).toContain('write it in C');
    expect(prompts[1]).toContain('write it in Rust');
  });
});

describe('progress', () => {
  it('can be read before, during and after a run', async () => {
    const seen: unknown[] = [];
    const controller = createController({ clock: fastClock(1_000) });
    expect(controller.getProgress()).toMatchObject({
      iteration: 0,
      maxIterations: 0,
      gatesTotal: 0,
      trend: 'stagnant',
    });
    await controller.initialize({
      ...fixed(4, { a: {}, b: {} }),
      limits: { maxIterations: 9, maxWallClock: '10m' },
    });
    expect(controller.getProgress()).toMatchObject({
      iteration: 0,
      maxIterations: 4,
      maxWallClock: 600_000,
      gatesTotal: 2,
    });
    await controller.run({
      onBuild: ({ iteration }) => {
        const { trend, gatesPassed, estimatedRemaining } = controller.getProgress();
        seen.push([
          iteration,
          controller.getProgress().iteration,
          gatesPassed,
          trend,
          estimatedRemaining?.iterations,
        ]);
        return { success: true };
      },
      onGateCheck: (gate, { iteration }) => ({
        passed: gate.name === 'a' && iteration > 1,
        failures: Array.from({ length: 8 - 2 * iteration }, (_, at) => ({ message: `f${at}` })),
      }),
    });
    expect(seen).toEqual([
      [1, 1, 0, 'stagnant', undefined],
      [2, 2, 0, 'stagnant', undefined],
      [3, 3, 1, 'improving', expect.any(Number)],
      [4, 4, 1, 'improving', expect.any(Number)],
    ]);
    const after = controller.getProgress();
    expect(after).toMatchObject({ iteration: 4, gatesPassed: 1, trend: expect.any(String) });
    expect(after.estimatedRemaining).toBeUndefined();
  });
  it('counts the time of a build while it runs', async () => {
    const clock = fastClock(1_000);
    const controller = createController({ clock });
    await controller.initialize(fixed(1));
    const elapsed: number[] = [];
    await controller.run({
      onBuild: async ({ signal }) => {
        elapsed.push(controller.getProgress().elapsed);
        await clock.sleep(5_000, signal);
        elapsed.push(controller.getProgress().elapsed);
        return { success: true };
      },
      onGateCheck: () => ({ passed: true }),
    });
    expect(elapsed[1]! - elapsed[0]!).toBeGreaterThanOrEqual(3_500);
    expect(controller.getProgress().elapsed).toBeGreaterThanOrEqual(elapsed[1]!);
  });
});

describe('use', () => {
  const passing = { onBuild: () => ({ success: true }), onGateCheck: () => ({ passed: true }) };
  it('refuses to run before it is initialised, and twice at once', async () => {
    const controller = createController();
    await expect(controller.run(passing)).rejects.toThrow(/call initialize\(spec\) first/);
    await controller.initialize(fixed(1));
    const first = controller.run(passing);
    await expect(controller.run(passing)).rejects.toThrow(
      /cannot run a second time while a run is under way/,
    );
    await expect(controller.initialize(fixed(2))).rejects.toThrow(/cannot initialize while/);
    expect((await first).status).toBe('converged');
  });
  it('runs again with a fresh state', async () => {
    const controller = createController();
    await controller.initialize(fixed(2));
    const failing = { ...passing, runId: 'r1', onGateCheck: () => ({ passed: false }) };
    const [first, second] = [await controller.run(failing), await controller.run(failing)];
    expect([first.iterations, second.iterations]).toEqual([2, 2]);
    expect(second.history.map((one) => one.iteration)).toEqual([1, 2]);
  });
  it('shares nothing between two controllers', async () => {
    const run = async (iterations: number) => (await play(fixed(iterations), { runId: 'same' })).result;
    const results = await Promise.all([run(2), run(3)]);
    expect(results.map((one) => one.iterations)).toEqual([2, 3]);
  });
  it('says everything that is wrong with a context', async () => {
    const controller = createController();
    await controller.initialize(fixed(1));
    const wrong = { onSnapshot: 5, runId: '../up' } as never;
    await expect(controller.run(wrong)).rejects.toThrow(
      /onBuild: expected a function, found nothing; onGateCheck: .*; onSnapshot: expected a function, found number; runId: /,
    );
    await controller.run(wrong).catch((error: unknown) => expect(faultCode(error)).toBe('context.invalid'));
  });
  it('takes methods of a class, and the shorter names', async () => {
    class Work {
      done = false;
      async build() {
        this.done = true;
        return { success: true };
      }
      async gateCheck() {
        return { passed: this.done };
      }
    }
    const controller = createController();
    await controller.initialize(fixed(1));
    expect(await controller.run(new Work() as never)).toMatchObject({ status: 'converged' });
  });
});
