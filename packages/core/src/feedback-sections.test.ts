import { describe, expect, it } from 'vitest';
import { fold } from './evolve.ts';
import { composeFeedback } from './feedback.ts';
import { failed, green, play, specOf, type Turn, type World } from './testing/play.ts';
import type { Verdict } from './verdict.ts';

/** What the agent is told when this iteration begins. */
function toldBefore(iteration: number, fields: Record<string, unknown>, world: Partial<World>): string {
  const { events } = play(specOf({ detectors: { enabled: false }, ...fields }), {
    turn: (n) => ({ tree: `t${n}` }),
    judge: () => failed(['a', 'b']),
    ...world,
  });
  const at = events.findIndex(
    (one) =>
      one.kind === 'decided' &&
      one.decision.kind === 'start-iteration' &&
      one.decision.iteration === iteration,
  );
  return composeFeedback(fold(events.slice(0, at + 1)));
}
const headings = (text: string) => text.split('\n').filter((line) => line.startsWith('## '));

describe('the heading of a gate', () => {
  const heading = (gate: unknown, verdict: Verdict) => {
    const judge: World['judge'] = (name, _, n) => (name === 'g' && n > 0 ? verdict : failed([`t${n}`, 't']));
    return headings(toldBefore(2, { gates: { g: gate, tests: 'x' } }, { judge }))[0];
  };
  const synthetic = (title: string): Verdict => ({
    kind: 'failed',
    findings: [{ id: 'x', title, synthetic: true }],
    excerpt: '',
  });
  it.each<[unknown, Verdict, string]>([
    ['npm run g', failed(['one']), '## Gate g: 1 finding (`npm run g`)'],
    [['npm', 'run', 'g'], failed(['one', 'two']), '## Gate g: 2 findings (`npm run g`)'],
    [{ run: 'g', severity: 'soft' }, failed(['one']), '## Gate g, soft: 1 finding (`g`)'],
    [{ exists: 'dist' }, failed(['one']), '## Gate g: 1 finding'],
    ['g', synthetic('exited with  1'), '## Gate g: exited with 1 (`g`)'],
    ['g', { kind: 'timed-out', afterMs: 300_000, excerpt: '' }, '## Gate g: did not end within 5m (`g`)'],
    ['g', { kind: 'pending', retryAfterMs: 1_000 }, '## Gate g: not ready yet (`g`)'],
    [{ run: 'g', heldOut: true }, failed(['one']), '## Gate g: not passed; what it looks at is not told'],
    [{ run: 'g', feedback: { text: 'Ask ann.' } }, failed(['one']), '## Gate g: failed (`g`)'],
    [`echo ${'x'.repeat(200)}`, failed(['one']), `## Gate g: 1 finding (\`echo ${'x'.repeat(114)}…\`)`],
  ])('%j', (gate, verdict, expected) => expect(heading(gate, verdict)).toBe(expected));

  it('is missing where the gate passed or was spared', () => {
    const gates = { tests: 'x', ok: 'y', later: { run: 'z', severity: 'soft', when: 'manual' } };
    const told = toldBefore(2, { gates }, { judge: (gate) => (gate === 'ok' ? green : failed(['a'])) });
    expect(headings(told)).toEqual(['## Gate tests: 1 finding (`x`)']);
    expect(told).toContain('Iteration 1: 1 of 3 gates fail.');
  });

  it('is counted where there is no room for it', () => {
    const gates = Object.fromEntries(Array.from({ length: 9 }, (_, at) => [`g${at}`, 'x']));
    const told = toldBefore(2, { gates, feedback: { maxChars: 700 } }, {});
    const shown = headings(told).length;
    expect(shown).toBeGreaterThan(1);
    expect(told).toContain(`and ${9 - shown} more gates fail`);
    expect(told.length).toBeLessThanOrEqual(700);
  });
});

describe('a finding', () => {
  const findings = (all: Extract<Verdict, { kind: 'failed' }>['findings']) =>
    toldBefore(2, {}, { judge: () => ({ kind: 'failed', findings: all, excerpt: '' }) })
      .split('\n')
      .filter((line) => /^- (?!\d+:)|^ {2}\|/.test(line));
  it('is told with its place and its message, line by line', () => {
    expect(
      findings([
        { id: 'a', title: 'adds', file: 'sum.js', line: 4, message: ' expected 5\nfound 3 ' },
        { id: 'b', title: 'takes', file: 'sum.js' },
        { id: 'c', title: 'no place', message: '  ' },
      ]),
    ).toEqual(['- adds [sum.js:4]', '  | expected 5', '  | found 3', '- takes [sum.js]', '- no place']);
  });
  it('is one of at most so many as fit, and the rest is counted', () => {
    const all = Array.from({ length: 200 }, (_, at) => ({
      id: `${at}`,
      title: `case ${at} ${'y'.repeat(60)}`,
    }));
    const lines = findings(all);
    expect(lines.at(-1)).toBe(`- and ${200 - (lines.length - 1)} more`);
  });
});

describe('what remains and what was tried', () => {
  const turn = (n: number): Turn => ({ tree: `t${n}`, tokens: 1_000, costUsd: 0.25, tookMs: 60_000 });
  const left = (n: number, limits: Record<string, unknown>) =>
    toldBefore(n, { limits, strategy: 'ralph' }, { turn }).split('\n').at(-1);
  it('is every limit that there is', () => {
    expect(left(2, { iterations: 5, wallClock: '1h' })).toBe('What remains: at most 4 iterations, 59m.');
    expect(left(2, { iterations: 5, wallClock: '1h', tokens: '50k', cost: '5usd' })).toBe(
      'What remains: at most 4 iterations, 59m, 49k tokens, $4.75.',
    );
  });
  it('is told of the three iterations before the last', () => {
    const counts = [6, 5, 6, 4, 4, 4];
    const told = toldBefore(
      6,
      { strategy: 'ralph' },
      {
        turn: (n) => (n === 4 ? {} : { tree: `t${n}` }),
        judge: (_, __, n) => failed(Array.from({ length: counts[n]! }, (_, at) => `t${at}`)),
      },
    );
    expect(told).toContain(
      [
        'Earlier iterations:',
        '- 2: changed the tree, 6 failing, 1 new',
        '- 3: changed the tree, 4 failing, 2 fixed',
        '- 4: changed nothing, 4 failing',
        '',
      ]
        .join('\n')
        .trimEnd(),
    );
  });
  it('names what was fixed, five at most', () => {
    const names = Array.from({ length: 9 }, (_, at) => `t${at}`);
    const told = toldBefore(2, {}, { judge: (_, __, n) => failed(n === 0 ? names : ['t8']) });
    expect(told).toContain(
      'Fixed just now: tests: t0; tests: t1; tests: t2; tests: t3; tests: t4; and 3 more',
    );
  });
});
