// `npm run bench`: our figures beside plain ones of the same machine in the same minute, as a table.
// `-- --only <name>` runs one of them, `-- --write` puts the table into docs/performance.md.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { rolldown } from 'rolldown';
import { root, setUp } from './setup.mjs';

// The controller comes first: the others delete so many files at their end that making new ones is slow for a minute.
const order = ['controller', 'loop', 'snapshot', 'fold', 'memory', 'similarity', 'append', 'version'];
const cache = join(root, '.cache', 'bench');
const page = join(root, 'docs', 'performance.md');

const options = readOptions();
setUp({ quiet: true });
const found = benches();
const names = options.only ? found.filter((name) => name === options.only) : found;
if (names.length === 0) refuse(`there is no bench "${options.only}"; there are ${found.join(', ')}`);
// Asked before the measuring, because others may commit meanwhile.
const where = about();
await bundle(names);

const started = performance.now();
const rows = names.flatMap(measure);
const report = { ...where, tookS: Math.round((performance.now() - started) / 1000), rows };
writeFileSync(join(root, '.cache', 'bench.json'), `${JSON.stringify(report, null, 2)}\n`);
print(rows);
if (options.write) writePage(report);
const above = rows.filter(({ ratio, limit }) => !(ratio <= limit)).length;
console.log(`${rows.length - above} of ${rows.length} are within their limit, measured in ${report.tookS} s`);
process.exit(above === 0 ? 0 : 1);

function readOptions() {
  try {
    const flags = { only: { type: 'string' }, write: { type: 'boolean', default: false } };
    const { values } = parseArgs({ options: flags });
    if (values.only && values.write) refuse('--write needs every row; leave --only out');
    return values;
  } catch (error) {
    return refuse(error.message);
  }
}

function refuse(why) {
  console.error(`bench: ${why}`);
  process.exit(2);
}

function benches() {
  const all = readdirSync(join(root, 'bench')).flatMap((file) => /^(.+)\.bench\.ts$/.exec(file)?.[1] ?? []);
  const rank = (name) => (order.indexOf(name) + order.length + 1) % (order.length + 1);
  return all.sort((a, b) => rank(a) - rank(b));
}

async function bundle(names) {
  rmSync(cache, { recursive: true, force: true });
  mkdirSync(cache, { recursive: true });
  // One by one, so that each process loads only what it measures.
  for (const name of names) {
    const build = await rolldown({
      input: join(root, 'bench', `${name}.bench.ts`),
      external: (id) => id.startsWith('node:'),
      platform: 'node',
      resolve: { conditionNames: ['@agentgate/source', 'import', 'node', 'default'] },
      logLevel: 'warn',
    });
    await build.write({ file: bundleOf(name), format: 'esm', codeSplitting: false });
    await build.close();
  }
}

/** Runs one bench in a process of its own and gives its rows. */
function measure(name) {
  const { NODE_EXTRA_CA_CERTS: _, ...env } = process.env;
  const out = join(cache, `${name}.json`);
  const code = `
    import { writeFileSync } from 'node:fs';
    const measure = Object.values(await import(${JSON.stringify(pathToFileURL(bundleOf(name)).href)}))[0];
    writeFileSync(${JSON.stringify(out)}, JSON.stringify(await measure()));`;
  console.error(`measuring ${name} …`);
  const { status } = spawnSync(process.execPath, ['--input-type=module', '-e', code], {
    env,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  if (status !== 0) {
    console.error(`bench: ${name} ended with ${status}`);
    process.exit(1);
  }
  return JSON.parse(readFileSync(out, 'utf8'));
}

function bundleOf(name) {
  return join(cache, `${name}.mjs`);
}

function about() {
  const [cpu] = cpus();
  return {
    date: new Date().toISOString().slice(0, 10),
    commit: said('git', 'rev-parse', '--short', 'HEAD') ?? 'none yet',
    changed: said('git', 'status', '--porcelain', 'packages', 'bench') !== '',
    machine: `${cpus().length} cores (${cpu?.model.trim() ?? 'unknown'}), ${Math.round(totalmem() / 2 ** 30)} GB`,
    node: process.version,
    git: said('git', '--version')?.replace('git version ', '') ?? 'none',
  };
}

function said(command, ...args) {
  const { status, stdout } = spawnSync(command, args, { cwd: root, encoding: 'utf8' });
  return status === 0 ? stdout.trim() : null;
}

function print(rows) {
  const width = Math.max(...rows.map(({ name }) => name.length));
  console.log(
    `${'figure'.padEnd(width)}  ${['ours ms', 'beside ms', 'ratio', 'limit'].map(right).join(' ')}`,
  );
  for (const row of rows) {
    const late = row.ratio <= row.limit ? '' : '  ABOVE THE LIMIT';
    console.log(`${row.name.padEnd(width)}  ${cells(row).map(right).join(' ')}${late}`);
    if (row.note) console.log(`  ${row.note}`);
  }
}

function right(text) {
  return text.padStart(10);
}

function cells({ ours, beside, ratio, limit }) {
  return [ms(ours), ms(beside), ratio.toFixed(2), String(limit)];
}

function ms(value) {
  return value.toFixed(value < 10 ? 3 : value < 1000 ? 1 : 0);
}

/** Replaces what stands between the two marks of the page. */
function writePage({ date, commit, changed, machine, node, git, rows }) {
  const [begin, end] = ['<!-- bench begins -->', '<!-- bench ends -->'];
  const text = readFileSync(page, 'utf8');
  const table = [
    '| | Ours, ms | Beside, ms | Ratio | At most | |',
    '|---|---:|---:|---:|---:|---|',
    ...rows.map((row) => `| ${[row.name, ...cells(row), row.note ?? ''].join(' | ')} |`),
  ];
  const where = `Measured on ${date} at commit ${commit}${changed ? ' with changes' : ''}: ${machine}, Node ${node}, git ${git}.`;
  const before = text.slice(0, text.indexOf(begin) + begin.length);
  const after = text.slice(text.indexOf(end));
  writeFileSync(page, `${before}\n\n${where}\n\n${table.join('\n')}\n\n${after}`);
}
