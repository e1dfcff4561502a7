// The figures of `npm run mutate`, kept in docs/mutation.json, and the table made of them in docs/mutation.md.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './setup.mjs';

const json = join(root, 'docs', 'mutation.json');
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

/** The figures of the files that still are, and their sum. */
export function readSummary(paths) {
  return summaryOf(paths, existsSync(json) ? JSON.parse(readFileSync(json, 'utf8')).files : {});
}

export function writeSummary(paths, path, counts) {
  const when = { date: new Date().toISOString().slice(0, 10), commit: commit() };
  const latest = { score: round(scoreOf(counts)), ...counts, ...when };
  const summary = summaryOf(paths, { ...readSummary(paths).files, [path]: latest });
  writeFileSync(json, `${JSON.stringify({ ...when, ...summary }, null, 2)}\n`);
  writeFileSync(table, tableOf(summary, latest));
}

function summaryOf(paths, known) {
  const files = Object.fromEntries(paths.filter((path) => path in known).map((path) => [path, known[path]]));
  const sum = (name) => Object.values(files).reduce((total, one) => total + one[name], 0);
  const counts = Object.fromEntries(Object.keys(statuses).map((name) => [name, sum(name)]));
  const unmeasured = paths.filter((path) => !(path in files));
  return { score: round(scoreOf(counts)), ...counts, unmeasured, files };
}

function tableOf({ files, unmeasured, ...sum }, latest) {
  const rows = Object.entries(files).map(([path, one]) => rowOf(`\`${path}\``, one));
  const others = Object.values(files).filter(({ sources }) => sources !== latest.sources).length;
  return `# Mutation score of the core

Small changes are made to the core, one at a time, and its tests are run: a change that no test notices shows what is not really tested. \`npm run mutate\` measures and writes this page; \`npm run mutate -- <file>\` also shows what went unnoticed in a file.

**${sum.score.toFixed(1)} %** of ${sum.killed + sum.timedOut + sum.survived + sum.notCovered} changes were noticed. Last measured on ${latest.date} at commit ${latest.commit}.
${others > 0 ? `\n${others} of the files were measured with other sources of the core or its tests than the last one.\n` : ''}${unmeasured.length > 0 ? `\nNot measured yet: ${unmeasured.map((path) => `\`${path}\``).join(', ')}.\n` : ''}
| file | score | killed | timed out | survived | not covered | could not be judged | measured |
|---|---:|---:|---:|---:|---:|---:|---|
${rows.join('\n')}
${rowOf('all', { ...sum, date: latest.date, commit: latest.commit })}
`;
}

function rowOf(name, { score, killed, timedOut, survived, notCovered, unable, date, commit: at }) {
  return `| ${[name, score.toFixed(1), killed, timedOut, survived, notCovered, unable, `${date}, ${at}`].join(' | ')} |`;
}

/** The commit that was measured; changes that are not committed are said. */
function commit() {
  const git = (...args) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();
  const changed = git('status', '--porcelain', '--', 'packages/core') !== '';
  return `${git('rev-parse', '--short', 'HEAD')}${changed ? ' with changes' : ''}`;
}

function round(score) {
  return Math.round(score * 10) / 10;
}
