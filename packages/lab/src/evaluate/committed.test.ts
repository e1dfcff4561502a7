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
const [at99, at97] = tables as [Table, Table];
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
