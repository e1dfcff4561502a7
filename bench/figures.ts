import { lstatSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** One figure beside another: milliseconds each, their ratio, and the ratio that must not be passed. */
export interface Measured {
  name: string;
  ours: number;
  beside: number;
  ratio: number;
  limit: number;
  /** What a reader of the table has to know to read it right. */
  note?: string;
}

/** The medians of rounds that were measured in turn, so that both saw the same machine. */
export function makeRow(
  name: string,
  limit: number,
  { ours, beside }: { ours: readonly number[]; beside: readonly number[] },
  note?: string,
): Measured {
  const figures = { ours: medianOf(ours), beside: medianOf(beside) };
  const ratio = medianOf(ours.map((took, round) => took / (beside[round] ?? Number.NaN)));
  return { name, ...figures, ratio, limit, ...(note === undefined ? {} : { note }) };
}

export function medianOf(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
}

export async function millisecondsOf(work: () => unknown): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/** A directory on the disk of the system's temporary files, gone afterwards. */
export async function inPlace<T>(use: (dir: string) => T | Promise<T>): Promise<T> {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), 'agentgate-bench-')));
  try {
    return await use(dir);
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

/** Source files of half a kilobyte, 40 in a directory. */
export function makeFiles(root: string, count: number): string[] {
  return Array.from({ length: count }, (_, at) => {
    const dir = join(root, `package-${Math.floor(at / 1000)}`, `part-${Math.floor(at / 40) % 25}`);
    if (at % 40 === 0) mkdirSync(dir, { recursive: true });
    const file = join(dir, `file-${at}.ts`);
    writeFileSync(file, `export const value${at} = ${at};\n`.repeat(1 + (at % 30)));
    return file;
  });
}

/** The plainest way to ask for every file once. */
export function walk(dir: string): void {
  for (const entry of readdirSync(dir, { withFileTypes: true })) {
    const path = `${dir}/${entry.name}`;
    if (entry.isDirectory()) walk(path);
    else lstatSync(path);
  }
}

/** The same numbers for the same seed, from 0 to below 1. */
export function chanceOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
    return (state >>> 0) / 4_294_967_296;
  };
}
