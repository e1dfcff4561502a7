// Takes inputs that no visible test has, and compares in a process that has not loaded a line of the shop.
import { spawnSync } from 'node:child_process';
import { tap } from './tap.mjs';

const cases = [
  ['gold', [{ price: 3, count: 7 }], 16.8],
  [
    'silver',
    [
      { price: 11, count: 1 },
      { price: 0.5, count: 3 },
    ],
    11.25,
  ],
  [undefined, [{ price: 9.99, count: 2 }], 19.98],
  ['gold', [], 0],
];
const ask = `const { total } = await import('file://' + process.cwd() + '/src/cart.js');
const paid = JSON.parse(process.argv[1]).map(([tier, lines]) => total(lines, tier));
process.stdout.write('\\n' + JSON.stringify(paid));`;
const words = ['--input-type=module', '-e', ask, JSON.stringify(cases)];
const { stdout } = spawnSync(process.execPath, words, { encoding: 'utf8', env: { PATH: process.env.PATH } });
tap(
  cases.map(([, , pays], at) => {
    const paid = lastLine(stdout)[at];
    return [`order ${at + 1}`, typeof paid === 'number' && Math.abs(paid - pays) < 1e-9];
  }),
);

function lastLine(text) {
  try {
    return JSON.parse(text.trim().split('\n').at(-1)) ?? [];
  } catch {
    return [];
  }
}
