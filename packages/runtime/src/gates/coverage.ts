import { readFile, stat } from 'node:fs/promises';
import type { View } from './in-room.ts';
import { look } from './inside.ts';
import { clockSlackMs } from './report-file.ts';

const mostBytes = 16 * 1024 * 1024;

/**
 * How much of the code the tests of a command ran, in per cent, from what it printed or from a report that it has
 * just written where such reports usually are. Undefined where nothing was measured.
 */
export async function coverageAfter(view: View, output: string, tookMs: number): Promise<number | undefined> {
  const printed = printedCoverage(output);
  if (printed !== undefined) return printed;
  const fromMs = Date.now() - tookMs - clockSlackMs;
  for (const [path, read] of files) {
    const text = await readFresh(view, path, fromMs);
    const percent = text === undefined ? undefined : read(text);
    if (percent !== undefined && percent >= 0 && percent <= 100) return percent;
  }
  return undefined;
}

/** Reads the last line of a table of coverage: Istanbul's and V8's, Node's own, that of coverage.py, or Go's. */
export function printedCoverage(output: string): number | undefined {
  const table = /^\W*all files\s*\|\s*(\d{1,3}(?:\.\d+)?)\s*\|/im.exec(output)?.[1];
  if (table !== undefined) return Number(table);
  const python = /^TOTAL(?:\s+\d+){2,5}\s+(\d{1,3}(?:\.\d+)?)%\s*$/m.exec(output)?.[1];
  if (python !== undefined) return Number(python);
  const go = [...output.matchAll(/\bcoverage: (\d{1,3}(?:\.\d+)?)% of statements/g)].map((one) =>
    Number(one[1]),
  );
  return go.length === 0 ? undefined : go.reduce((sum, one) => sum + one, 0) / go.length;
}

const files: readonly (readonly [string, (text: string) => number | undefined])[] = [
  ['coverage/coverage-summary.json', (text) => inJson(text, 'total', 'statements', 'pct')],
  ['coverage/lcov.info', lcov],
  ['coverage/clover.xml', clover],
  ['coverage/cobertura-coverage.xml', cobertura],
  ['coverage.xml', cobertura],
  ['coverage.json', (text) => inJson(text, 'totals', 'percent_covered')],
  ['lcov.info', lcov],
];

async function readFresh(view: View, path: string, fromMs: number): Promise<string | undefined> {
  const found = await look(view, path);
  if (found.kind !== 'inside') return undefined;
  const info = await stat(found.path);
  if (!info.isFile() || info.size > mostBytes || info.mtimeMs < fromMs) return undefined;
  return readFile(found.path, 'utf8');
}

function inJson(text: string, ...keys: readonly string[]): number | undefined {
  try {
    let value: unknown = JSON.parse(text);
    for (const key of keys) value = (value as Record<string, unknown> | null | undefined)?.[key];
    return typeof value === 'number' ? value : undefined;
  } catch {
    // A report that broke off measures nothing.
    return undefined;
  }
}

const ratio = (part: number, all: number): number | undefined => (all > 0 ? (100 * part) / all : undefined);

function lcov(text: string): number | undefined {
  const sum = (mark: string) =>
    [...text.matchAll(new RegExp(`^${mark}:(\\d+)`, 'gm'))].reduce((all, one) => all + Number(one[1]), 0);
  return ratio(sum('LH'), sum('LF'));
}

function clover(text: string): number | undefined {
  const metrics = /<project\b[^>]*>\s*(<metrics\b[^>]*>)/.exec(text)?.[1] ?? '';
  const of = (name: string) => Number(new RegExp(`\\s${name}="(\\d+)"`).exec(metrics)?.[1] ?? Number.NaN);
  return ratio(of('coveredstatements'), of('statements'));
}

function cobertura(text: string): number | undefined {
  const rate = /<coverage\b[^>]*\sline-rate="(\d(?:\.\d+)?)"/.exec(text)?.[1];
  return rate === undefined ? undefined : 100 * Number(rate);
}
