import { similarity, sketch } from '../packages/core/src/text/index.ts';
import type { Measured } from './figures.ts';

const warmUp = 8;
const rounds = 25;

/** Two outputs of 1 MB: sketch both and compare, beside the plain word-set Jaccard of the same texts. */
export async function measureSimilarity(): Promise<Measured[]> {
  const pairs = Array.from(
    { length: warmUp + rounds },
    (_, round) => [logText(round + 1), logText(round + 101)] as const,
  );
  const ours: number[] = [];
  const beside: number[] = [];
  pairs.forEach(([a, b], round) => {
    const mine = millisecondsOf(() => similarity(sketch(a), sketch(b)));
    const plain = millisecondsOf(() => plainJaccard(a, b));
    if (round < warmUp) return;
    ours.push(mine);
    beside.push(plain);
  });
  const figures = { ours: medianOf(ours), beside: medianOf(beside) };
  const ratio = figures.ours / figures.beside;
  return [{ name: 'similarity of two 1 MB outputs', ...figures, ratio, limit: 0.25 }];
}

function plainJaccard(a: string, b: string): number {
  const left = new Set(a.toLowerCase().split(/\s+/));
  const right = new Set(b.toLowerCase().split(/\s+/));
  const shared = [...left].filter((word) => right.has(word)).length;
  return shared / new Set([...left, ...right]).size;
}

/** Lines like those of a build and test run: repeated words, changing paths, times and numbers. */
function logText(seed: number): string {
  const chance = chanceOf(seed);
  const pick = (words: readonly string[]) => words[Math.floor(chance() * words.length)];
  const parts: string[] = [];
  for (let size = 0; size < 1_000_000; ) {
    const time = new Date(1_700_000_000_000 + Math.floor(chance() * 9e6)).toISOString();
    const path = `packages/${pick(rooms)}/src/${pick(nouns)}-${Math.floor(chance() * 400)}.ts`;
    const place = `${path}:${Math.floor(chance() * 900)}:${Math.floor(chance() * 80)}`;
    const line = `${time} [${pick(levels)}] ${pick(verbs)} ${place} ${pick(nouns)} ${pick(verbs)} the ${pick(nouns)} in ${Math.floor(chance() * 5000)} ms\n`;
    parts.push(line);
    size += line.length;
  }
  // A flat string, as it comes from a pipe; a rope would charge its flattening to whoever reads it first.
  return Buffer.from(parts.join('').slice(0, 1_000_000)).toString();
}

const rooms = ['core', 'runtime', 'server', 'web', 'fleet', 'lab', 'cli'];
const levels = ['INFO', 'WARN', 'ERROR', 'DEBUG'];
const verbs = [
  'Compiled',
  'checked',
  'Running',
  'FAILED',
  'passed',
  'expected',
  'received',
  'retrying',
  'wrote',
];
const nouns = [
  'parser',
  'verdict',
  'snapshot',
  'gate',
  'agent',
  'strategy',
  'event',
  'Finding',
  'budget',
  'state',
];

function chanceOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
    return (state >>> 0) / 4_294_967_296;
  };
}

function millisecondsOf(work: () => number): number {
  const start = performance.now();
  const result = work();
  const took = performance.now() - start;
  if (Number.isNaN(result)) throw new Error('the measured work went wrong');
  return took;
}

function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[sorted.length >> 1] ?? Number.NaN;
}
