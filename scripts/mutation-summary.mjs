// The figures of `npm run mutate`, and the table made of them in docs/mutation.md.
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './setup.mjs';

const table = join(root, 'docs', 'mutation.md');
const statuses = {
  killed: 'Killed',
  timedOut: 'Timeout',
  survived: 'Survived',
  notCovered: 'NoCoverage',
  unable: 'RuntimeError',
};

export function countsOf(mutants) {
  const count = (status) => mutants.filter((one) => one.status === status).length;
  return Object.fromEntries(Object.entries(statuses).map(([name, status]) => [name, count(status)]));
}

/** Noticed changes of all that could be judged, in per cent. A file that nothing can be changed in is without fault. */
export function scoreOf({ killed, timedOut, survived, notCovered }) {
  const noticed = killed + timedOut;
  const all = noticed + survived + notCovered;
  return all === 0 ? 100 : (100 * noticed) / all;
}

export function showCounts(counts) {
  const { killed, timedOut, survived, notCovered } = counts;
  return `${scoreOf(counts).toFixed(1)} %, ${killed} killed, ${timedOut} timed out, ${survived} survived, ${notCovered} not covered`;
}

/** Writes the table of a whole run: the counts of each file. */
export function writeSummary(counts) {
  const all = [...counts.values()];
  const sum = Object.fromEntries(
    Object.keys(statuses).map((name) => [name, all.reduce((total, one) => total + one[name], 0)]),
  );
  const { killed, timedOut, survived, notCovered } = sum;
  writeFileSync(
    table,
    `# Mutation score of the core

Small changes are made to the core, one at a time, and its tests are run: a change that no test notices shows what is not really tested. \`npm run mutate\` measures and writes this page; \`npm run mutate -- <file>\` shows what went unnoticed in a file.

**${scoreOf(sum).toFixed(1)} %** of ${killed + timedOut + survived + notCovered} changes were noticed, measured on ${new Date().toISOString().slice(0, 10)} at commit ${commit()}. For one change at most 1.5 s of tests are tried, properties ten times each, and tests that measure time are left out: as they run otherwise the tests notice somewhat more.

| file | score | killed | timed out | survived | not covered | could not be judged |
|---|---:|---:|---:|---:|---:|---:|
${[...counts].map(([path, one]) => rowOf(`\`${path}\``, one)).join('\n')}
${rowOf('all', sum)}
`,
  );
}

function rowOf(name, counts) {
  const { killed, timedOut, survived, notCovered, unable } = counts;
  return `| ${[name, scoreOf(counts).toFixed(1), killed, timedOut, survived, notCovered, unable].join(' | ')} |`;
}

/** The commit that was measured; changes that are not committed are said. */
function commit() {
  const git = (...args) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();
  const changed = git('status', '--porcelain', '--', 'packages/core') !== '';
  return `${git('rev-parse', '--short', 'HEAD')}${changed ? ' with changes' : ''}`;
}
