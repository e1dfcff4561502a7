import { describe, expect, it } from 'vitest';
import { type FindingClass } from './finding-class.ts';
import { reportJson } from './reports/index.ts';
import { reportMarkdown } from './reports/index.ts';
import { failed, green, play, specOf, type World } from './testing/play.ts';
import type { Verdict } from './verdict.ts';

const noLoad: Verdict = {
  kind: 'failed',
  findings: [{ id: 'load', title: 'a.test.js cannot load', load: true }],
  excerpt: '',
};
const withFlaky: Verdict = {
  kind: 'failed',
  findings: [
    { id: 'a', title: 'a' },
    { id: 'f', title: 'f', flaky: true },
  ],
  excerpt: '',
};

/** The report of a run whose gate answers so, one iteration after the other, the last answer for good. */
function report(answers: readonly Verdict[], gate: object = {}) {
  const judge: World['judge'] = (_, __, iteration) => answers[iteration] ?? answers.at(-1)!;
  const spec = specOf({
    gates: { tests: { run: 'x', ...gate } },
    strategy: 'fixed',
    limits: { iterations: answers.length - 1 },
  });
  const { events } = play(spec, { turn: (i) => ({ tree: `t${i}` }), judge });
  const { failing, classes } = reportJson(events);
  const each = failing.flatMap((red) => red.findings.map((one) => [one.id, one.class]));
  return { each: Object.fromEntries(each) as Record<string, FindingClass>, classes, events };
}

describe('every finding of the newest judgement has a class', () => {
  it.each<[string, Verdict[], Record<string, FindingClass>]>([
    ['red before the run', [failed(['a']), failed(['a'])], { a: 'pre-existing' }],
    ['new', [failed(['a']), failed(['a', 'b'])], { a: 'pre-existing', b: 'new' }],
    ['still there since an iteration', [failed(['a']), failed(['b']), failed(['b'])], { b: 'still' }],
    [
      'new once more after it was fixed',
      [failed(['a', 'b']), failed(['b']), failed(['a', 'b'])],
      { a: 'new', b: 'pre-existing' },
    ],
    ['hidden by what could not load', [noLoad, failed(['a', 'b'])], { a: 'unmasked', b: 'unmasked' }],
  ])('%s', (_, answers, classes) => {
    expect(report(answers).each).toEqual(classes);
  });

  it('and flaky when it passed in another try', () => {
    const { classes } = report([failed(['a']), withFlaky]);
    expect(classes).toMatchObject({ 'pre-existing': 1, flaky: 1, new: 0 });
  });

  it('also where the gate counts only what is new', () => {
    const { each, classes } = report([failed(['a']), failed(['a', 'b'])], { baseline: 'no-new' });
    expect(each).toEqual({ b: 'new' });
    expect(classes).toMatchObject({ 'pre-existing': 1, new: 1 });
  });

  it('and what is gone is fixed', () => {
    const { classes } = report([failed(['a', 'b', 'c']), failed(['c'])]);
    expect(classes).toMatchObject({ fixed: 2, 'pre-existing': 1, new: 0, still: 0 });
    expect(report([failed(['a']), green]).classes).toMatchObject({ fixed: 1 });
  });

  it('which the page tells', () => {
    const page = reportMarkdown(report([failed(['a']), failed(['a', 'b'])]).events);
    expect(page).toContain('- `a` (red before the run)');
    expect(page).toContain('- `b` (new)');
  });
});
