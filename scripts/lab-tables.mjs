// `npm run lab`: judges every strategy on the committed traces, out of fold, and puts the tables into docs/lab.md and
// the figures into docs/lab.json. The same traces give the same figures; `npm test` checks a part of them.
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundleLab } from './lab.mjs';
import { root, setUp } from './setup.mjs';

setUp({ quiet: true });
const lab = await import((await bundleLab()).file);
const page = join(root, 'docs', 'lab.md');
const dir = join(root, 'packages', 'lab', 'traces');
const files = readdirSync(dir).filter((name) => name.endsWith('.jsonl.gz'));
const { traces } = lab.readTraces(files.sort().map((name) => join(dir, name)));

const byTask = lab.splitFolds(traces, 5, 'task');
const tables = [
  ['By task, 99 % to be kept', byTask, 0.99],
  ['By task, 97 % to be kept', byTask, 0.97],
  ['By task, 95 % to be kept', byTask, 0.95],
  ['By agent: who works is new, 99 % to be kept', lab.splitFolds(traces, 2, 'model'), 0.99],
  ['By source: the project is new, 99 % to be kept', lab.splitFolds(traces, 2, 'source'), 0.99],
].map(([title, splits, target]) => {
  const began = performance.now();
  const evaluation = lab.evaluate(splits, { target });
  console.error(`${title}: ${((performance.now() - began) / 1000).toFixed(0)} s`);
  return { title, evaluation };
});

const [first, , , ...colder] = tables;
const detail = first.evaluation.sources.map(lab.sourceText).join('\n\n');
const parts = [
  ...tables.map(({ title, evaluation }) => `### ${title}\n\n${lab.meansOf(evaluation)}`),
  `### Every source, by task, 99 % to be kept\n\n${detail}`,
  ...colder.map(({ title, evaluation }) => `### Every source. ${title}\n\n${lab.briefTable(evaluation)}`),
];
const [begin, end] = ['<!-- lab begins -->', '<!-- lab ends -->'];
const text = readFileSync(page, 'utf8');
const before = text.slice(0, text.indexOf(begin) + begin.length);
writeFileSync(page, `${before}\n\n${parts.join('\n\n')}\n\n${text.slice(text.indexOf(end))}`);

const figures = tables.map(({ title, evaluation: { target, macro, sources } }) => ({
  title,
  target,
  macro: macro.map(({ over, rows }) => ({ over, rows: rows.map(brief) })),
  sources: sources.map(({ source, rows }) => ({ source, rows: rows.map(brief) })),
}));
const file = join(root, 'docs', 'lab.json');
writeFileSync(file, JSON.stringify(figures));
spawnSync(join(root, 'node_modules', '.bin', 'biome'), ['format', '--write', file], { stdio: 'ignore' });
for (const { title, evaluation } of tables.slice(0, 3)) {
  const row = evaluation.macro[0].rows.find(({ strategy }) => strategy === 'adaptive');
  console.log(`${title}: retained ${percent(row.retained)}, saved ${percent(row.saved)}`);
}

function brief({ strategy, retained, saved, oracleShare, iterationsPerRun }) {
  const digits = (value) => Number(value.toFixed(4));
  return [strategy, ...[retained, saved, oracleShare, iterationsPerRun].map(digits)];
}

function percent(share) {
  return `${(100 * share).toFixed(1)} %`;
}
