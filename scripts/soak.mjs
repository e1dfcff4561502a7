// `npm run soak`: one run for a long time; its memory and its open files must not grow. `-- --minutes 60` says how long.
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { root, setUp } from './setup.mjs';

const mostGrownMb = 40;
const mostGrownFiles = 8;

/** A strategy counts no further than this; the agent takes its time, so that they last. */
const mostIterations = 1_000;

const { values } = parseArgs({ options: { minutes: { type: 'string', default: '10' } } });
const seconds = Number(values.minutes) * 60;
if (!(seconds > 0)) {
  console.error(`soak: --minutes ${values.minutes} is no number`);
  process.exit(2);
}
setUp({ quiet: true });
const dir = mkdtempSync(join(tmpdir(), 'agentgate-soak-'));
const workspace = join(dir, 'workspace');
mkdirSync(workspace);
writeFileSync(join(workspace, 'a.txt'), 'a\n');
writeFileSync(
  join(dir, 'agent.sh'),
  `echo "$AGENTGATE_ITERATION" >> a.txt; head -c 20000 /dev/urandom | base64; sleep ${seconds / mostIterations}\n`,
);
const args = [
  'run',
  '--json',
  '--strategy',
  'fixed',
  '--set',
  `strategy.iterations=${mostIterations}`,
  '--set',
  'limits.wallClock=48h',
];
const limits = [
  '--max-iterations',
  String(mostIterations),
  '-p',
  'x',
  '--gate',
  'wc -l a.txt; exit 1',
  '--',
  'sh',
  '../agent.sh',
];
const child = spawn(
  process.execPath,
  [join(root, 'packages', 'cli', 'bin', 'agentgate.cjs'), ...args, ...limits],
  {
    cwd: workspace,
    env: { ...process.env, AGENTGATE_STATE_DIR: join(dir, 'state'), HOME: dir },
    stdio: ['ignore', 'pipe', 'inherit'],
  },
);
let iterations = 0;
child.stdout.on('data', (chunk) => {
  iterations += chunk.toString().split('"kind":"agent.ended"').length - 1;
});
// Longer than it is looked at: whoever ends before that has not lasted.
const isOver = () => child.exitCode !== null || child.signalCode !== null;
const end = new Promise((done) => child.once('exit', done));
const samples = [];
const until = performance.now() + seconds * 1_000;
while (performance.now() < until && !isOver()) {
  await setTimeout(1_000);
  samples.push(sample(child.pid));
}
const lasted = !isOver();
child.kill('SIGINT');
await end;
rmSync(dir, { recursive: true, force: true });
// The first third is for warming up; what is compared are the lowest of the next and of the last part.
const third = Math.floor(samples.length / 3);
const lowest = (part, of) => Math.min(...part.map(of));
const grown = (of) => lowest(samples.slice(-third), of) - lowest(samples.slice(third, 2 * third), of);
const memory = grown((one) => one.mb);
const files = grown((one) => one.files);
console.log(
  `${iterations} iterations in ${values.minutes} minutes; memory grew by ${memory.toFixed(1)} MB, open files by ${files}`,
);
const isLong = lasted && samples.length > 5;
const isFlat = isLong && memory <= mostGrownMb && files <= mostGrownFiles;
console.log(isFlat ? 'soak: flat' : isLong ? 'soak: it grows' : 'soak: it did not last');
process.exit(isFlat ? 0 : 1);

function sample(pid) {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const mb = Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024;
    return { mb, files: readdirSync(`/proc/${pid}/fd`).length };
  } catch {
    // It has ended meanwhile.
    return { mb: 0, files: 0 };
  }
}
