// `npm run tamper`: tricks and honest work against the command, as a table. It fails when a figure is worse than the
// committed one. `-- --only <pattern>` runs some of it, `-- --write` commits the figures to docs/tamper.md.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { rolldown } from 'rolldown';
import { root, setUp } from './setup.mjs';
import { figuresOf, tables, worse } from './tamper-figures.mjs';

const page = join(root, 'docs', 'tamper.md');
const kept = join(root, 'docs', 'tamper.json');

const options = readOptions();
setUp({ quiet: true });
const { allSteps, installTool } = await bundled();
const wanted = allSteps().filter(
  ({ id, mode }) => !options.only || new RegExp(options.only).test(`${id} ${mode}`),
);
if (wanted.length === 0) refuse(`nothing is called ${options.only}`);
const runners = [...new Set(wanted.map((one) => one.runner))];
const missing = runners.filter((runner) => !installTool(runner));
// Asked before the judging, because others may commit meanwhile.
const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: root, encoding: 'utf8' }).trim();
const from = performance.now();
const rows = await runAll(wanted.filter((one) => !missing.includes(one.runner)));
const tookS = Math.round((performance.now() - from) / 1000);
writeFileSync(join(root, '.cache', 'tamper', 'rows.json'), JSON.stringify(rows, null, 1));

for (const runner of missing) console.log(`${runner} could not be had here: its cases did not run`);
const figures = figuresOf(rows);
console.log(`\n${tables(figures)}`);
for (const row of rows.filter((one) => !one.right))
  console.log(`${row.id} (${row.class}), ${row.mode}: ${row.outcome}`);
console.log(`${rows.length} judgements in ${tookS} s; what was said is in .cache/tamper/rows.json`);

if (options.only) process.exit(0);
if (options.write) write(figures);
const faults = worse(figures, JSON.parse(readFileSync(kept, 'utf8')), missing);
for (const fault of faults) console.log(`worse than docs/tamper.json: ${fault}`);
console.log(
  faults.length === 0
    ? 'tamper: no figure is worse than the committed one'
    : `tamper: ${faults.length} figures are worse`,
);
process.exit(faults.length === 0 ? 0 : 1);

function readOptions() {
  try {
    const flags = {
      only: { type: 'string' },
      write: { type: 'boolean', default: false },
      width: { type: 'string', default: '2' },
    };
    const { values } = parseArgs({ options: flags });
    if (values.only && values.write) refuse('--write needs every case; leave --only out');
    return values;
  } catch (error) {
    return refuse(error.message);
  }
}

function refuse(why) {
  console.error(`tamper: ${why}`);
  process.exit(2);
}

async function bundled() {
  const file = join(root, '.cache', 'tamper', 'campaign.mjs');
  const bundle = await rolldown({ input: join(root, 'e2e', 'tamper', 'campaign.ts'), platform: 'node' });
  await bundle.write({ file, format: 'esm' });
  return import(pathToFileURL(file).href);
}

/** So many at a time, each in a place of its own. */
async function runAll(open) {
  const done = [];
  const worker = async () => {
    for (let step = open.shift(); step !== undefined; step = open.shift()) {
      const judged = await step.run();
      const { id, runner, mode, class: kind } = step;
      done.push({ id, runner, mode, class: kind, ...judged, right: step.isRight(judged) });
      say(done.at(-1), done.length);
    }
  };
  await Promise.all(Array.from({ length: Number(options.width) }, worker));
  return done;
}

function say(row, done) {
  if (!row.right || done % 25 === 0)
    console.error(`${done} of ${wanted.length}${row.right ? '' : `: ${row.id} ${row.mode} ${row.outcome}`}`);
}

function write(figures) {
  writeFileSync(kept, `${JSON.stringify(figures, null, 2)}\n`);
  const text = readFileSync(page, 'utf8');
  const [head] = text.split('<!-- figures -->');
  const date = new Date().toISOString().slice(0, 10);
  const ran = `${rows.length} judgements in ${Math.round(tookS / 60)} minutes on ${cpus().length} cores`;
  const said = `\`npm run tamper -- --write\`, ${date}, commit ${commit}: ${ran}.`;
  writeFileSync(page, `${head}<!-- figures -->\n\n${said}\n\n${tables(figures)}`);
}
