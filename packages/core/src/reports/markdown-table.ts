import { code, prose } from './escape.ts';
import type { RunReport } from './report.ts';
import type { Cell, Row } from './row.ts';

/** So many of the first and of the newest iterations are shown. */
const firstRows = 3;
const newestRows = 25;

/** One line per iteration, one column per gate, and why the run went on. */
export function iterationTable({ gates, iterations, omitted }: RunReport): string[] {
  if (iterations.length === 0) return [];
  const names = gates.map((gate) => gate.name);
  const soft = new Set(gates.filter((gate) => gate.severity === 'soft').map((gate) => gate.name));
  const heads = names.map((name) => `${code(name, 40)}${soft.has(name) ? ' (soft)' : ''}`);
  return [
    `| # | ${[...heads, 'fixed', 'new', 'tree', 'then'].join(' | ')} |`,
    `|---:|${'---|'.repeat(heads.length)}---:|---:|---|---|`,
    ...shownRows(iterations, omitted, names),
  ];
}

function shownRows(rows: readonly Row[], omitted: number, gates: readonly string[]): string[] {
  const lines = (some: readonly Row[]) => some.map((row) => rowLine(row, gates));
  const hidden = Math.max(0, rows.length - firstRows - newestRows);
  if (omitted === 0 && hidden === 0) return lines(rows);
  const count = omitted + hidden;
  const gap = `| … | ${'… | '.repeat(gates.length)} | | | ${count} more iterations |`;
  return omitted > 0
    ? [gap, ...lines(rows.slice(-newestRows))]
    : [...lines(rows.slice(0, firstRows)), gap, ...lines(rows.slice(-newestRows))];
}

function rowLine(row: Row, gates: readonly string[]): string {
  const cells = gates.map((gate) => cellText(row.gates[gate]));
  const number = row.iteration === 0 ? '0' : String(row.iteration);
  const tree = row.tree ? code(row.tree.slice(0, 7)) : '';
  const fixed = row.iteration === 0 ? '' : String(row.fixedCount);
  const broken = row.iteration === 0 ? '' : String(row.brokenCount);
  return `| ${[number, ...cells, fixed, broken, tree, thenText(row)].join(' | ')} |`;
}

function cellText(cell: Cell | undefined): string {
  if (!cell) return '–';
  const tests = cell.tests ? ` ${cell.tests.passed}/${cell.tests.passed + cell.tests.failed}` : '';
  if (cell.passed) return `✅${tests}${cell.cached ? ' (as before)' : ''}`;
  switch (cell.verdict) {
    case 'failed':
      return `${cell.severity === 'soft' ? '🟡' : '❌'} ${cell.findings}${tests === '' ? '' : ` (${tests.trim()})`}`;
    case 'timed-out':
      return '⏱ timed out';
    case 'unable':
      return '⚠️ unable';
    case 'pending':
      return '⏳ pending';
    default:
      return '– skipped';
  }
}

function thenText({ iteration, build, because, claim }: Row): string {
  const built = build === null || build === 'finished' ? '' : `build ${build}; `;
  const claimed = claim === null ? '' : `; claimed ${code(claim, 40)}`;
  if (iteration === 0) return 'before the agent began';
  return `${built}${prose(because.reason, 120)} (${code(because.code)})${claimed}`;
}
