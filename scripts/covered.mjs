// How much of the libraries the last run of the tests reached, each library by itself. What only other processes
// reach, such as the command that the end-to-end tests start, does not count.
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { root } from './setup.mjs';

/** The share of statements, in per cent, that a library must not fall under. */
const least = { core: 95, runtime: 85 };
const summary = join(root, '.cache', 'coverage', 'coverage-summary.json');

/** Whoever runs the tests forgets the last figures first. */
export function forgetCovered() {
  rmSync(summary, { force: true });
}

/** Tells the shares, and names the libraries that are under theirs; null where the tests failed and left no figures. */
export function tooLittleCovered() {
  if (!existsSync(summary)) return null;
  const files = Object.entries(JSON.parse(readFileSync(summary, 'utf8'))).map(([path, { statements }]) => ({
    path: relative(root, path),
    ...statements,
  }));
  return Object.keys(least).filter((name) => {
    const own = files.filter(({ path }) => path.startsWith(`packages/${name}/`));
    return tell(name, own) < least[name];
  });
}

function tell(name, files) {
  const sum = (key) => files.reduce((total, one) => total + one[key], 0);
  const share = (100 * sum('covered')) / sum('total');
  console.log(`${name}: ${share.toFixed(1)} % of its statements were run, ${least[name]} % must be`);
  const gaps = files.map(({ path, total, covered }) => ({ path, missed: total - covered }));
  const worst = gaps.filter(({ missed }) => missed > 0).sort((a, b) => b.missed - a.missed);
  if (share < least[name])
    for (const { path, missed } of worst.slice(0, 10)) console.log(`  ${missed} not run in ${path}`);
  return share;
}
