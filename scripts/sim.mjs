// `npm run sim`: the shipped core, driver and store in a simulated world, one world per seed. A violation prints the
// command that replays its seed. `-- --seeds 5000 --from 1` says how many and which, `-- --seed 17` tells one story.
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { bundleLab } from './lab.mjs';
import { setUp } from './setup.mjs';

/** What must have happened often enough for the rest to say something. */
const needed = [
  ...'measure-baseline,start-iteration,judge,confirm,notify,end-run,wait,make-move,ask,control,consult'
    .split(',')
    .flatMap((step) => [`stop during ${step}`, `resumed in ${step}`]),
  // Killed, or cut off from power, just before or just after such an event.
  ...(
    'run.started,run.resumed,run.paused,run.ended,decided,agent.started,agent.ended,snapshot.taken,gate.judged,' +
    'integrity.checked,control.judged,tree.confirmed,strategy.answered,person.answered,move.made,notified,' +
    'wait.ended,stop.requested,redirect.requested,fault.raised'
  )
    .split(',')
    .map((kind) => `died at append ${kind}`),
  'resumed in nothing',
  'taken over with an agent at work',
  'the tree moved under green gates',
];

if (isMainThread) await main();
else await work(workerData);

async function main() {
  const options = readOptions();
  setUp({ quiet: true });
  const lab = await bundleLab();
  if (options.seed !== undefined) return tell(lab, Number(options.seed), options.shrink);
  const total = await campaign(lab, Number(options.from), Number(options.seeds));
  report(total);
  process.exit(total.violations.length === 0 && rareOf(total).length === 0 ? 0 : 1);
}

/** Whatever of that happened less than once in 2,000 worlds; a handful of worlds says nothing about it. */
function rareOf({ seeds, seen }) {
  const least = seeds < 1_000 ? 0 : Math.ceil(seeds / 2_000);
  return needed.flatMap((what) =>
    (seen[what] ?? 0) < least ? [`${what}: ${seen[what] ?? 0}, at least ${least} are needed`] : [],
  );
}

function readOptions() {
  try {
    const { values } = parseArgs({
      options: {
        seeds: { type: 'string', default: '5000' },
        from: { type: 'string', default: '1' },
        seed: { type: 'string' },
        shrink: { type: 'boolean', default: false },
      },
    });
    for (const name of ['seeds', 'from', 'seed'])
      if (!/^[1-9]\d*$/.test(values[name] ?? '1')) throw new Error(`--${name} ${values[name]} is no number`);
    return values;
  } catch (error) {
    console.error(`sim: ${error.message}`);
    return process.exit(2);
  }
}

/** Every core takes seeds in small lots until none is left. */
async function campaign(lab, from, seeds) {
  const total = { seeds, violations: [], outcomes: {}, seen: {}, steps: 0, virtualMs: 0, tookMs: 0 };
  const began = performance.now();
  let next = from;
  const lots = () => {
    const start = next;
    next = Math.min(from + seeds, start + 50);
    if (start > from && (start - from) % 10_000 === 0) console.error(`${start - from} of ${seeds}`);
    return start < next ? [start, next] : null;
  };
  await Promise.all(Array.from({ length: availableParallelism() }, () => worker(lab, lots, total)));
  total.tookMs = performance.now() - began;
  return total;
}

function worker(lab, lots, total) {
  return new Promise((done, fail) => {
    const thread = new Worker(new URL(import.meta.url), { workerData: { lab: lab.file } });
    const hand = () => {
      const lot = lots();
      thread.postMessage(lot);
      if (!lot) done();
    };
    thread.on('message', (results) => {
      for (const one of results) add(total, one);
      hand();
    });
    thread.on('error', fail);
    hand();
  });
}

function add(total, { seed, violations, outcome, seen, steps, virtualMs }) {
  for (const one of violations) total.violations.push({ seed, ...one });
  total.outcomes[outcome] = (total.outcomes[outcome] ?? 0) + 1;
  for (const [what, times] of seen)
    for (const one of new Set([what, what.replace(/^(killed|power cut) (at append \S+).*/, 'died $2')]))
      total.seen[one] = (total.seen[one] ?? 0) + times;
  total.steps += steps;
  total.virtualMs += virtualMs;
}

async function work({ lab }) {
  const { drawPlan, simulate } = await import(lab);
  parentPort.on('message', async (lot) => {
    if (!lot) return parentPort.close();
    const results = [];
    for (let seed = lot[0]; seed < lot[1]; seed++) {
      const { logs: _, ...result } = await simulate(drawPlan(seed));
      results.push({ seed, ...result });
    }
    return parentPort.postMessage(results);
  });
}

function report(total) {
  const { seeds, violations, outcomes, seen, steps, virtualMs, tookMs } = total;
  const most = (counts, few) =>
    Object.entries(counts)
      .sort(([, a], [, b]) => b - a)
      .slice(0, few)
      .map(([what, times]) => `  ${String(times).padStart(7)}  ${what}`)
      .join('\n');
  console.log(`how the runs came out\n${most(outcomes, 40)}\n`);
  console.log(`what happened to the controller\n${most(seen, 60)}\n`);
  console.log(
    `what must not be seldom\n${needed.map((what) => `  ${String(seen[what] ?? 0).padStart(7)}  ${what}`).join('\n')}\n`,
  );
  for (const { seed, id, text } of violations.slice(0, 20))
    console.log(`seed ${seed} breaks ${id}: ${text}\n  npm run sim -- --seed ${seed} --shrink`);
  const days = Math.round(virtualMs / 86_400_000);
  console.log(
    `${seeds} seeds in ${(tookMs / 1000).toFixed(1)} s, ${steps} dealings with the world, ${days} days of its time`,
  );
  for (const what of rareOf(total)) console.log(`too seldom: ${what}`);
  console.log(`sim: ${violations.length} violations`);
}

/** One seed, as a story; the smallest plan that breaks the same invariant where one is wanted. */
async function tell({ file }, seed, wantsShrunk) {
  const { drawPlan, simulate, shrink } = await import(file);
  let plan = drawPlan(seed);
  const first = (await simulate(plan)).violations[0];
  const breaks = async (one) => (await simulate(one)).violations.some(({ id }) => id === first.id);
  if (first && wantsShrunk) plan = await shrink(plan, breaks);
  const { outcome, violations, logs } = await simulate(plan);
  console.log(JSON.stringify({ ...plan, turns: plan.turns.length }, null, 1));
  for (const [path, text] of Object.entries(logs)) {
    console.log(`\n${path}`);
    for (const line of text.split('\n').filter(Boolean)) console.log(lineOf(line));
  }
  console.log(`\n${outcome}`);
  for (const { id, text } of violations) console.log(`breaks ${id}: ${text}`);
  process.exit(violations.length === 0 ? 0 : 1);
}

function lineOf(line) {
  let event;
  try {
    event = JSON.parse(line);
  } catch {
    return 'an event that was cut short';
  }
  const { seq, at, kind, iteration, decision, gate, verdict, end, status, code, fault } = event;
  const words = [
    iteration,
    decision && `${decision.kind} (${decision.because.code})`,
    gate,
    verdict?.kind,
    end?.kind,
    status,
    code,
    fault?.code,
  ];
  const told = words.filter((one) => one !== undefined).join(' ');
  return `${String(seq).padStart(4)} ${at.slice(11, 23)} ${kind} ${told}`;
}
