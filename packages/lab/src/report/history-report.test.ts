import { type Event, parseSpec, type StrategySpec } from '@agentgate/core';
import { describe, expect, it } from 'vitest';
import type { PastRun } from '../compare/compare.ts';
import { traceOf } from '../traces/from-run.ts';
import { recordedRun } from '../traces/testing.ts';
import { reportHistory } from './history-report.ts';
import { historyMarkdown } from './markdown.ts';
import { picturesOf } from './pictures.ts';

const strategyOf = (strategy: unknown): StrategySpec => {
  const parsed = parseSpec({ task: 'x', agent: ['true'], gates: { a: 'true' }, strategy });
  if (parsed.kind === 'invalid') throw new Error(JSON.stringify(parsed.problems));
  return parsed.spec.strategy;
};
const adaptive = strategyOf({ kind: 'adaptive', explore: 0 }) as Extract<StrategySpec, { kind: 'adaptive' }>;
const fixedOne = { name: 'fixed-1', strategy: strategyOf({ kind: 'fixed', iterations: 1 }) };

/** Newest first. Solved in the second iteration, or never within five. */
const history = (runs: number): PastRun[] =>
  Array.from({ length: runs }, (_, at): PastRun => {
    const events: Event[] = recordedRun({ task: `task ${at}`, solvedAt: at % 3 === 0 ? null : 2, most: 5 });
    return { runId: `r${at}`, events, trace: traceOf(events)! };
  });

describe('a report on a history', () => {
  const report = reportHistory(history(45), adaptive, [fixedOne]);

  it('judges what is learned on runs that it was not learned from', () => {
    expect(report).toMatchObject({ runs: 45, tasks: 45, solved: 30 });
    const [learned, one] = report.rows;
    expect(learned).toMatchObject({ name: 'adaptive', kept: 30, retained: { value: 1 } });
    expect(learned!.saved.iterations.value).toBeGreaterThan(0.3);
    expect(one).toMatchObject({ name: 'fixed-1', kept: 0 });
  });
  it('draws how it became better, from hybrid on', () => {
    expect(report.curve[0]).toMatchObject({ rule: 'hybrid' });
    expect(report.curve.at(-1)?.rule).not.toBe('hybrid');
    for (const point of report.curve) expect(point.kept).toBe(point.solved);
    expect(report.curve.reduce((sum, one) => sum + one.judgedOn, 0)).toBeLessThanOrEqual(45);
  });
  it('says how true its chances are', () => {
    expect(report.calibration!.decisions).toBeGreaterThan(60);
    expect(report.calibration!.ece).toBeLessThan(0.1);
  });
  it('is a page with pictures, and the same every time', () => {
    const page = historyMarkdown(report, { pictures: true });
    expect(page).toMatch(/\| adaptive \| 30 of 30 \(100\.0 to 100\.0\) \|/);
    const pictures = picturesOf(report);
    expect(Object.keys(pictures)).toEqual(['savings.svg', 'learning.svg', 'calibration.svg']);
    for (const [name, svg] of Object.entries(pictures)) {
      expect(page).toContain(`(${name})`);
      expect(svg).not.toMatch(/NaN|undefined|Infinity/);
      expect(svg.match(/<(\w+)[^>]*[^/]>/g)?.length).toBe(svg.match(/<\/\w+>/g)?.length);
    }
    expect(historyMarkdown(reportHistory(history(45), adaptive, [fixedOne]), { pictures: true })).toBe(page);
  });
  it('says so where there is too little', () => {
    const few = reportHistory(history(1), adaptive, []);
    const page = historyMarkdown(few, { pictures: false });
    expect(page).toMatch(/too few runs/);
    expect(page).toMatch(
      /Nothing is foretold yet: nothing is learned until 10 more runs are solved after the/,
    );
    const some = reportHistory(history(5), adaptive, []);
    expect(historyMarkdown(some, { pictures: false })).toMatch(/until 7 more runs are solved/);
    expect(page).not.toContain('.svg');
    expect(Object.values(picturesOf(few)).join('')).not.toMatch(/NaN/);
  });
});
