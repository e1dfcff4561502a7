// `npm run crash`: the real command is killed, or its disk fails, at every durable system call and at every start and
// end of a process, and then resumed. `-- --points 250` takes that many of all points, evenly; `-- --only fsync` some;
// `-- --random 100` kills it at any moment instead, several times a run, with gates in rooms and a repository in the
// middle of somebody's work. What the tracer itself says it did is what counts as hit, and a kill that met a living
// process; a point that is not hit is a fault of the campaign.
import { execFileSync, spawn } from 'node:child_process';
import { closeSync, existsSync, openSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { disturbed, layPlace } from './crash-place.mjs';
import { differences, storyOf } from './crash-story.mjs';
import { root, setUp } from './setup.mjs';

const command = join(root, 'packages', 'cli', 'bin', 'agentgate.cjs');
/** The calls by which something becomes durable, and those by which a process comes and goes. */
const durable = ['fdatasync', 'fsync', 'rename', 'ftruncate', 'mkdir', 'write', 'openat', 'unlink'];
const lifecycle = ['vfork', 'clone', 'clone3', 'wait4'];
/** Those that fail wherever the controller makes them in the state directory. */
const failing = ['fdatasync', 'fsync', 'rename', 'ftruncate', 'mkdir'];
/** Those that programs make everywhere, in other numbers each time; they fail on files that are known beforehand. */
const failingByPath = ['write', 'openat'];
const errors = ['ENOSPC', 'EIO'];
const iterations = 8;
/** Where a run dies whose resume is to meet the fault. */
const firstDeath = { call: 'fdatasync', time: 8 };
/** A process that lasts longer hangs, whatever it was given to bear. */
const longestMs = 60_000;

const agent = `echo "begin $AGENTGATE_ITERATION" >> ../ledger
echo "$AGENTGATE_ITERATION" > "f$AGENTGATE_ITERATION"
[ "$AGENTGATE_ITERATION" -ge ${iterations} ] && : > done.txt
echo '{"tokens":100,"costUsd":0.01}' > "$AGENTGATE_OUTCOME_FILE"
`;

const runArguments = [
  'run',
  '--json',
  '--integrity',
  'off',
  '--strategy',
  'fixed',
  '--set',
  'strategy.iterations=20',
  '-p',
  'x',
  '--gate',
  'test -f done.txt',
  '--',
  'sh',
  '../agent.sh',
];

const resumeArguments = ['resume', '--json'];

/** With rooms for the gates. */
const guardedArguments = runArguments.map((one) => (one === 'off' ? 'guarded' : one));

const { values } = parseArgs({
  options: {
    points: { type: 'string' },
    only: { type: 'string' },
    random: { type: 'string' },
    width: { type: 'string' },
  },
});
for (const name of ['points', 'random', 'width'])
  if (!/^[1-9]\d*$/.test(values[name] ?? '1')) {
    console.error(`crash: --${name} ${values[name]} is no number`);
    process.exit(2);
  }
setUp({ quiet: true });
const isRandom = values.random !== undefined;
if (!isRandom && !hasStrace()) {
  console.error('crash: strace cannot be used here; install it (apt-get install strace) and allow ptrace');
  process.exit(process.env.CI ? 1 : 0);
}
const reference = isRandom ? await guardedReference() : await referenceRun();
const all = (isRandom ? randomPoints(Number(values.random)) : pointsOf(reference)).filter(
  (one) => !values.only || nameOf(one).includes(values.only),
);
const points = values.points ? evenly(all, Number(values.points)) : all;
console.log(
  `${points.length} of ${all.length} points; a run without faults has ${reference.story.length} events`,
);
const began = performance.now();
const open = [...points];
const faults = [];
let hits = 0;
await Promise.all(Array.from({ length: Number(values.width ?? availableParallelism()) }, lane));
const seconds = Math.round((performance.now() - began) / 1000);
console.log(`${points.length} points in ${seconds} s, ${hits} of them hit, ${faults.length} faults`);
for (const fault of faults.slice(0, 20)) console.log(`${fault.point}: ${fault.text}`);
const failed = new Set(faults.map((fault) => fault.point)).size;
console.log(`crash: ${points.length - failed} passed, ${failed} failed`);
process.exit(failed === 0 && hits === points.length && hits > 0 ? 0 : 1);

async function lane() {
  for (let point = open.shift(); point; point = open.shift()) {
    const { hit, texts, dir } = await strikeUntilHit(point);
    if (hit) hits += 1;
    for (const text of texts) faults.push({ point: nameOf(point), text });
    if (texts.length === 0) rmSync(dir, { recursive: true, force: true });
    const done = points.length - open.length;
    if (done % 50 === 0) console.log(`${done} of ${points.length}`);
  }
}

/** Some calls are made once more or once less from run to run, so one that did not come is looked for a little earlier. */
async function strikeUntilHit(point) {
  for (let earlier = 0; ; earlier += 2) {
    const place = makePlace();
    const struck = await strike(place, { ...point, time: Math.max(1, point.time - earlier), earlier }).catch(
      (error) => ({ hit: true, texts: [String(error)] }),
    );
    if (struck.hit || struck.texts.length > 0) return { ...struck, dir: place.dir };
    if (earlier === 8) return { hit: false, texts: ['the run never came there'], dir: place.dir };
    rmSync(place.dir, { recursive: true, force: true });
  }
}

/** Runs until the fault, resumes until the end, and compares with the run that had none. */
async function strike(place, point) {
  if (point.seed !== undefined) return strikeAtRandom(place, point);
  // The files are known only once there is a run: then it is the resume that meets the fault.
  if (point.byPath) await traced(firstDeath, [], runArguments, place);
  let exit = point.byPath
    ? await traced(point, pathsOf(place), resumeArguments, place)
    : await traced(point, [], runArguments, place);
  const hit = wasHit(point, place);
  for (let times = 0; exit !== 0 && times < 6; times++) {
    const hasRun = logsIn(place).some((log) => readFileSync(log).length > 0);
    const again = hasRun ? resumeArguments : runArguments;
    exit = await run(process.execPath, [command, ...again], place);
  }
  return { hit, texts: await faultsOf(exit, place) };
}

/** Whatever is not as a run without faults would have left it. */
async function faultsOf(exit, place) {
  const texts = differences({ exit, place, reference, iterations });
  return [...texts, ...disturbed(place), ...(await unproved(place)), ...place.hung];
}

/** Every run that has a log must be proved by the command itself. */
async function unproved(place) {
  const names = logsIn(place)
    .filter((log) => readFileSync(log).length > 0)
    .map((log) => basename(dirname(log)));
  const found = [];
  for (const name of names) {
    const exit = await run(process.execPath, [command, 'verify', name], { ...place, told: undefined });
    if (exit !== 0) found.push(`agentgate verify ${name} ended with ${exit}`);
  }
  return found;
}

/** Only the thread that decides and records is looked at: neither the agent nor git meets the fault. */
function traced({ call, time, error }, more, args, place) {
  const fault = error ? `error=${error}` : 'signal=KILL';
  const inject = `inject=${call}:${fault}:when=${time}`;
  const options = ['-y', '-o', traceOf(place), ...more, '-e', `trace=${call}`, '-e', inject];
  return run('strace', [...options, process.execPath, command, ...args], place);
}

function traceOf({ dir }) {
  return join(dir, 'trace');
}

/** The tracer marks the call that it made fail, in the state directory, and tells by what a program died. */
function wasHit({ error }, place) {
  const trace = readFileSync(traceOf(place), 'utf8');
  return error ? /\/workspaces\/.*\(INJECTED\)$/m.test(trace) : trace.includes('+++ killed by SIGKILL +++');
}

/** The log, the folders of the run, and where the trees of its iterations are named. */
function pathsOf(place) {
  const [log] = logsIn(place);
  const run = dirname(log);
  const names = join(dirname(dirname(run)), 'git', 'refs', 'agentgate', 'runs', basename(run));
  const trees = Array.from({ length: iterations }, (_, at) => [`${at + 1}.new`, `${at + 1}-judged.new`]);
  const paths = [
    log,
    run,
    dirname(run),
    join(run, 'blobs'),
    ...trees.flat().map((name) => join(names, name)),
  ];
  return paths.flatMap((path) => ['-P', path]);
}

async function referenceRun() {
  const calls = await callsOf([...durable, ...lifecycle], runArguments, async () => []);
  const byPath = await callsOf(failingByPath, resumeArguments, async (place) => {
    await traced(firstDeath, [], runArguments, place);
    return pathsOf(place);
  });
  return { calls: calls.calls, byPath: byPath.calls, story: calls.story };
}

/** Killing at random needs no calls, only the story of a run that nobody kills, in rooms and a repository. */
async function guardedReference() {
  const place = makePlace();
  const exit = await run(process.execPath, [command, ...guardedArguments], place);
  const story = storyOf(logsIn(place));
  const faults = [...disturbed(place), ...(await unproved(place)), ...place.hung];
  if (exit !== 0 || faults.length > 0)
    throw new Error(`run without faults ended with ${exit} in ${place.dir}: ${faults.join('; ')}`);
  rmSync(place.dir, { recursive: true, force: true });
  return { story };
}

/** What the controller calls while it does this, where nothing fails. */
async function callsOf(calls, args, before) {
  const place = makePlace();
  const paths = await before(place);
  const options = ['-y', '-o', traceOf(place), ...paths, '-e', `trace=${calls.join(',')}`];
  const exit = await run('strace', [...options, process.execPath, command, ...args], place);
  if (exit !== 0) throw new Error(`${args[0]} without faults ended with ${exit}`);
  const found = { calls: countCalls(readFileSync(traceOf(place), 'utf8')), story: storyOf(logsIn(place)) };
  rmSync(place.dir, { recursive: true, force: true });
  return found;
}

/** How often the controller itself makes each call; of its writes only those that go into its own records. */
function countCalls(trace) {
  const calls = new Map();
  for (const line of trace.split('\n')) {
    const match = /^(\w+)\((.*)/.exec(line);
    if (!match) continue;
    const [, call, rest] = match;
    const seen = calls.get(call) ?? { times: 0, own: [], inState: [] };
    seen.times += 1;
    if (isOwn(call, rest)) seen.own.push(seen.times);
    if (rest.includes('/workspaces/')) seen.inState.push(seen.times);
    calls.set(call, seen);
  }
  return calls;
}

function isOwn(call, rest) {
  if (call === 'write') return /^\d+<[^>]*\/runs\//.test(rest);
  return call !== 'openat' || (/"[^"]*\/runs\//.test(rest) && /O_CREAT|O_APPEND/.test(rest));
}

/** Every such call dies once; those of the disk fail in both ways, too. */
function pointsOf({ calls, byPath }) {
  const deaths = [...calls].flatMap(([call, { own }]) => own.map((time) => ({ call, time })));
  const inState = failing.flatMap((call) => calls.get(call)?.inState.map((time) => ({ call, time })) ?? []);
  const onFiles = [...byPath].flatMap(([call, { times }]) =>
    Array.from({ length: times }, (_, at) => ({ call, time: at + 1, byPath: true })),
  );
  const faults = [...inState, ...onFiles].flatMap((one) => errors.map((error) => ({ ...one, error })));
  return [...deaths, ...faults];
}

function nameOf({ call, time, error, seed }) {
  return seed === undefined ? `${call} ${time} ${error ?? 'KILL'}` : `random ${seed}`;
}

function randomPoints(count) {
  return Array.from({ length: count }, (_, at) => ({ seed: at + 1 }));
}

/** Killed after so many milliseconds, a few times over, and then left to end. */
async function strikeAtRandom(place, { seed, earlier }) {
  let state = seed * 2654435761;
  const next = (below) => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + seed) >>> 0;
    return state % below;
  };
  let exit = 1;
  let hit = false;
  const kills = 1 + next(4);
  for (let times = 0; exit !== 0 && times < kills + 6; times++) {
    const hasRun = logsIn(place).some((log) => readFileSync(log).length > 0);
    const args = hasRun ? resumeArguments : guardedArguments;
    const killMs = times < kills ? 80 + next(1_800) / (1 + earlier) : undefined;
    exit = await run(process.execPath, [command, ...args], place, killMs);
    hit ||= exit === 128 && killMs !== undefined;
  }
  return { hit, texts: await faultsOf(exit, place) };
}

function evenly(list, wanted) {
  if (wanted >= list.length) return list;
  return Array.from({ length: wanted }, (_, at) => list[Math.floor((at * list.length) / wanted)]);
}

/** Whoever is killed at any moment is killed at work, too, if only the work takes a while. */
function makePlace() {
  return isRandom ? layPlace(agent.replace('\n', '\nsleep 0.1\n'), { git: true }) : layPlace(agent);
}

function logsIn({ state }) {
  const workspaces = join(state, 'workspaces');
  if (!existsSync(workspaces)) return [];
  return readdirSync(workspaces).flatMap((home) => {
    const runs = join(workspaces, home, 'runs');
    const names = existsSync(runs) ? readdirSync(runs) : [];
    return names.map((name) => join(runs, name, 'log.jsonl')).filter((log) => existsSync(log));
  });
}

/** Ends with its exit code, or 128 for one that was killed. One that was not to be killed and lasts is a fault. */
function run(program, args, { workspace, state, dir, told, hung }, killMs) {
  return new Promise((done) => {
    const env = { ...process.env, AGENTGATE_STATE_DIR: state, HOME: dir, NO_COLOR: '1' };
    const out = told ? openSync(join(dir, `told-${told.length}.jsonl`), 'a') : 'ignore';
    told?.push(`told-${told.length}.jsonl`);
    const child = spawn(program, args, { cwd: workspace, env, stdio: ['ignore', out, 'ignore'] });
    if (told) closeSync(out);
    const timer = setTimeout(() => {
      if (killMs === undefined) hung.push(`${basename(program)} ${args.join(' ')} hung for ${longestMs} ms`);
      child.kill('SIGKILL');
    }, killMs ?? longestMs);
    child.on('exit', (code, signal) => {
      clearTimeout(timer);
      done(signal ? 128 : code);
    });
    child.on('error', () => done(127));
  });
}

function hasStrace() {
  try {
    execFileSync('strace', ['-o', '/dev/null', 'true'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
