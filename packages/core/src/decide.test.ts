import { describe, expect, it } from 'vitest';
import type { RunState } from './state.ts';
import type { Verdict } from './verdict.ts';
import { failed, green, play, red, specOf, type Turn, type World } from './testing/play.ts';

/** A world in which the failures depend on the iteration alone and the tree is new each time. */
const story = (
  verdicts: (iteration: number) => Verdict,
  turn: (iteration: number) => Turn = (n) => ({ tree: `t${n}` }),
): World => ({
  turn,
  judge: (_gate, _tree, iteration) => verdicts(iteration),
});
/** The same verdict with a file that cannot load beside it. */
const withLoad = (verdict: Verdict, file: string): Verdict =>
  verdict.kind === 'failed'
    ? { ...verdict, findings: [...verdict.findings, { id: file, title: file, file, load: true }] }
    : verdict;
const tests = (n: number) => Array.from({ length: Math.max(0, n) }, (_, at) => `test ${at}`);
const byCount = (count: (iteration: number) => number) => (iteration: number) =>
  count(iteration) <= 0 ? green : failed(tests(count(iteration)));
const ending = (world: World, fields: Record<string, unknown> = {}) => {
  const { state } = play(specOf({ stuck: 'off', ...fields }), world);
  return `${state.ended?.status} ${state.ended?.code} after ${state.ended?.iterations}`;
};

describe('no honest work is killed, with unconfigured defaults', () => {
  const honest: Record<string, World> = {
    'one finding fixed per iteration': story(byCount((n) => 20 - n)),
    'plateaus while tree and failures keep changing': story((n) => {
      const step = Math.floor(n / 4);
      return step >= 6 ? green : failed([...tests(6 - step), `wandering ${n}`]);
    }),
    'a single binary gate that turns green late': story((n) => (n < 30 ? red() : green)),
    'a single binary gate with the same words each time': story((n) => (n < 30 ? red('same') : green)),
    'a suite of one test that turns green late': story((n) =>
      n < 30 ? failed(['only'], { passed: 0, text: 'same' }) : green,
    ),
    'failures unmasked one after the other': story((n) =>
      n > 20 ? green : n % 2 === 1 ? failed([`syntax ${n}`], { load: true }) : failed(tests(n), {}),
    ),
    'each failure hides the next': story((n) =>
      n > 25 ? green : failed([`step ${n}`], { text: `step ${n}` }),
    ),
    'more failures in sight with every file that loads': story((n) =>
      n > 8 ? green : withLoad(failed(tests(n * 3 + 1)), `file ${n} cannot load`),
    ),
  };
  for (const [name, world] of Object.entries(honest)) {
    it(`hybrid: ${name}`, () => expect(ending(world)).toMatch(/^converged goal\.met/));
    it(`ralph: ${name}`, () =>
      expect(ending(world, { strategy: { kind: 'ralph', max: 60 } })).toMatch(/^converged goal\.met/));
  }
});

describe('seen and stopped, with the exact reason', () => {
  const cycle = (...trees: string[]): World =>
    story(
      () => red(),
      (n) => ({ tree: trees[(n - 1) % trees.length]! }),
    );
  const rows: [string, World, string][] = [
    [
      'no change at all',
      story(
        () => failed(tests(3)),
        () => ({}),
      ),
      'diverged no-progress.no-changes after 2',
    ],
    [
      'the same tree again',
      story(
        () => failed(tests(3)),
        () => ({ tree: 'same' }),
      ),
      'diverged loop.snapshot-repeat after 3',
    ],
    ['A-B-A-B', cycle('A', 'B'), 'diverged loop.oscillation after 4'],
    ['A-B-C-A-B-C', cycle('A', 'B', 'C'), 'diverged loop.oscillation after 6'],
    ['A-B-C-D-A-B-C-D', cycle('A', 'B', 'C', 'D'), 'diverged loop.oscillation after 8'],
    [
      'failures that go round while the trees are new',
      story((n) => failed([n % 2 === 0 ? 'a' : 'b', 'c'])),
      'diverged loop.oscillation after 4',
    ],
    [
      'the same failures under cosmetic edits',
      story(
        () => failed(tests(3)),
        (n) => ({ tree: `t${n}`, substance: 'one' }),
      ),
      'diverged loop.failure-set-repeat after 3',
    ],
    [
      'the same failures in the same words',
      story(() => failed(tests(3), { text: 'x' })),
      'diverged loop.failure-set-repeat after 3',
    ],
    [
      'the same failures while the tree changes in substance',
      story((n) => failed(tests(3), { text: `words ${n}` })),
      'diverged loop.failure-set-repeat after 5',
    ],
    [
      'cosmetic edits under a binary gate',
      story(
        () => red(),
        (n) => ({ tree: `t${n}`, substance: 'one' }),
      ),
      'diverged loop.failure-set-repeat after 3',
    ],
    ['steady worsening', story((n) => failed(tests(2 + n))), 'diverged no-progress.divergence after 3'],
    [
      'near-identical outputs',
      story(
        (n) => failed(tests(3), { text: `w${n}` }),
        (n) => ({ tree: `t${n}`, similar: [0.97, 0.96] }),
      ),
      'diverged loop.output-similarity after 3',
    ],
    [
      'a claim without work',
      story(
        () => failed(tests(3)),
        () => ({ claim: true }),
      ),
      'diverged agent.false-claim after 3',
    ],
    [
      'giving up',
      story(
        () => failed(tests(3)),
        (n) => ({ tree: `t${n}`, giveUp: 'no compiler' }),
      ),
      'diverged agent.gave-up after 1',
    ],
  ];
  for (const [name, world, expected] of rows) it(name, () => expect(ending(world)).toBe(expected));
});

describe('the order of deciding', () => {
  it('counts a pass on the last allowed iteration as success', () => {
    expect(
      ending(
        story((n) => (n < 5 ? red() : green)),
        { limits: { iterations: 5 } },
      ),
    ).toBe('converged goal.met after 5');
  });
  it('lets a stop win over a goal that is met, and says that it was met', () => {
    const world = story((n) => (n < 2 ? red() : green));
    const judged = {
      ...world,
      stops: (n: number, { current }: RunState) => n === 2 && current?.verdicts.size === 1,
    };
    const first = play(specOf(), judged);
    expect(first.state.ended).toMatchObject({ status: 'stopped', code: 'user.stop', goalSatisfied: true });
    // Going on from there judges once more and needs no further iteration.
    const second = play(specOf(), world, first.events, 'r2');
    expect(second.state.ended).toMatchObject({ status: 'converged', code: 'goal.met', iterations: 2 });
    expect(second.decisions.map((one) => one.kind)).toEqual(['judge', 'confirm', 'end-run']);
  });
  it('records every other condition that also held', () => {
    const { decisions } = play(
      specOf({ limits: { iterations: 3 } }),
      story(
        () => failed(tests(3)),
        () => ({ tree: 'same' }),
      ),
    );
    const last = decisions.at(-1)!;
    expect(last.because.code).toBe('loop.snapshot-repeat');
    expect(last.because.also.map((one) => one.code)).toEqual(
      expect.arrayContaining(['no-progress.no-changes', 'limit.iterations']),
    );
  });
  it('stops at a hard gate whose rule is to stop', () => {
    expect(
      ending(
        story(() => red()),
        { gates: { tests: { run: 'x', onFailure: 'stop' } } },
      ),
    ).toBe('diverged gate.stop after 1');
  });
  it('stops when a gate has used its attempts', () => {
    expect(
      ending(
        story(() => red()),
        { gates: { tests: { run: 'x', maxAttempts: 2 } } },
      ),
    ).toBe('diverged gate.attempts after 2');
  });
  it('ends with caveats when only soft gates fail at a limit', () => {
    const world: World = {
      turn: (n) => ({ tree: `t${n}` }),
      judge: (gate, _t, n) => (gate === 'tests' && n > 0 ? green : failed(tests(2))),
    };
    const { state } = play(
      specOf({ gates: { tests: 'x', lint: { run: 'y', severity: 'soft' } }, limits: { iterations: 2 } }),
      world,
    );
    expect(state.ended).toMatchObject({
      status: 'converged',
      code: 'goal.hard-only',
      caveats: ['soft gate lint still fails (2)'],
    });
  });
  it('never converges on soft gates that fail, and calls a claim unverified', () => {
    const gates = { lint: { run: 'y', severity: 'soft' } };
    expect(
      ending(
        story(() => failed(tests(2))),
        { gates, limits: { iterations: 2 } },
      ),
    ).toBe('diverged limit.iterations after 2');
    expect(
      ending(
        story(
          () => failed(tests(2)),
          (n) => ({ tree: `t${n}`, claim: true }),
        ),
        { gates },
      ),
    ).toBe('stopped agent.unverified-claim after 1');
  });
});

describe('limits', () => {
  const busy = story(
    (n) => failed(tests(200 - n)),
    (n) => ({ tree: `t${n}`, tokens: 100, costUsd: 0.5, tookMs: 1000 }),
  );
  it.each([
    [{ iterations: 7 }, 'diverged limit.iterations after 7'],
    [{ wallClock: '5s' }, 'diverged limit.wall-clock after 5'],
    [{ tokens: 400 }, 'diverged limit.tokens after 4'],
    [{ cost: '2usd' }, 'diverged limit.cost after 4'],
  ])('%j binds', (limits, expected) => expect(ending(busy, { limits })).toBe(expected));
  it('counts failed builds', () => {
    const crash = story(
      () => red(),
      () => ({ end: { kind: 'failed', detail: 'it exited with 1' } }),
    );
    expect(ending(crash, { limits: { iterations: 2 } })).toBe('diverged limit.iterations after 2');
    expect(ending(crash)).toBe('diverged strategy.agent-fails after 5');
    expect(ending(crash, { strategy: 'ralph' })).toBe('diverged strategy.agent-fails after 5');
  });
  it('binds across linked runs: counts go on, and only a grant adds', () => {
    const spec = specOf({ limits: { iterations: 6 } });
    const first = play(spec, { ...busy, stops: (n) => n === 4 });
    expect(first.state.ended).toMatchObject({ status: 'stopped', iterations: 4 });
    const second = play(spec, busy, first.events, 'r2');
    expect(second.state.ended).toMatchObject({ code: 'limit.iterations', iterations: 6 });
    expect(second.decisions.filter((one) => one.kind === 'start-iteration')).toHaveLength(2);
    expect(second.decisions.some((one) => one.kind === 'measure-baseline')).toBe(false);
  });
});

const exitsWith3 = { kind: 'failed', detail: 'it exited with 3', exitCode: 3 } as const;

describe('judging', () => {
  it('looks at the work of a failed build before the run ends', () => {
    const world = story(
      (n) => (n === 0 ? red() : green),
      (n) => ({ tree: `t${n}`, end: exitsWith3 }),
    );
    const { state, decisions } = play(specOf({ limits: { iterations: 1 } }), world);
    expect(state.ended).toMatchObject({ status: 'converged', code: 'goal.met', iterations: 1 });
    expect(decisions.filter((one) => one.kind === 'judge')).toHaveLength(1);
    expect(state.ended?.caveats).toContain('the agent itself reported a failure in its last build');
  });
  it('judges an agent that fails every time like any other from its second build on', () => {
    const world = story(
      byCount((n) => 12 - n),
      (n) => ({ tree: `t${n}`, end: exitsWith3 }),
    );
    expect(play(specOf(), world).state.ended).toMatchObject({ status: 'converged', iterations: 12 });
    expect(play(specOf({ strategy: { kind: 'ralph', max: 40 } }), world).state.ended).toMatchObject({
      status: 'converged',
      iterations: 12,
    });
    const idle = story(
      () => red(),
      () => ({ end: exitsWith3 }),
    );
    expect(play(specOf(), idle).decisions.some((one) => one.kind === 'judge')).toBe(false);
  });
  it('judges again when the tree moved while the gates ran', () => {
    const world: World = {
      ...story((n) => (n === 0 ? red() : green)),
      movedTo: (tree, attempt) => (attempt === 1 ? `${tree}+edit` : undefined),
    };
    const { state, decisions } = play(specOf(), world);
    expect(decisions.filter((one) => one.kind === 'judge').map((one) => one.tree)).toEqual(['t1', 't1+edit']);
    expect(state.ended).toMatchObject({ status: 'converged', tree: 't1+edit' });
  });
  it('refuses to converge on a tree that never rests', () => {
    const world: World = {
      ...story((n) => (n === 0 ? red() : green)),
      movedTo: (tree, attempt) => `${tree}+${attempt}`,
    };
    expect(ending(world)).toBe('error error.tree-moves after 1');
  });
  it('waits for a pending gate without spending an iteration, then suspends', () => {
    let asked = 0;
    const pending: Verdict = { kind: 'pending', retryAfterMs: 30_000 };
    const once: World = story((n) => (n === 0 ? red() : asked++ < 2 ? pending : green));
    const { state, decisions } = play(specOf(), once);
    expect(state.ended).toMatchObject({ status: 'converged', iterations: 1 });
    expect(decisions.filter((one) => one.kind === 'wait')).toHaveLength(2);
    expect(ending(story((n) => (n === 0 ? red() : pending)))).toBe('suspended awaiting-gate after 1');
  });
  it('reports a gate that cannot run before the agent is started', () => {
    const unable: Verdict = {
      kind: 'unable',
      fault: { code: 'gate.missing', message: 'vitest was not found', retry: 'never' },
    };
    expect(ending(story(() => unable))).toBe('error error.gate after 0');
    expect(ending(story((n) => (n === 0 ? red() : unable)))).toBe('error error.gate after 2');
  });
  it('asks only for what is new where the baseline was red', () => {
    const gates = { types: { run: 'tsc', baseline: 'no-new' } };
    const world = story((n) => (n === 1 ? failed(['old', 'new']) : failed(['old'])));
    const { state } = play(specOf({ gates }), world);
    expect(state.ended).toMatchObject({ status: 'converged', iterations: 2 });
    expect(state.ended?.caveats).toContain('gate types: 1 findings from before the run remain');
  });
  it('runs the agent although every gate was green before, and says what that proves', () => {
    const { state } = play(
      specOf(),
      story(() => green),
    );
    expect(state.ended).toMatchObject({ status: 'converged', iterations: 1 });
    expect(state.ended?.caveats).toContain(
      'every gate was green before the agent began, so the gates say nothing about this task',
    );
  });
});

describe('what cannot be seen is neither fixed nor broken', () => {
  const many = tests(10);
  const fixedIn = (world: World, fields: Record<string, unknown> = {}) =>
    play(specOf(fields), world).state.history.map((one) => one.fixed);
  it('does not take a build that cannot load for progress', () => {
    const world = story((n) => (n === 0 ? failed(many) : failed(['syntax'], { load: true })));
    expect(fixedIn(world).every((fixed) => fixed === 0)).toBe(true);
    expect(ending(world)).toMatch(/^diverged .* after [3-5]$/);
    const numbers = { strategy: { kind: 'hybrid', base: 1, bonus: 2 } };
    expect(ending(world, numbers)).toBe('diverged strategy.no-progress after 1');
  });
  it('lets work go on to its end after a build that could not load for a while', () => {
    const world = story((n) => {
      if (n === 0) return failed(many);
      if (n <= 2) return failed(['syntax'], { load: true });
      return n >= 12 ? green : failed(tests(12 - n));
    });
    expect(ending(world)).toBe('converged goal.met after 12');
  });
  it('does not take a crash or an exit code for ten repairs', () => {
    const crash: Verdict = {
      kind: 'failed',
      findings: [{ id: 'crash:SIGSEGV', title: 'x', synthetic: true }],
      excerpt: '',
    };
    expect(fixedIn(story((n) => (n === 0 ? failed(many) : crash)))[0]).toBe(0);
    expect(fixedIn(story((n) => (n === 0 ? failed(many) : red())))[0]).toBe(0);
    expect(
      fixedIn(story((n) => (n === 0 ? failed(many) : { kind: 'timed-out', afterMs: 1, excerpt: '' })))[0],
    ).toBe(0);
  });
  it('counts a repair in one file while another cannot load', () => {
    const load = (file: string) => ({ id: `test:${file}`, title: file, file, load: true as const });
    const verdict = (ids: string[]): Verdict => ({
      kind: 'failed',
      findings: [
        load('b.test.js'),
        ...ids.map((id) => ({ id: `test:a.test.js > ${id}`, title: id, file: 'a.test.js' })),
      ],
      excerpt: '',
    });
    const world = story((n) => (n > 8 ? green : verdict(tests(9 - n))));
    expect(ending(world)).toBe('converged goal.met after 9');
  });
  it('does not excuse what hides other failures as an old finding', () => {
    const gates = { types: { run: 'tsc', baseline: 'no-new' } };
    const world = story(() => failed(['syntax'], { load: true }));
    expect(ending(world, { gates, limits: { iterations: 2 } })).toBe('diverged limit.iterations after 2');
  });
  it('does not call a tree that shows less the best one', () => {
    const { state } = play(
      specOf({ limits: { iterations: 2 } }),
      story((n) => (n < 2 ? failed(tests(3)) : { kind: 'timed-out', afterMs: 1, excerpt: '' })),
    );
    expect(state.ended?.best?.iteration).toBe(1);
  });
  it('knows nothing of gates that a stop left out', () => {
    const skipped: Verdict = { kind: 'skipped', why: 'the run was stopped' };
    const world = story((n) => (n === 0 ? failed(tests(3)) : skipped));
    const stops = (n: number, { current }: RunState) => n === 1 && current?.verdicts.size === 1;
    const first = play(specOf(), { ...world, stops });
    expect(first.state.history.at(-1)).toMatchObject({ judged: false, fixed: 0 });
    expect(first.state.ended?.best?.iteration).toBe(0);
  });
});

describe('soft gates never stand in the way', () => {
  const gates = { tests: 'x', lint: { run: 'y', severity: 'soft' } };
  const world = (soft: Verdict, late = 1): World => ({
    turn: (n) => ({ tree: `t${n}` }),
    judge: (gate, _tree, n) =>
      gate === 'lint' ? (n === 0 ? red() : soft) : n >= late ? green : red(`words ${n}`),
  });
  const unable: Verdict = { kind: 'unable', fault: { code: 'x', message: 'x', retry: 'never' } };
  it('ends with a caveat where one cannot run or is never ready', () => {
    expect(ending(world(unable), { gates })).toMatch(/^converged goal\.hard-only/);
    expect(ending(world({ kind: 'pending', retryAfterMs: 0 }), { gates, limits: { maxWait: '5s' } })).toMatch(
      /^converged goal\.hard-only after 1/,
    );
  });
  it('leaves a late binary gate alone although lint is red', () => {
    expect(ending(world(failed(tests(4), { text: 'same' }), 12), { gates })).toBe(
      'converged goal.hard-only after 14',
    );
  });
});

describe('going on', () => {
  const still: World = story((n) => failed(tests(30 - n)));
  it.each([['fixed'], [{ kind: 'ralph', max: 3 }], [{ kind: 'hybrid', base: 2, bonus: 1 }]])(
    'raises no cap by itself: %j',
    (strategy) => {
      const first = play(specOf({ strategy }), still);
      expect(first.state.ended).toMatchObject({ code: 'limit.iterations', iterations: 3 });
      expect(play(specOf({ strategy }), still, first.events, 'r2').state.ended).toMatchObject({
        code: 'limit.iterations',
        iterations: 3,
      });
    },
  );
  it('does not blame the agent for builds that we cut short', () => {
    const cut = story(
      () => failed(tests(3)),
      (n) => (n <= 2 ? { end: { kind: 'interrupted' } } : { tree: `t${n}` }),
    );
    expect(ending(cut)).not.toMatch(/no-changes/);
  });
  it('ends a gate that asks to be asked again at once', () => {
    const pending: Verdict = { kind: 'pending', retryAfterMs: 0 };
    expect(
      ending(
        story((n) => (n === 0 ? red() : pending)),
        { limits: { maxWait: '10s' } },
      ),
    ).toBe('suspended awaiting-gate after 1');
  });
});

describe('details', () => {
  it('still counts an exit code that was red before, under no-new', () => {
    const gates = { build: { run: 'make', baseline: 'no-new' } };
    expect(
      ending(
        story(() => red()),
        { gates, limits: { iterations: 2 } },
      ),
    ).toBe('diverged limit.iterations after 2');
  });
  it('lets no soft gate stop the run by its own rule', () => {
    const gates = { tests: 'x', lint: { run: 'y', severity: 'soft', onFailure: 'stop', maxAttempts: 1 } };
    const world: World = {
      turn: (n) => ({ tree: `t${n}` }),
      judge: (gate, _t, n) => (gate === 'tests' && n > 2 ? green : failed(tests(9 - n))),
    };
    expect(play(specOf({ gates }), world).state.ended?.code).not.toMatch(/^gate\./);
  });
  it('keeps the time of each iteration apart', () => {
    const { state } = play(
      specOf({ limits: { iterations: 3 } }),
      story(
        byCount((n) => 9 - n),
        (n) => ({ tree: `t${n}`, tookMs: n * 100 }),
      ),
    );
    expect(state.history.map((one) => one.tookMs)).toEqual([110, 210, 310]);
  });
  it('does not take another exit code for a repair', () => {
    const code = (id: string): Verdict => ({
      kind: 'failed',
      findings: [{ id, title: id, synthetic: true }],
      excerpt: '',
    });
    const { state } = play(
      specOf({ limits: { iterations: 2 } }),
      story((n) => code(`exit:${n + 1}`)),
    );
    expect(state.history.map((one) => one.fixed)).toEqual([0, 0]);
  });
  it('leaves two late binary gates alone', () => {
    const world: World = {
      turn: (n) => ({ tree: `t${n}` }),
      judge: (gate, _t, n) => (n >= (gate === 'a' ? 15 : 14) ? green : red()),
    };
    expect(ending(world, { gates: { a: 'x', b: 'y' } })).toBe('converged goal.met after 15');
    expect(ending(world, { gates: { a: 'x', b: 'y' }, strategy: { kind: 'ralph', max: 40 } })).toBe(
      'converged goal.met after 15',
    );
  });
  it('does not chase a soft binary gate once the hard ones are met', () => {
    const gates = { tests: 'x', s: { run: 'y', severity: 'soft' } };
    const world: World = {
      turn: (n) => ({ tree: `t${n}` }),
      judge: (gate, _t, n) => (gate === 'tests' && n > 0 ? green : red()),
    };
    expect(ending(world, { gates })).toMatch(/^converged goal\.hard-only after [1-5]$/);
  });
  it('measures the baseline anew when a run that could not be judged goes on', () => {
    const unable: Verdict = { kind: 'unable', fault: { code: 'gate.missing', message: 'x', retry: 'never' } };
    const first = play(
      specOf(),
      story(() => unable),
    );
    expect(first.state.ended).toMatchObject({ code: 'error.gate', iterations: 0 });
    expect(
      play(
        specOf(),
        story((n) => (n === 0 ? red() : green)),
        first.events,
        'r2',
      ).state.ended,
    ).toMatchObject({ code: 'goal.met', iterations: 1 });
  });
});

describe('progress', () => {
  const kinds = (verdicts: Verdict[]) =>
    play(
      specOf({ limits: { iterations: verdicts.length - 1 }, detectors: { enabled: false } }),
      story((n) => verdicts[n]!),
    ).state.history.map((one) => one.progress);
  it('is a higher score although the same test fails', () => {
    expect(
      kinds([
        failed(['a'], { passed: 3 }),
        failed(['a'], { passed: 9 }),
        failed(['a'], { passed: 9, text: 'x' }),
      ]),
    ).toEqual(['score', null]);
  });
  it('is what a load failure hid, even when that failure was mended once before', () => {
    const load = failed(['load'], { load: true });
    expect(kinds([load, failed(['a', 'b']), load, failed(['a', 'b', 'c'])])).toEqual([
      'fixed',
      null,
      'unmasked',
    ]);
  });
  it('is counted once for each finding', () => {
    expect(kinds([failed(['a', 'b']), failed(['b']), failed(['a', 'b']), failed(['b'])])).toEqual([
      'fixed',
      null,
      null,
    ]);
  });
});

describe('a person who goes on', () => {
  const idle = story(
    () => failed(tests(3)),
    () => ({}),
  );
  it('lets the detectors begin anew', () => {
    const first = play(specOf({ stuck: 'off' }), idle);
    expect(first.state.ended).toMatchObject({ code: 'no-progress.no-changes', iterations: 2 });
    expect(play(specOf({ stuck: 'off' }), idle, first.events, 'r2').state.ended).toMatchObject({
      code: 'no-progress.no-changes',
      iterations: 4,
    });
  });
  it('moves the cap of a strategy by exactly what was granted', () => {
    const moving = story(byCount((n) => 50 - n));
    const first = play(specOf({ strategy: 'fixed' }), moving);
    const more = play(specOf({ strategy: 'fixed' }), moving, first.events, 'r2', { iterations: 2 });
    expect(more.state.ended).toMatchObject({ code: 'limit.iterations', iterations: 5 });
  });
  it('keeps what is left of a grant when the run is stopped in between', () => {
    const moving = story(byCount((n) => 50 - n));
    const first = play(specOf({ strategy: 'fixed' }), moving);
    const second = play(
      specOf({ strategy: 'fixed' }),
      { ...moving, stops: (n) => n === 4 },
      first.events,
      'r2',
      { iterations: 3 },
    );
    expect(second.state.ended).toMatchObject({ status: 'stopped', iterations: 4 });
    expect(play(specOf({ strategy: 'fixed' }), moving, second.events, 'r3').state.ended).toMatchObject({
      code: 'limit.iterations',
      iterations: 6,
    });
  });
});

describe('an agent that stumbles', () => {
  const stumbling = story(
    (n) => (n >= 6 ? green : failed(tests(9 - n))),
    (n) => (n >= 2 && n <= 4 ? { end: { kind: 'failed', detail: '429' } } : { tree: `t${n}` }),
  );
  it('is tried again after growing pauses, which cost no iteration', () => {
    const { state, decisions } = play(specOf(), stumbling);
    expect(state.ended).toMatchObject({ status: 'converged', iterations: 6 });
    expect(decisions.flatMap((one) => (one.kind === 'wait' ? [one.forMs] : []))).toEqual([1000, 2000, 4000]);
  });
  it('has claimed nothing that soft gates could refute', () => {
    const gates = { tests: 'x', lint: { run: 'y', severity: 'soft' } };
    const world: World = {
      turn: () => ({ tree: 't', claim: true }),
      judge: (gate, _t, n) => (gate === 'tests' && n > 0 ? green : failed(tests(2))),
    };
    const { decisions } = play(specOf({ gates }), world);
    expect(decisions.at(-1)?.because.also.map((one) => one.code)).not.toContain('agent.false-claim');
  });
});

describe('renaming is not repairing', () => {
  const codes = (world: World, fields: Record<string, unknown> = {}) => ending(world, fields);
  it('sees through ever-new names while as many tests pass as before', () => {
    const churn = story((n) => failed(['a', 'b', `s${n}`], { passed: 1 }));
    expect(codes(churn)).toMatch(/^diverged strategy\.no-progress after [3-8]$/);
  });
  it('sees through ever-new and ever more complaints', () => {
    const worse = story((n) => failed(Array.from({ length: n + 2 }, (_, at) => `x${n}-${at}`)));
    expect(codes(worse)).toMatch(/^diverged .* after [3-8]$/);
  });
  it('still counts one complaint after another', () => {
    expect(codes(story((n) => (n > 20 ? green : failed([`e${n}`, 'rest']))))).toBe(
      'converged goal.met after 21',
    );
  });
});

it('says that a tree that was red before is green now', () => {
  const { state } = play(
    specOf(),
    story(
      (n) => (n < 2 ? red() : green),
      () => ({}),
    ),
  );
  expect(state.ended).toMatchObject({ status: 'converged' });
  expect(state.ended?.caveats).toContain('the same tree was red before, so a gate may be flaky');
});

it('judges a build that was done when a person stopped, instead of paying for another', () => {
  const skipped: Verdict = { kind: 'skipped', why: 'the run was stopped' };
  const stops = (n: number, { current }: RunState) => n === 1 && current?.verdicts.size === 1;
  const first = play(specOf(), { ...story((n) => (n === 0 ? red() : skipped)), stops });
  const second = play(
    specOf(),
    story((n) => (n === 0 ? red() : green)),
    first.events,
    'r2',
  );
  expect(second.state.ended).toMatchObject({ status: 'converged', iterations: 1 });
  expect(second.decisions.some((one) => one.kind === 'start-iteration')).toBe(false);
});
