import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { agentgate, type Ended, type Place, said, start } from './command.ts';

/** A made-up agent with its gates, and what must come of it. */
export interface Scenario {
  name: string;
  files?: Record<string, string>;
  /** A shell script; the iteration is in $n. */
  agent?: string;
  flags: string[];
  /** How the command is used; it answers with the last ended process. */
  use?: (place: Place, args: string[]) => Promise<Ended>;
  expect: { status: string; code: string; iterations: number; exit: number };
}

/**
 * Five steps, one test each, printed as TAP: step k passes once work.txt has the line `step k`.
 * A line `broken` keeps the suite from loading.
 */
const suite = `import { existsSync, readFileSync } from 'node:fs';
const total = Number(process.argv[2] ?? 5);
const lines = existsSync('work.txt') ? readFileSync('work.txt', 'utf8').split('\\n') : [];
console.log('TAP version 13');
let failed = 0;
for (let step = 1; step <= total; step++) {
  const ok = lines.includes('step ' + step);
  if (!ok) failed++;
  console.log((ok ? 'ok ' : 'not ok ') + step + ' - step ' + step);
}
console.log('1..' + total);
process.exit(failed === 0 ? 0 : 1);
`;
const steps = (total: number) => ['--gate', `tests=node suite.mjs ${total}`];
const files = { 'suite.mjs': suite };
const ok = (iterations: number) => ({ status: 'converged', code: 'goal.met', iterations, exit: 0 });
const diverged = (code: string, iterations: number) => ({ status: 'diverged', code, iterations, exit: 1 });

export const scenarios: Scenario[] = [
  {
    name: 'liar: says DONE, does nothing',
    files,
    agent: 'echo DONE',
    flags: steps(2),
    expect: diverged('agent.false-claim', 3),
  },
  {
    name: 'negated claim: "not DONE yet"',
    files,
    agent: 'echo "The work is not TASK_COMPLETE yet"; echo "I am far from\nDONE? No."',
    flags: steps(2),
    expect: diverged('no-progress.no-changes', 2),
  },
  {
    name: 'echoed prompt',
    files,
    agent: 'cat',
    flags: ['-p', 'Do it, then print TASK_COMPLETE', ...steps(2)],
    expect: diverged('no-progress.no-changes', 2),
  },
  {
    name: 'quoted claim in a code block',
    files,
    agent: 'printf "Print this at the end:\\n\\n\\140\\140\\140\\nDONE\\n\\140\\140\\140\\n"',
    flags: steps(2),
    expect: diverged('no-progress.no-changes', 2),
  },
  { name: 'silent no-op', files, agent: ':', flags: steps(2), expect: diverged('no-progress.no-changes', 2) },
  {
    name: 'untracked-only work in a repository',
    files,
    agent: 'echo "step $n" >> work.txt',
    flags: steps(5),
    use: inRepository,
    expect: ok(5),
  },
  {
    name: 'honest, one finding per turn',
    files,
    agent: 'echo "step $n" >> work.txt; echo "did step $n"',
    flags: steps(12),
    expect: ok(12),
  },
  {
    name: 'slow, with plateaus',
    files: {
      ...files,
      'gate.sh':
        'n=$(grep -c step work.txt); w=$(tail -1 noise.txt 2>/dev/null)\n[ "$n" -ge 4 ] && exit 0\nfor i in 1 2 3 4; do [ "$i" -gt "$n" ] && echo "FAIL: step $i"; done\necho "FAIL: wandering $w"; exit 1',
      'work.txt': '',
    },
    agent: 'echo "$n" >> noise.txt; [ $((n % 4)) -eq 0 ] && echo "step $((n / 4))" >> work.txt; true',
    flags: ['--gate', 'sh gate.sh'],
    expect: ok(16),
  },
  {
    name: 'late binary gate',
    agent: 'echo "line $n" >> draft.txt; [ $n -lt 14 ] || touch done.txt',
    flags: ['--gate', 'test -f done.txt'],
    expect: ok(14),
  },
  {
    name: 'late binary gate with the same words',
    agent: 'echo "line $n" >> draft.txt; [ $n -lt 14 ] || touch done.txt',
    flags: ['--gate', 'test -f done.txt || { echo "Error: not there yet"; exit 1; }'],
    expect: ok(14),
  },
  {
    name: 'late binary gate under ralph',
    agent: 'echo "line $n" >> draft.txt; [ $n -lt 14 ] || touch done.txt',
    flags: ['--gate', 'test -f done.txt', '--strategy', 'ralph,max=20'],
    expect: ok(14),
  },
  {
    name: 'unmasking: a file that cannot load hides its failures',
    files: {
      'm.test.mjs':
        "import test from 'node:test';\nimport { a, b, c } from './m.mjs';\ntest('a', () => a());\ntest('b', () => b());\ntest('c', () => c());\n",
      'm.mjs': 'export function a() { throw new Error("a") }}}\n',
    },
    agent: `case $n in
  1) printf 'const no = (x) => { throw new Error(x) };\\nexport const a = () => no(1), b = () => no(2), c = () => no(3);\\n' > m.mjs ;;
  2) sed -i 's/a = () => no(1)/a = () => 1/' m.mjs ;;
  3) sed -i 's/b = () => no(2)/b = () => 2/' m.mjs ;;
  4) sed -i 's/c = () => no(3)/c = () => 3/' m.mjs ;;
esac`,
    flags: ['--gate', 'node --test --test-reporter=tap'],
    expect: ok(4),
  },
  {
    name: 'A/B oscillation',
    agent: 'if [ $((n % 2)) -eq 1 ]; then echo A > x; else echo B > x; fi',
    flags: ['--gate', 'grep -q C x'],
    expect: diverged('loop.oscillation', 4),
  },
  {
    name: 'A/B/C oscillation',
    agent: 'case $((n % 3)) in 1) echo A > x;; 2) echo B > x;; 0) echo C > x;; esac',
    flags: ['--gate', 'grep -q D x'],
    expect: diverged('loop.oscillation', 6),
  },
  {
    name: 'A/B/C oscillation under ralph',
    agent: 'case $((n % 3)) in 1) echo A > x;; 2) echo B > x;; 0) echo C > x;; esac',
    flags: ['--gate', 'grep -q D x', '--strategy', 'ralph'],
    expect: diverged('loop.oscillation', 6),
  },
  {
    name: 'the same tree again',
    files,
    agent: 'echo "step 9" > work.txt',
    flags: steps(2),
    expect: diverged('loop.snapshot-repeat', 3),
  },
  {
    name: 'worsening',
    files: { ...files, 'work.txt': 'step 1\nstep 2\nstep 3\nstep 4\nstep 5\n' },
    agent: 'sed -i "/step $n$/d" work.txt',
    flags: steps(6),
    expect: diverged('no-progress.divergence', 3),
  },
  {
    name: 'churn: new code each time, the same failures',
    files,
    agent: 'echo "export const v$n = $n$n;" > code$n.js',
    flags: steps(3),
    expect: diverged('loop.failure-set-repeat', 3),
  },
  {
    name: 'churn with changing words',
    files: { ...files, 'gate.sh': 'echo "FAIL: one $(cat c)"; echo "FAIL: two"; exit 1', c: '' },
    agent: 'echo "export const v = $n;" > code.js; echo "word" >> c',
    flags: ['--gate', 'cat c; node suite.mjs 3'],
    expect: diverged('loop.failure-set-repeat', 5),
  },
  {
    name: 'cosmetic edits',
    files: { ...files, 'a.js': 'let a = 1;\n' },
    agent: 'echo "// note $n" >> a.js; echo "" >> a.js',
    flags: steps(2),
    expect: diverged('loop.failure-set-repeat', 3),
  },
  {
    name: 'near-identical outputs',
    files,
    agent:
      'echo "export const v = $n;" > code.js; i=0; while [ $i -lt 60 ]; do echo "looking at file number $i of the project and thinking hard about it"; i=$((i+1)); done; echo "this was turn $n"',
    flags: ['--gate', 'cat code.js; node suite.mjs 3'],
    expect: diverged('loop.output-similarity', 3),
  },
  {
    name: 'hang: ends at the wall clock',
    files,
    agent: 'sleep 600',
    flags: [...steps(2), '--max-wall-clock', '3s'],
    expect: diverged('limit.wall-clock', 1),
  },
  {
    name: 'hang that ignores TERM',
    files,
    agent: 'trap "" TERM; sleep 600 & wait; sleep 600',
    flags: [...steps(2), '--max-wall-clock', '2s'],
    expect: diverged('limit.wall-clock', 1),
  },
  {
    name: 'crash, every time',
    files,
    agent: 'kill -9 $$',
    flags: steps(2),
    expect: diverged('strategy.agent-fails', 3),
  },
  {
    name: 'crash counts against the limit',
    files,
    agent: 'exit 1',
    flags: [...steps(2), '--max-iterations', '2'],
    expect: diverged('limit.iterations', 2),
  },
  {
    name: 'crash once, then fix',
    files,
    agent: '[ $n -eq 1 ] && exit 1; echo "step 1" > work.txt',
    flags: steps(1),
    expect: ok(2),
  },
  {
    name: 'good work, wrong exit code',
    files,
    agent: 'echo "step 1" > work.txt; exit 3',
    flags: steps(1),
    expect: ok(3),
  },
  {
    name: 'flood of 64 MB',
    files,
    agent: 'head -c 64000000 /dev/zero | tr "\\0" "x"; echo "step 1" > work.txt',
    flags: steps(1),
    expect: ok(1),
  },
  {
    name: 'false claim, then fix',
    files,
    agent: '[ $n -eq 1 ] || echo "step 1" > work.txt; echo TASK_COMPLETE',
    flags: steps(1),
    expect: ok(2),
  },
  {
    name: 'false claim stops a strict ralph',
    files,
    agent: 'echo "step 1" > work.txt; echo TASK_COMPLETE',
    flags: [...steps(2), '--strategy', 'ralph,onFalseClaim=stop'],
    expect: diverged('agent.false-claim', 1),
  },
  {
    name: 'gives up honestly',
    files,
    agent: 'echo "{\\"giveUp\\": \\"the API is gone\\"}" > "$AGENTGATE_OUTCOME_FILE"',
    flags: steps(2),
    expect: diverged('agent.gave-up', 1),
  },
  {
    name: 'gives up by its marker',
    files,
    agent: 'm=$(grep -o "agentgate:give-up [0-9a-f]*"); echo "$m because it cannot be done"',
    flags: steps(2),
    expect: diverged('agent.gave-up', 1),
  },
  {
    name: 'kill -9 and resume: the count is exact',
    files,
    agent:
      'echo run >> ../runs.txt; echo "x$n" >> draft.txt; echo "step $n" >> work.txt; [ $n -eq 3 ] && [ ! -f ../killed ] && { touch ../killed; sleep 600; }; true',
    flags: [...steps(20), '--max-iterations', '6'],
    use: killedAndResumed,
    expect: diverged('limit.iterations', 6),
  },
  {
    name: 'SIGTERM',
    files,
    agent: 'sleep 600',
    flags: steps(2),
    use: signalled('SIGTERM'),
    expect: { status: 'stopped', code: 'user.stop', iterations: 1, exit: 130 },
  },
  {
    name: 'SIGINT',
    files,
    agent: 'sleep 600',
    flags: steps(2),
    use: signalled('SIGINT'),
    expect: { status: 'stopped', code: 'user.stop', iterations: 1, exit: 130 },
  },
  {
    name: 'agentgate stop',
    files,
    agent: 'sleep 600',
    flags: steps(2),
    use: stoppedByCommand('"agent.started"'),
    expect: { status: 'stopped', code: 'user.stop', iterations: 1, exit: 3 },
  },
  {
    name: 'soft only, with a claim',
    files,
    agent: 'echo "step $n" >> work.txt; echo DONE',
    flags: ['--soft-gate', 'tests=node suite.mjs 3'],
    expect: { status: 'stopped', code: 'agent.unverified-claim', iterations: 1, exit: 3 },
  },
  {
    name: 'only the soft gate fails',
    files,
    agent: 'echo "step $n" > work.txt',
    flags: [...steps(1), '--soft-gate', 'lint=exit 1', '--max-iterations', '1'],
    expect: { status: 'converged', code: 'goal.hard-only', iterations: 1, exit: 0 },
  },
  {
    name: 'red before, only new findings count',
    files: {
      ...files,
      'agentgate.yaml':
        'task: add step 3\nagent: { run: [sh, ../agent.sh] }\ngates:\n  old: { run: node suite.mjs 2, report: tap, baseline: no-new }\n  new: test -f new.txt\n',
    },
    agent: 'touch new.txt',
    flags: [],
    expect: ok(1),
  },
  {
    name: 'green before: the agent runs once',
    files,
    agent: 'echo hello > note.txt',
    flags: ['--gate', 'true'],
    expect: ok(1),
  },
  {
    name: 'wrong exit code: 0 although tests fail',
    files,
    agent: 'echo "step $n" >> work.txt',
    flags: ['--gate', 'tests=node suite.mjs 2 || true'],
    expect: ok(2),
  },
  {
    name: 'wrong exit code: 1 although tests pass',
    files,
    agent: 'echo "step 1" > work.txt; echo "v$n" > v.txt',
    flags: ['--gate', 'tests=node suite.mjs 1; exit 1', '--max-iterations', '2'],
    expect: diverged('limit.iterations', 2),
  },
  {
    name: 'an empty report is not a pass',
    files,
    agent: 'echo "v$n" > v.txt',
    flags: ['--gate', 'tests=printf "TAP version 13\\n1..0\\n"', '--max-iterations', '2'],
    expect: diverged('limit.iterations', 2),
  },
  {
    name: 'gate command missing',
    files,
    agent: 'touch ../ran',
    flags: ['--gate', 'no-such-tool --check'],
    expect: { status: 'error', code: 'error.gate', iterations: 0, exit: 4 },
  },
  {
    name: 'gate hangs',
    files,
    agent: 'echo "v$n" > v.txt',
    flags: [],
    use: withSpec('gates: { slow: { run: sleep 600, timeout: 1s } }\nlimits: { iterations: 2 }\n'),
    expect: diverged('limit.iterations', 2),
  },
  {
    name: 'gate pending, then green',
    files,
    agent: 'echo "step 1" > work.txt',
    flags: [
      '--gate',
      'ci=test -f work.txt || exit 1; test -f ../asked && exit 0; touch ../asked; echo "retry-after: 1"; exit 75',
    ],
    expect: ok(1),
  },
  {
    name: 'token limit',
    files,
    agent:
      'echo "step $n" >> work.txt; echo "{\\"tokens\\": 1000, \\"costUsd\\": 0.5}" > "$AGENTGATE_OUTCOME_FILE"',
    flags: [...steps(9), '--max-tokens', '3k'],
    expect: diverged('limit.tokens', 3),
  },
  {
    name: 'cost limit',
    files,
    agent:
      'echo "step $n" >> work.txt; echo "{\\"tokens\\": 1000, \\"costUsd\\": 0.5}" > "$AGENTGATE_OUTCOME_FILE"',
    flags: [...steps(9), '--max-cost', '2usd'],
    expect: diverged('limit.cost', 4),
  },
  {
    name: 'orphan that keeps writing',
    files,
    agent:
      'echo "step $n" >> work.txt; setsid sh -c "while :; do date +%N > noise.txt; done" > /dev/null 2>&1 & true',
    flags: [...steps(1), '--gate', 'sleep 0.3'],
    expect: ok(1),
  },
  {
    name: 'gates that write reports',
    files,
    agent: 'echo "step $n" >> work.txt',
    flags: ['--gate', 'tests=mkdir -p out; date +%N > out/report-$$.txt; node suite.mjs 2'],
    expect: ok(2),
  },
  {
    name: 'fixed: exactly three',
    files,
    agent: ':',
    flags: [...steps(2), '--strategy', 'fixed'],
    expect: diverged('limit.iterations', 3),
  },
  {
    name: 'hybrid 2+1 with progress',
    files,
    agent: 'echo "step $n" >> work.txt',
    flags: [...steps(9), '--strategy', 'hybrid,base=2,bonus=1'],
    expect: diverged('limit.iterations', 3),
  },
  {
    name: 'ralph to its maximum',
    files,
    agent: 'echo "step $n" >> work.txt',
    flags: [...steps(20), '--strategy', 'ralph,max=4'],
    expect: diverged('limit.iterations', 4),
  },
  {
    name: 'the workspace is deleted',
    files,
    agent: 'cd ..; rm -rf work',
    flags: steps(2),
    expect: { status: 'error', code: 'error.workspace', iterations: 1, exit: 4 },
  },
  {
    name: 'near-identical outputs, by plain Jaccard',
    files,
    agent:
      'echo "export const v = $n;" > code.js; echo "the same few words as ever and ever again in turn one two three four five"',
    flags: [],
    use: withSpec(
      'gates: { tests: { run: "cat code.js; node suite.mjs 3" } }\ndetectors: { output-similarity: { measure: jaccard } }\n',
    ),
    expect: diverged('loop.output-similarity', 3),
  },
  {
    name: 'signals of the spec',
    files,
    agent: 'echo "step $n" >> work.txt; [ $n -eq 1 ] && echo DONE || echo SHIPPED_IT',
    flags: [],
    use: withSpec(
      'gates: { tests: { run: node suite.mjs 9 } }\nstrategy: { kind: ralph, signals: [SHIPPED_IT], onFalseClaim: stop }\n',
    ),
    expect: diverged('agent.false-claim', 2),
  },
  {
    name: 'gate pending for ever',
    agent: 'touch a.txt',
    flags: [],
    use: withSpec(
      'gates: { ci: { run: "test -f a.txt || exit 1; echo retry-after: 1; exit 75" } }\nlimits: { maxWait: 2s }\n',
    ),
    expect: { status: 'suspended', code: 'awaiting-gate', iterations: 1, exit: 3 },
  },
  {
    name: 'agentgate stop while a gate is pending',
    agent: 'touch a.txt',
    flags: ['--gate', 'ci=test -f a.txt || exit 1; echo "retry-after: 600"; exit 75'],
    use: stoppedByCommand('"wait"'),
    expect: { status: 'stopped', code: 'user.stop', iterations: 1, exit: 3 },
  },
  {
    name: 'a gate undoes the work of the agent',
    files: { list: 'b\na\n' },
    agent: 'echo new >> list',
    flags: [
      '--gate',
      'a=grep -q new list',
      '--gate',
      'b=sed -i /new/d list; sort -o list list',
      '--max-iterations',
      '2',
    ],
    expect: diverged('no-progress.no-changes', 2),
  },
  {
    name: 'outcome file is a pipe',
    files,
    agent: 'echo "step 1" > work.txt; rm -f "$AGENTGATE_OUTCOME_FILE"; mkfifo "$AGENTGATE_OUTCOME_FILE"',
    flags: steps(1),
    expect: ok(1),
  },
  {
    name: 'a daemon without environment',
    agent:
      'echo good > v; env -i /usr/bin/setsid -f /bin/sh -c "sleep 0.7; echo bad > v" > /dev/null 2>&1 < /dev/null',
    flags: ['--gate', 'grep -q good v; r=$?; sleep 1; exit $r'],
    expect: ok(1),
  },
  {
    name: 'wall clock while a gate hangs in the baseline',
    agent: 'true',
    flags: ['--gate', 'sleep 600; false', '--max-wall-clock', '2s'],
    expect: diverged('limit.wall-clock', 0),
  },
  {
    name: 'agent program missing behind a shell',
    agent: 'exit 1',
    flags: ['--gate', 'false', '--agent', 'no-such-agent -p'],
    use: (place) =>
      agentgate(place, 'run', '--json', '-p', 'x', '--gate', 'false', '--agent', 'no-such-agent -p'),
    expect: { status: 'error', code: 'error.build', iterations: 1, exit: 4 },
  },
];

async function inRepository(place: Place, args: string[]): Promise<Ended> {
  const git = (...words: string[]) =>
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@t', ...words], {
      cwd: place.workspace,
      env: place.env,
    });
  git('init', '-q');
  git('add', '.');
  git('commit', '-qm', 'start');
  const before = git('status', '--porcelain').toString();
  const ended = await agentgate(place, ...args);
  const after = git('status', '--porcelain').toString();
  if (before !== '' || after.trim() !== '?? work.txt')
    throw new Error(`the repository was touched: ${after}`);
  return ended;
}

function signalled(signal: NodeJS.Signals) {
  return async (place: Place, args: string[]): Promise<Ended> => {
    const { child, ended } = start(place, args);
    await said(child, '"agent.started"');
    child.kill(signal);
    return ended;
  };
}

function stoppedByCommand(moment: string) {
  return async (place: Place, args: string[]): Promise<Ended> => {
    const { child, ended } = start(place, args);
    await said(child, moment);
    const stop = await agentgate(place, 'stop', '--note', 'enough');
    if (stop.exit !== 0) throw new Error(`stop exited with ${stop.exit}: ${stop.stderr}`);
    return ended;
  };
}

/** Kills the controller while the agent of iteration 3 works, and resumes. */
async function killedAndResumed(place: Place, args: string[]): Promise<Ended> {
  const { child, ended } = start(place, args);
  const marker = join(place.workspace, '..', 'killed');
  await said(child, '"iteration":3');
  while (!existsSync(marker)) await new Promise((done) => setImmediate(done));
  child.kill('SIGKILL');
  await ended;
  const resumed = await agentgate(place, 'resume', '--json');
  const runs = execFileSync('wc', ['-l', join(place.workspace, '..', 'runs.txt')]).toString();
  if (Number.parseInt(runs, 10) !== 6)
    throw new Error(`the agent ran ${runs.trim()} times under a limit of 6`);
  return resumed;
}

function withSpec(text: string) {
  return (place: Place): Promise<Ended> => {
    place.write({ 'agentgate.yaml': `task: go\nagent: { run: [sh, ../agent.sh] }\n${text}` });
    return agentgate(place, 'run', '--json');
  };
}

/** The arguments with which a scenario is run. */
export function argumentsOf({ flags, files = {} }: Scenario): string[] {
  if ('agentgate.yaml' in files) return ['run', '--json', ...flags];
  const prompt = flags.includes('-p') ? [] : ['-p', 'Make every step pass'];
  return ['run', '--json', ...prompt, ...flags, '--', 'sh', '../agent.sh'];
}
