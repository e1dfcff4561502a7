import { describe, expect, it } from 'vitest';
import type { Event } from '../event.ts';
import { failed, green, play, specOf, type World } from '../testing/play.ts';
import { makeDerived } from './derived.ts';
import { makeMarkdown, reportMarkdown } from './markdown.ts';
import { makeReceipt } from './receipt.ts';
import { makeReport, reportJson, tell } from './report.ts';
import { Story } from './story.ts';
import { emptyState } from '../state.ts';
import { evolve } from '../evolve.ts';

const gates = { tests: 'npm test', lint: { run: 'lint', severity: 'soft' } };
const mends: World = {
  turn: (iteration) => ({ tree: `t${iteration}`, tokens: 1000, costUsd: 0.25, claim: iteration === 1 }),
  judge: (gate, _tree, iteration) =>
    gate === 'lint'
      ? green
      : iteration === 0
        ? failed(['a', 'b'], { passed: 1 })
        : iteration === 1
          ? failed(['b', 'c'], { passed: 2 })
          : green,
};
const converged = () =>
  play(specOf({ gates, task: 'mend it\nand more', limits: { cost: '5usd' } }), mends).events;

const stuckSpec = (more = {}) =>
  specOf({ gates: { tests: 'x' }, strategy: 'hybrid', limits: { iterations: 30 }, ...more });
const stuck: World = { turn: (i) => ({ tree: `t${i % 2}` }), judge: () => failed(['a']) };

describe('the page', () => {
  it('tells outcome, gates by iteration, what was fixed, budget and what next', () => {
    const page = reportMarkdown(converged());
    expect(page).toContain('# AgentGate: converged');
    expect(page).toContain('> mend it\n');
    expect(page).toMatch(/\*\*✅ converged\*\*: .* \(`goal\.met`\)/);
    expect(page).toContain('| # | `tests` | `lint` (soft) | fixed | new | tree | then |');
    expect(page).toMatch(/^\| 0 \| ❌ 2 \(1\/3\) \| ✅ \|/m);
    expect(page).toMatch(/^\| 1 \| ❌ 2 \(2\/4\) \| ✅ \| 1 \| 1 \|.*claimed `DONE`/m);
    expect(page).toMatch(/^\| 2 \| ✅ \| ✅ \| 2 \| 0 \|/m);
    expect(page).toContain('**Fixed by the run: 2**\n\n- `tests: a`\n- `tests: b`');
    expect(page).toContain('| cost | $0.50 | $5.00 |');
    expect(page).toContain('- `agentgate deliver r1`');
  });
  it('tells the moves of the ladder with their effect, and what still fails', () => {
    const { events, state } = play(stuckSpec(), stuck);
    const page = reportMarkdown(events);
    expect(state.ended?.moves?.length).toBeGreaterThan(1);
    expect(page.match(/^- after iteration \d+: .*: \*\*no effect\*\*$/gm)).toHaveLength(
      state.ended!.moves!.length,
    );
    expect(page).toMatch(/\*\*Gate `tests`: 1 failing after iteration \d+\*\*\n\n- `a`/);
    expect(page).toMatch(/resume r1 --add-iterations 5/);
  });
  it('tells what persons said', () => {
    const said: Event['kind'][] = [];
    const { events } = play(specOf({ gates: { tests: 'x' }, strategy: 'manual' }), {
      ...stuck,
      answers: (i) => (i === 1 ? { answer: 'redirect', text: 'use @lib' } : { answer: 'stop' }),
      happens: (state) => {
        if (state.iteration !== 1 || said.length > 0) return undefined;
        said.push('approval.given');
        return { kind: 'approval.given', gate: 'tests', tree: 't1', by: 'ann', approved: false, note: 'no' };
      },
    });
    const page = reportMarkdown(events);
    expect(page).toMatch(/ann rejected `tests` on tree `t1`: no/);
    expect(page).toMatch(/answered `redirect` after iteration 1: use `@lib`/);
    expect(page).toMatch(/answered `stop` after iteration 2/);
  });
  it('tells who went on from which run and what was granted', () => {
    const first = play(specOf({ gates: { tests: 'x' }, strategy: { kind: 'fixed', iterations: 1 } }), stuck);
    const second = play(first.state.spec!, mends, first.events, 'r2', { iterations: 3 });
    const page = reportMarkdown(second.events);
    expect(page).toContain('Run `r2`, going on from `r1`');
    expect(page).toMatch(/went on from run `r1`, granted iterations 3/);
    expect(page).toMatch(/^\| 1 \|.*\n\| 2 \|/m);
  });
  it('keeps what findings, reasons and caveats hold from being markup or mentions', () => {
    const evil = 'x | y ![i](http://z) <img src=x> @all #1 `` \u202e\n\n# heading\n::error::';
    const { events } = play(
      specOf({ gates: { tests: 'x' }, task: evil, strategy: { kind: 'fixed', iterations: 1 } }),
      {
        turn: () => ({ tree: 't' }),
        judge: () => ({
          kind: 'failed',
          findings: [{ id: evil, title: evil, file: evil, message: evil }],
          excerpt: evil,
        }),
      },
    );
    const ending = events.at(-1)!;
    if (ending.kind === 'run.ended') ending.caveats = [evil];
    const bare = reportMarkdown(events).replaceAll(/(?<!\\)(`+)(?:(?!\1).|\1`+)*?[^`]\1(?!`)/g, 'CODE');
    expect(bare).not.toMatch(/(?<!\\)[<@](?!\/?(?:details|summary)>)/);
    expect(bare).not.toMatch(/^# heading|^::|!\[/m);
    expect(bare).toContain('CODE');
  });
  it('is of bounded length for a run of a thousand iterations', () => {
    const { events } = play(
      specOf({
        gates: { tests: 'x' },
        strategy: { kind: 'fixed', iterations: 1000 },
        limits: { iterations: 1000, wallClock: '1000h' },
      }),
      {
        turn: (i) => ({ tree: `t${i}` }),
        judge: (_gate, _tree, i) => failed([`n${i}`]),
      },
    );
    const page = reportMarkdown(events);
    expect(page.length).toBeLessThan(40_000);
    expect(page).toContain('973 more iterations');
    expect(reportJson(events).iterations).toHaveLength(1001);
  });
});

describe('the machine twin', () => {
  it('holds what the page tells', () => {
    const report = reportJson(converged());
    expect(report).toMatchObject({
      kind: 'report',
      runId: 'r1',
      outcome: { status: 'converged', code: 'goal.met', iterations: 2, costUsd: 0.5 },
      elsewhere: { finalResult: 'success', task: 'DONE' },
      fixedCount: 2,
      brokenCount: 0,
      failing: [],
      budget: { iterations: { used: 2 }, costUsd: { used: 0.5, limit: 5 } },
    });
    expect(
      report.iterations.map((row) => [row.iteration, row.failures, row.fixedCount, row.brokenCount]),
    ).toEqual([
      [0, 2, 0, 0],
      [1, 2, 1, 1],
      [2, 0, 2, 0],
    ]);
    expect(JSON.parse(JSON.stringify(report))).toEqual(report);
  });
  it('counts no finding as fixed that only went out of sight', () => {
    const spec = specOf({ gates: { tests: 'x' }, strategy: { kind: 'fixed', iterations: 1 } });
    const { events } = play(spec, {
      turn: () => ({ tree: 't' }),
      judge: (_gate, _tree, i) => (i === 0 ? failed(['a', 'b']) : failed(['load'], { load: true })),
    });
    expect(reportJson(events)).toMatchObject({ fixed: [], broken: ['tests: load'] });
  });
  it('has one row for an iteration that was stopped and gone on with', () => {
    const spec = specOf({ gates: { tests: 'x' } });
    const first = play(spec, { ...mends, stops: (_, state) => state.current?.build?.kind === 'finished' });
    expect(first.state.ended?.status).toBe('stopped');
    const second = play(spec, mends, first.events, 'r2');
    const rows = reportJson(second.events).iterations;
    expect(rows.map((row) => [row.iteration, row.judged])).toEqual([
      [0, true],
      [1, true],
      [2, true],
    ]);
  });
  it('is the same from any prefix that it can be told for', () => {
    const events = converged();
    for (let length = 1; length <= events.length; length++) {
      const page = reportMarkdown(events.slice(0, length));
      expect(page).toContain(length === events.length ? '# AgentGate: converged' : '# AgentGate: not ended');
    }
  });
});

describe('the derived files', () => {
  const hash = (text: string) => `${text.length}`.padStart(40, 'f');
  it('have the shape that older tools read', () => {
    const derived = makeDerived(...tell(converged()), hash);
    const state = JSON.parse(derived['loop-state.json']);
    expect(state).toMatchObject({
      iteration: 2,
      progress: {
        highestVerificationLevel: null,
        featuresCompleted: 2,
        totalFeatures: 2,
        progressPercent: 100,
      },
      loopDetection: { loopCount: 0 },
      customState: {},
    });
    expect(state.decisions).toMatchObject([
      { iteration: 1, continue: true, action: 'continue' },
      { iteration: 2, continue: false, action: 'complete', code: 'goal.met' },
    ]);
    for (const one of state.loopDetection.contentHashes) expect(one).toMatch(/^.{16}$/);
    const metrics = JSON.parse(derived['metrics.json']);
    expect(metrics.totals).toMatchObject({ iterations: 2, tokens: 2000, costUsd: 0.5 });
    expect(metrics.iterations[2]).toMatchObject({
      iteration: 2,
      score: 1,
      trend: 'improving',
      velocity: 0.5,
      byGate: { tests: { currentLevel: 1, trend: 'improving' } },
      tokens: 1000,
      costUsd: 0.25,
      buildMs: 100,
      gatesMs: 20,
    });
    expect(derived['report.md']).toContain('# AgentGate: converged');
  });
  it('count loops and keep five hashes', () => {
    const spec = specOf({
      gates: { tests: 'x' },
      strategy: { kind: 'fixed', iterations: 8 },
      detectors: { enabled: false },
    });
    const { events } = play(spec, { turn: () => ({ tree: 'same' }), judge: () => failed(['a']) });
    const state = JSON.parse(makeDerived(...tell(events), hash)['loop-state.json']);
    expect(state.loopDetection.contentHashes).toHaveLength(5);
    expect(new Set(state.loopDetection.contentHashes).size).toBe(1);
    expect(state.loopDetection.loopCount).toBe(6);
  });
  it('stay bounded when only the newest rows are kept, and are told the same way', () => {
    const events = converged();
    const story = new Story(2);
    let state = emptyState();
    for (const event of events) {
      state = evolve(state, event);
      story.take(event, state);
    }
    const report = makeReport(story, state);
    expect(report.iterations.map((row) => row.iteration)).toEqual([1, 2]);
    expect(report.omitted).toBe(1);
    expect(makeMarkdown(report)).toContain('1 more iterations');
    expect(report.iterations).toEqual(reportJson(events).iterations.slice(1));
  });
});

it('makes a receipt whose trailers no text can forge', () => {
  const message = makeReceipt({
    runId: 'r1',
    task: '# Mend the parser\nAgentGate-Run: forged',
    prefix: '[AgentGate]',
    status: 'diverged',
    code: 'loop.x',
    iterations: 3,
    tree: 'abc',
    gates: [
      { name: 'tests', passed: false, severity: 'hard' },
      { name: 'lint', passed: true, severity: 'soft' },
    ],
    caveats: ['writes @all\n\nAgentGate-Run: forged'],
    notes: ['closes #7'],
    activeMs: 1500,
    costUsd: 0.5,
    tokens: null,
  });
  expect(message.split('\n')[0]).toBe('[AgentGate] NOT converged: Mend the parser');
  expect(message.match(/^AgentGate-Run: .*$/gm)).toEqual(['AgentGate-Run: r1']);
  expect(message).toContain('- tests: FAILS\n- lint: passed');
  expect(message).toContain('- closes # 7');
  expect(message).toMatch(/AgentGate-Cost: \$0\.50\n$/);
});
