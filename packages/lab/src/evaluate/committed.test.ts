import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readTraces } from '../traces/read-traces.ts';
import { evaluate } from './evaluate.ts';
import { splitFolds } from './split.ts';

type Row = [strategy: string, retained: number, saved: number, oracleShare: number, iterations: number];
interface Table {
  target: number;
  macro: { over: string; rows: Row[] }[];
  sources: { source: string; rows: Row[] }[];
}

const root = join(import.meta.dirname, '../../../..');
const tables = JSON.parse(readFileSync(join(root, 'docs/lab.json'), 'utf8')) as Table[];
const [at99, at97, at95] = tables as [Table, Table, Table];
const page = readFileSync(join(root, 'docs/lab.md'), 'utf8');
const rowOf = (rows: readonly Row[], name: string): Row => rows.find(([strategy]) => strategy === name)!;

describe('the committed figures (docs/lab.md)', () => {
  it('come out again: the short sources, judged by task', () => {
    const sources = ['ldb-humaneval', 'intercode-python', 'aider-swebench-lite'];
    const { traces } = readTraces(sources.map((name) => join(root, `packages/lab/traces/${name}.jsonl.gz`)));
    const found = evaluate(splitFolds(traces, 5, 'task'), { target: 0.99 });
    for (const { source, rows } of found.sources) {
      const committed = at99.sources.find((one) => one.source === source)!.rows;
      expect(rows.map(({ strategy }) => strategy)).toEqual(committed.map(([strategy]) => strategy));
      for (const [at, { strategy, retained, saved, iterationsPerRun }] of rows.entries()) {
        const [, kept, spared, , iterations] = committed[at]!;
        expect(Math.abs(retained - kept), `${source} ${strategy} retained`).toBeLessThan(0.003);
        expect(Math.abs(saved - spared), `${source} ${strategy} saved`).toBeLessThan(0.01);
        expect(Math.abs(iterationsPerRun - iterations), `${source} ${strategy}`).toBeLessThan(0.02);
      }
      const row = (name: string) => rows.find(({ strategy }) => strategy === name)!;
      expect(row('horizon')).toMatchObject({ retained: 1, saved: 0 });
      expect(row('oracle')).toMatchObject({ retained: 1, oracleShare: 1 });
    }
  });

  it.each([
    [at99, 0.987, 0.4],
    [at97, 0.967, 0.54],
  ])(
    'keep what was aimed at with so much saved, over the sources with ten attempts (%#)',
    (table, kept, spared) => {
      const [, retained, saved] = rowOf(
        table.macro.find(({ over }) => over === 'ten-attempts')!.rows,
        'adaptive',
      );
      expect(retained).toBeGreaterThanOrEqual(kept);
      expect(saved).toBeGreaterThanOrEqual(spared);
    },
  );

  it('leave no source more than 3 % dearer than its own tuned number', () => {
    for (const { sources } of [at99, at97])
      for (const { source, rows } of sources)
        expect(rowOf(rows, 'adaptive')[4], source).toBeLessThanOrEqual(
          1.03 * rowOf(rows, 'tuned fixed-N')[4],
        );
  });

  it('stand on the page as in the file', () => {
    const parts = page.slice(page.indexOf('<!-- lab begins')).split(/^### /m).slice(1);
    const shown = (part: string): number[][] =>
      [...part.matchAll(/^\| [^|]+ \| ([\d.]+) \([^|]+\| ([\d.]+) \| ([\d.]+) \(/gm)].map((row) =>
        row.slice(1).map(Number),
      );
    const wanted = (rows: readonly Row[]) =>
      rows.map(([, retained, saved, , iterations]) => [100 * retained, iterations, 100 * saved]);
    const compare = (part: string, rows: readonly Row[]) => {
      const found = shown(part);
      expect(found).toHaveLength(rows.length);
      for (const [at, row] of wanted(rows).entries())
        for (const [column, value] of row.entries())
          expect(Math.abs(found[at]![column]! - value), `${rows[at]![0]}`).toBeLessThan(0.056);
    };
    for (const [at, { macro }] of tables.entries())
      compare(
        parts[at]!,
        macro.flatMap(({ rows }) => rows),
      );
    compare(
      parts[tables.length]!,
      at99.sources.flatMap(({ rows }) => rows),
    );
  });

  it('leave nothing out of where it does not help', () => {
    const names: Record<string, string> = {
      'aider-swebench-lite': 'Aider',
      dafnybench: 'DafnyBench',
      'intercode-python': 'InterCode Python',
      'intercode-sql': 'InterCode SQL',
      'ldb-humaneval': 'LDB',
      'lrts-ci': 'CI',
      reflexion: 'Reflexion',
    };
    const list = (holds: (adaptive: Row, hybrid: Row, target: number) => boolean) =>
      [at99, at97, at95].map(({ target, sources }) => {
        const found = sources.filter(({ rows }) =>
          holds(rowOf(rows, 'adaptive'), rowOf(rows, 'hybrid'), target),
        );
        const where = found.map(({ source }) => names[source]).join(', ');
        return `at ${100 * target} % ${where ? `on ${where}` : 'nowhere'}`;
      });
    const short = list(([, kept], _, target) => kept < target);
    expect(page).toContain(`- **Below its target** adaptive fell, by task: ${short.join('; ')}.`);
    const beaten = list(([, , saved], [, , hybrid]) => saved < hybrid);
    expect(page).toContain(`- **Hybrid saved more**, and kept less, by task: ${beaten.join('; ')}.`);
  });

  it('beat every plain strategy at its own retention', () => {
    for (const { rows } of at99.macro.filter(({ over }) => over === 'ten-attempts')) {
      for (const rival of ['fixed-3', 'fixed-5', 'hybrid', 'hybrid-3+2', 'stall-3', 'ralph']) {
        const [, retained, saved] = rowOf(rows, `as safe as ${rival}`);
        expect(retained, rival).toBeGreaterThanOrEqual(rowOf(rows, rival)[1] - 0.002);
        expect(saved, rival).toBeGreaterThan(rowOf(rows, rival)[2]);
      }
    }
  });
});
