// Records the golden histories: complete runs of the built command in /tmp/golden, a place like any other.
//   node scripts/golden.mjs [name …]
// A history that was recorded once is never recorded again: it is what that version wrote. A new one gets a new name,
// and its hash goes to the end of the list that the tests compare it with.
import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { root, setUp } from './setup.mjs';

const place = '/tmp/golden';
const project = join(place, 'project');
const target = join(root, 'packages/core/src/golden/histories');
const bin = join(root, 'packages/cli/bin/agentgate.cjs');
const tmp = join(place, 'tmp');
const env = {
  PATH: process.env.PATH,
  HOME: place,
  XDG_STATE_HOME: join(place, 'state'),
  TMPDIR: tmp,
  NO_COLOR: '1',
};

const addsLines = 'echo "line $AGENTGATE_ITERATION" >> a.txt\n';
const wantsLines = (lines) => ['--gate', `lines=test "$(wc -l < a.txt)" -ge ${lines}`];

/** Each makes a place and lives through one history. */
const histories = {
  async converged() {
    begin({ 'a.txt': '', '../agent.sh': addsLines });
    await agentgate('run', '-p', 'Write two lines.', ...wantsLines(2), '--', 'sh', '../agent.sh');
  },
  async 'diverged-limit'() {
    begin({ 'a.txt': '', '../agent.sh': addsLines });
    const limit = ['--max-iterations', '2', '--integrity', 'off'];
    await agentgate('run', '-p', 'Write nine lines.', ...limit, ...wantsLines(9), '--', 'sh', '../agent.sh');
  },
  async 'resumed-after-kill'() {
    begin({ 'a.txt': '', '../agent.sh': `${addsLines}[ -f ../mark ] || { touch ../mark; sleep 600; }\n` });
    await killed('run', '-p', 'Write two lines.', ...wantsLines(2), '--', 'sh', '../agent.sh');
    await agentgate('resume');
  },
  async 'linked-with-grant'() {
    begin({ 'a.txt': '', '../agent.sh': addsLines });
    const limit = ['--max-iterations', '1'];
    await agentgate('run', '-p', 'Write two lines.', ...limit, ...wantsLines(2), '--', 'sh', '../agent.sh');
    await agentgate('resume', '--add-iterations', '1');
  },
  async 'strict-needs-grant'() {
    begin({
      'answer.sh': 'echo 41\n',
      'test/answer.test.sh': 'test "$(sh answer.sh)" = 42\n',
      '../agent.sh': 'echo "echo 42" > answer.sh; echo "true" > test/answer.test.sh\n',
    });
    const gate = ['--gate', 'answer=sh test/answer.test.sh', '--integrity', 'strict'];
    await agentgate('run', '-p', 'Answer with 42.', ...gate, '--', 'sh', '../agent.sh');
  },
  async 'forked-from-event'() {
    begin({ 'a.txt': '', '../agent.sh': addsLines });
    const limit = ['--max-iterations', '2'];
    await agentgate('run', '-p', 'Write three lines.', ...limit, ...wantsLines(3), '--', 'sh', '../agent.sh');
    const seq = logs()[0].findIndex((line) => line.includes('"kind":"agent.ended"')) + 1;
    await agentgate('resume', '--from-event', String(seq));
  },
  async 'adaptive-learned'() {
    begin({ 'a.txt': '', '../agent.sh': addsLines });
    const run = (task, strategy, lines) => {
      writeFileSync(join(project, 'a.txt'), '');
      const how = ['-p', task, '--strategy', strategy, '--integrity', 'off'];
      return agentgate('run', ...how, ...wantsLines(lines), '--', 'sh', '../agent.sh');
    };
    for (let at = 0; at < 16; at++)
      await run(`Write lines, ${at}.`, 'fixed,iterations=4', at % 4 === 0 ? 9 : 2);
    await agentgate('lab', 'fit', '--strategy', 'adaptive,explore=0');
    for (const name of readdirSync(runsDir())) rmSync(join(runsDir(), name), { recursive: true });
    await run('Write nine lines.', 'adaptive,explore=0', 9);
  },
  async 'redirected-while-away'() {
    begin({ 'a.txt': '', '../agent.sh': `${addsLines}[ -f ../mark ] || { touch ../mark; sleep 600; }\n` });
    await killed('run', '-p', 'Write two lines.', ...wantsLines(2), '--', 'sh', '../agent.sh');
    await agentgate('redirect', 'Write them quickly.');
    await agentgate('resume');
  },
  async 'approved-by-a-person'() {
    begin({
      'a.txt': '',
      '../agent.sh': addsLines,
      'agentgate.yaml':
        'task: Write a line.\nagent: { run: [sh, ../agent.sh] }\ngates:\n  lines: test -s a.txt\n  review: { kind: approval, onFailure: escalate }\nnotify: { run: "true" }\n',
    });
    const run = agentgate('run');
    await until(() => agentgate('reject', 'review', '--as', 'ann', '--note', 'One more.'));
    await until(() => agentgate('approve', 'review', '--as', 'ann'));
    await run;
  },
  async 'stopped-by-command'() {
    begin({ 'a.txt': '', '../agent.sh': `${addsLines}touch ../mark; sleep 600\n` });
    const run = agentgate('run', '-p', 'Write two lines.', ...wantsLines(2), '--', 'sh', '../agent.sh');
    await marked();
    await agentgate('stop');
    await run;
  },
  async 'granted-in-strict'() {
    begin({
      'answer.sh': 'echo 41\n',
      'test/answer.test.sh': 'test "$(sh answer.sh)" = 42\n',
      '../agent.sh': 'echo "echo 42" > answer.sh; echo "# new" >> test/answer.test.sh\n',
    });
    const gate = ['--gate', 'answer=sh test/answer.test.sh', '--integrity', 'strict'];
    await agentgate('run', '-p', 'Answer with 42.', ...gate, '--', 'sh', '../agent.sh');
    await agentgate('approve', '--grant', '--as', 'ann');
    await agentgate('resume');
  },
  async 'stuck-with-every-move'() {
    begin({ 'a.txt': '', '../agent.sh': 'echo nothing\n' });
    await agentgate('run', '-p', 'Write two lines.', ...wantsLines(2), '--', 'sh', '../agent.sh');
  },
  async 'advised-by-a-module'() {
    begin({
      'a.txt': '',
      '../agent.sh': addsLines,
      'strategy.mjs':
        'export default { shouldContinue: async (c) => ({ continue: c.iteration < 2, reason: "two are enough" }) };\n',
    });
    const strategy = ['--set', 'strategy={kind: custom, module: ./strategy.mjs}'];
    await agentgate('run', '-p', 'Write.', ...strategy, ...wantsLines(9), '--', 'sh', '../agent.sh');
  },
  async 'answered-by-silence'() {
    begin({ 'a.txt': '', '../agent.sh': addsLines });
    const strategy = ['--set', 'strategy={kind: manual, timeout: 1s, default: stop}'];
    await agentgate('run', '-p', 'Write.', ...strategy, ...wantsLines(9), '--', 'sh', '../agent.sh');
  },
  async 'delivered-as-a-branch'() {
    begin({ 'a.txt': '', '../agent.sh': addsLines });
    for (const args of [
      ['init', '-q', '-b', 'main'],
      ['add', '.'],
      ['commit', '-q', '-m', 'first'],
    ])
      execFileSync('git', ['-c', 'user.name=ann', '-c', 'user.email=ann@example.org', ...args], {
        cwd: project,
      });
    const deliver = ['--set', 'deliver=branch'];
    await agentgate('run', '-p', 'Write.', ...deliver, ...wantsLines(1), '--', 'sh', '../agent.sh');
  },
  async 'one-step-at-a-time'() {
    begin({ 'a.txt': '', '../agent.sh': addsLines });
    const step = ['step', '-p', 'Write two lines.', ...wantsLines(2), '--', 'sh', '../agent.sh'];
    await agentgate(...step);
    await agentgate(...step);
  },
  async 'no-place-for-the-agent'() {
    begin({ 'a.txt': '', '../agent.sh': `${addsLines}rm -rf ${tmp}\n` });
    await agentgate('run', '-p', 'Write two lines.', ...wantsLines(2), '--', 'sh', '../agent.sh');
    mkdirSync(tmp, { recursive: true });
    await agentgate('resume');
  },
  async 'held-and-handed-over'() {
    begin({ 'a.txt': '', '../agent.sh': addsLines });
    await agentgate('arm', ...wantsLines(1), '-p', 'Write a line.', '--agent', 'claude');
    await hook({ hook_event_name: 'UserPromptSubmit', prompt: 'Go.' });
    await hook({ hook_event_name: 'Stop', last_assistant_message: 'Done.' });
    // The disk of the state is out of reach for a moment: the session is let go, and comes back by itself.
    rmSync(tmp, { recursive: true });
    await hook({ hook_event_name: 'Stop', last_assistant_message: 'Done.' });
    mkdirSync(tmp);
    await hook({ hook_event_name: 'UserPromptSubmit', prompt: 'Go on.' });
    writeFileSync(join(project, 'a.txt'), 'a line\n');
    await hook({ hook_event_name: 'Stop', last_assistant_message: 'Done.' });
  },
};

setUp();
mkdirSync(target, { recursive: true });
const asked = process.argv.slice(2);
const again = asked.filter((name) => existsSync(fileOf(name)));
if (again.length > 0) {
  console.error(`golden: ${again.join(', ')}: recorded already, and never again; give a new one a new name`);
  process.exit(2);
}
for (const [name, live] of Object.entries(histories)) {
  if (existsSync(fileOf(name)) || (asked.length > 0 && !asked.includes(name))) continue;
  await live();
  const text = `${logs().flat().join('\n')}\n`;
  writeFileSync(fileOf(name), text);
  const hash = createHash('sha256').update(text).digest('hex');
  appendFileSync(join(target, '..', 'recorded.sha256'), `${hash}  histories/${name}.jsonl\n`);
  console.log(
    `${name}: ${logs()
      .map((lines) => lines.length)
      .join(' + ')} events`,
  );
}
rmSync(place, { recursive: true, force: true });

function fileOf(name) {
  return join(target, `${name}.jsonl`);
}

function begin(files) {
  rmSync(place, { recursive: true, force: true });
  mkdirSync(join(project, 'test'), { recursive: true });
  mkdirSync(tmp);
  for (const [path, text] of Object.entries(files)) writeFileSync(join(project, path), text);
}

function runsDir() {
  const workspaces = join(env.XDG_STATE_HOME, 'agentgate/workspaces');
  return join(workspaces, readdirSync(workspaces)[0], 'runs');
}

/** The lines of each log, the oldest first. */
function logs() {
  const runs = runsDir();
  return readdirSync(runs)
    .filter((run) => existsSync(join(runs, run, 'log.jsonl')))
    .map((run) =>
      readFileSync(join(runs, run, 'log.jsonl'), 'utf8')
        .trimEnd()
        .split('\n'),
    )
    .sort(([a], [b]) => (JSON.parse(a).at < JSON.parse(b).at ? -1 : 1));
}

function agentgate(...args) {
  return start(args).ended;
}

/** The controller is killed as soon as the agent has left its mark. */
async function killed(...args) {
  const { child, ended } = start(args);
  await marked();
  child.kill('SIGKILL');
  await ended;
}

async function marked() {
  while (!existsSync(join(place, 'mark'))) await new Promise((done) => setTimeout(done, 20));
}

/** Until somebody is there to be told. */
async function until(act) {
  for (let times = 0; times < 60; times++) if ((await act()) === 0) return;
  throw new Error('nobody ever asked');
}

/** What the host of a session says to the hook. */
function hook(words, ...more) {
  const { child, ended } = start(['hook', 'answer', ...more], 'pipe');
  child.stdin.end(JSON.stringify({ session_id: 's-1', cwd: project, ...words }));
  return ended;
}

function start(args, stdin = 'ignore') {
  const child = spawn(process.execPath, [bin, ...args], {
    cwd: project,
    env,
    stdio: [stdin, 'ignore', 'ignore'],
  });
  return { child, ended: new Promise((done) => child.on('close', done)) };
}
