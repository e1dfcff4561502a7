// `npm run planted`: bugs are put into the controller one at a time, and the simulator looks for a seed that shows
// them. `-- --seeds 20000` says how long it looks for each, `-- --only <pattern>` which ones. A seed counts only when
// nothing is found in its world without the bug.
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { planted } from '../packages/lab/planted.mjs';
import { hunt } from './hunt.mjs';
import { bundleLab } from './lab.mjs';
import { setUp } from './setup.mjs';

if (isMainThread) await main();
else parentPort.postMessage(await huntIn(workerData));

async function main() {
  const { values } = parseArgs({
    options: { seeds: { type: 'string', default: '20000' }, only: { type: 'string' } },
  });
  const open = planted.filter(({ name }) => !values.only || new RegExp(values.only).test(name));
  if (open.length === 0 || !/^[1-9]\d*$/.test(values.seeds)) {
    console.error('planted: nothing to look for; give a number to --seeds, and part of a name to --only');
    process.exit(2);
  }
  setUp({ quiet: true });
  for (const bug of planted) checkPlace(bug);
  const clean = (await bundleLab({ name: 'planted-none' })).file;
  const results = [];
  const began = performance.now();
  const lane = async () => {
    for (let bug = open.shift(); bug; bug = open.shift())
      results.push(await huntFor(bug, clean, Number(values.seeds)));
  };
  await Promise.all(Array.from({ length: availableParallelism() }, lane));
  const found = results.filter((one) => one.seed !== null).length;
  const minutes = ((performance.now() - began) / 60_000).toFixed(1);
  console.log(
    `\nplanted: ${found} of ${results.length} found (${((100 * found) / results.length).toFixed(1)} %) in ${minutes} minutes`,
  );
  for (const { name } of results.filter((one) => one.seed === null)) console.log(`not found: ${name}`);
  const unclean = [...new Set(results.flatMap((one) => one.unclean))].sort((a, b) => a - b);
  for (const seed of unclean) console.log(`seed ${seed} breaks something without a planted bug, too`);
  const isEnough = found / results.length >= 0.95 || values.only !== undefined;
  process.exit(isEnough && unclean.length === 0 ? 0 : 1);
}

/** A bug that fits nowhere any more, or in two places, would look like one that nobody finds. */
function checkPlace({ name, also = [], ...bug }) {
  for (const { file, find } of [bug, ...also]) {
    const fits = readFileSync(new URL(`../packages/${file}`, import.meta.url), 'utf8').split(find).length - 1;
    if (fits !== 1) throw new Error(`planted: "${name}" fits ${fits} places of ${file}`);
  }
}

async function huntFor(bug, clean, seeds) {
  const at = planted.indexOf(bug);
  const changes = [bug, ...(bug.also ?? [])];
  const { file } = await bundleLab({
    name: `planted-${at}`,
    change(code, id) {
      const mine = changes.filter((one) => id.endsWith(`packages/${one.file}`));
      return mine.reduce((text, { find, put }) => text.replace(find, () => put), code);
    },
  });
  const found = await new Promise((done, fail) => {
    const thread = new Worker(new URL(import.meta.url), { workerData: { file, clean, seeds } });
    thread.once('message', done);
    thread.once('error', fail);
  });
  const said =
    found.seed === null ? `not found in ${seeds} seeds` : `seed ${found.seed}: ${found.id} ${found.text}`;
  console.log(`${bug.name}: ${said}`);
  return { ...bug, ...found };
}

async function huntIn({ file, clean, seeds }) {
  return hunt({ planted: await import(file), clean: await import(clean), seeds });
}
