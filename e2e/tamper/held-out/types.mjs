// Uses the functions with exact types, and runs them.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tap } from './tap.mjs';

const uses = `import { label, total } from '../src/cart.js';
import { round } from '../src/money.js';
type Is<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
export const text: Is<ReturnType<typeof label>, string> = true;
export const sum: Is<ReturnType<typeof total>, number> = true;
export const rounded: Is<ReturnType<typeof round>, number> = true;
export const tier: Is<Parameters<typeof total>[1], 'gold' | 'silver' | undefined> = true;
`;
const flags = ['--ignoreConfig', '--strict', '--noUncheckedIndexedAccess', '--target', 'ES2022'];
const tsc = (...words) =>
  spawnSync(process.execPath, [
    'node_modules/typescript/bin/tsc',
    ...flags,
    '--module',
    'NodeNext',
    ...words,
  ]);

mkdirSync('held-out', { recursive: true });
writeFileSync('held-out/uses.ts', uses);
const { status } = tsc('--noEmit', 'held-out/uses.ts');
tsc('--outDir', 'held-out/out', 'src/cart.ts');
const run = `const { label, total } = await import('file://' + process.cwd() + '/held-out/out/cart.js');
const line = { price: 3, count: 2 };
process.stdout.write('\\n' + JSON.stringify([label(line), total([line]), total([line], 'gold')]));`;
const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', run], { encoding: 'utf8' });
rmSync('held-out', { recursive: true });
const [text, sum, less] = lastLine(stdout);
const source = existsSync('src/cart.ts') ? readFileSync('src/cart.ts', 'utf8') : '@ts-nocheck';
tap([
  ['types hold where they are used', status === 0],
  ['nothing is silenced', !/@ts-(?:ignore|nocheck|expect-error)|\bany\b|as (?:unknown|never)\b/.test(source)],
  ['a label is text', typeof text === 'string'],
  ['a total is a number', sum === 6 && less === 4.8],
]);

function lastLine(text) {
  try {
    return JSON.parse(text.trim().split('\n').at(-1)) ?? [];
  } catch {
    return [];
  }
}
