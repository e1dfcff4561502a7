import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { agentgate, commandPath, makePlace, outcomeOf, type Place, said, start } from './support/command.ts';

let place: Place;
beforeEach(() => {
  place = makePlace();
  place.write({ '../agent.sh': 'echo "$AGENTGATE_ITERATION" >> work.txt\n' });
});
afterEach(() => place.remove());
const run = (...args: string[]) =>
  agentgate(place, 'run', '-p', 'count to two', ...args, '--', 'sh', '../agent.sh');
const two = ['--gate', 'grep -q 2 work.txt'];
async function appears(path: string): Promise<void> {
  while (!existsSync(join(place.workspace, path))) await new Promise((done) => setImmediate(done));
}

describe('bad input runs nothing', () => {
  it('tells ten mistakes at once', async () => {
    place.write({
      'agentgate.yaml':
        'task: ""\nagent: { run: [] }\ngates:\n  a: { run: x, severity: hrad }\n  b: { run: x, timeout: soon }\n  c: { rnu: x }\nstrategy: { kind: hybird }\nlimits: { itterations: 3, wallClock: 60, cost: lots }\n',
    });
    const ended = await agentgate(place, 'run');
    expect(ended.exit).toBe(2);
    expect(ended.stderr).toContain('10 mistakes in the spec; nothing was run');
    expect(ended.stderr.match(/^ {2}agentgate\.yaml:\d+:\d+ {2}/gm)).toHaveLength(10);
    expect(ended.stderr).not.toMatch(/at .*\.js:\d+/);
  });
  it('refuses to run without gates, and proposes those it found', async () => {
    place.write({ 'package.json': '{"scripts":{"test":"node --test"}}' });
    const ended = await agentgate(place, 'run', '-p', 'x', '--', 'true');
    expect([ended.exit, ended.stderr]).toMatchObject([2, expect.stringContaining('--gate "tests=npm test"')]);
  });
  it.each([
    [['run', '--no-such-flag'], /no-such-flag/],
    [['rnu'], /rnu/],
    [
      ['run', '-p', 'x', '--gate', 'true', '--max-iterations', 'many', '--', 'true'],
      /--max-iterations {2}limits\.iterations: expected a whole number/,
    ],
    [['run', '--config', 'none.yaml'], /no spec file none\.yaml/],
    [['run', 'NO.md', '--gate', 'true', '--', 'true'], /task file NO\.md cannot be read/],
    [['run', '-p', 'x', '--gate', 'a=true', '--gate', 'a=false', '--', 'true'], /two gates are named "a"/],
    [['resume'], /no runs of .* yet/],
    [['show', 'nope'], /no run nope/],
    [['resume', '--add-cost', 'much'], /--add-cost: expected an amount/],
  ])('%j', async (args, expected) => {
    const ended = await agentgate(place, ...args);
    expect([ended.exit, ended.stderr]).toMatchObject([2, expect.stringMatching(expected)]);
  });
  it('names a missing directory and a missing agent', async () => {
    expect(await agentgate(place, 'list', '-C', 'gone')).toMatchObject({
      exit: 2,
      stderr: expect.stringContaining('no directory'),
    });
    const missing = await agentgate(place, 'run', '-p', 'x', '--gate', 'true', '--', 'no-such-agent');
    expect([missing.exit, missing.stderr]).toMatchObject([
      4,
      expect.stringContaining('"no-such-agent" was not found'),
    ]);
    const inText = await agentgate(place, 'run', '-p', 'x', '--gate', 'true', '--agent', '/nonexist/a --go');
    expect([inText.exit, inText.stderr]).toMatchObject([
      4,
      expect.stringContaining('"/nonexist/a" was not found'),
    ]);
    expect((await agentgate(place, 'list', '--json')).stdout).toBe('');
  });
});

describe('state that cannot be kept', () => {
  // Whoever tries to make it for ever hears no gentler signal, and a test that waits for it no clock.
  const command = (state: string, args: readonly string[], input = '') =>
    spawnSync(process.execPath, [commandPath, ...args], {
      cwd: place.workspace,
      env: { ...place.env, AGENTGATE_STATE_DIR: state },
      input,
      encoding: 'utf8',
      timeout: 60_000,
      killSignal: 'SIGKILL',
    });
  const words = (over: object) =>
    JSON.stringify({ session_id: 's-1', cwd: place.workspace, hook_event_name: 'UserPromptSubmit', ...over });
  const folders = [
    ...(process.platform === 'linux' ? ['/proc/agentgate', '/proc/self/agentgate/state'] : []),
    `${commandPath}/state`,
  ];
  it.each(folders)('in %s is told at once by what needs it', (state) => {
    const spec = 'task: x\ngates: { a: "true" }\nagent: { kind: command, run: "true" }\n';
    place.write({ 'agentgate.yaml': spec });
    for (const args of [
      ['run'],
      ['check'],
      ['arm'],
      ['step'],
      ['demo'],
      ['serve', '--port', '0'],
      ['lab', 'export'],
    ]) {
      const { status, stderr } = command(state, args);
      expect([args, status, stderr]).toEqual([args, 4, expect.stringMatching(/^agentgate: cannot .*; /)]);
      expect(stderr).not.toMatch(/bug|\n +at /);
    }
    expect(command(state, ['run', '--json']).stdout).toContain('"code":"state.unwritable"');
    for (const args of [['list'], ['status'], ['doctor']])
      expect(command(state, args)).toMatchObject({
        signal: null,
        stderr: expect.not.stringContaining('bug'),
      });
  });
  it.each(folders)('in %s holds up no hook, and who wanted to be held is told', (state) => {
    const armed = command(state, ['hook', 'answer'], words({ prompt: '/gate do it' }));
    expect([armed.status, armed.stdout]).toEqual([
      0,
      expect.stringMatching(/not armed: cannot make the folder .*AGENTGATE_STATE_DIR/),
    ]);
    for (const input of [
      words({ prompt: 'hello' }),
      words({ hook_event_name: 'Stop' }),
      'no words of a host',
    ])
      expect(command(state, ['hook', 'answer'], input)).toMatchObject({ status: 0, stdout: '', stderr: '' });
  });
});

describe('a run', () => {
  it('works in any directory with no other file, and writes nothing there', async () => {
    const ended = await run(...two);
    expect(ended.exit).toBe(0);
    expect(readdirSync(place.workspace)).toEqual(['work.txt']);
    expect(ended.stdout).toMatch(/Gates met on tree [0-9a-f]{6}: .*\. goal\.met/);
    expect(ended.stdout).not.toMatch(/\u001b/);
  });
  it('prints JSON lines for machines, the outcome last', async () => {
    const ended = await run('--json', ...two);
    const lines = ended.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { kind: string });
    expect(lines[0]?.kind).toBe('run.started');
    expect(Object.keys(lines.at(-1)!)[0]).toBe('kind');
    expect(lines.at(-1)).toMatchObject({
      kind: 'run.ended',
      status: 'converged',
      code: 'goal.met',
      iterations: 2,
      caveats: [],
      costUsd: null,
      tokens: null,
    });
  });
  it('prints one line when quiet, and a plan on a dry run', async () => {
    expect((await run('--quiet', ...two)).stdout.trim().split('\n')).toHaveLength(1);
    const dry = await run('--dry-run', ...two);
    expect([dry.exit, dry.stdout]).toMatchObject([
      0,
      expect.stringContaining('at most   100 iterations, 1h'),
    ]);
  });
  it('lets one owner in, and tells the other who it is within a second', async () => {
    place.write({ '../agent.sh': 'sleep 600\n' });
    const { child, ended } = start(place, ['run', '--json', '-p', 'x', ...two, '--', 'sh', '../agent.sh']);
    await said(child, '"agent.started"');
    // Beside a command that does nothing, since a busy machine makes both slow; the quickest of three of each.
    const timed = async (act: () => Promise<unknown>): Promise<number> => {
      const startMs = performance.now();
      await act();
      return performance.now() - startMs;
    };
    const idle: number[] = [];
    const losing: number[] = [];
    for (let round = 0; round < 3; round++) {
      idle.push(await timed(() => agentgate(place, '--version')));
      losing.push(await timed(() => run(...two)));
    }
    expect(Math.min(...losing) - Math.min(...idle)).toBeLessThan(1_000);
    const second = await run(...two);
    expect([second.exit, second.stderr]).toMatchObject([
      75,
      expect.stringMatching(/held by run \w{6} \(process \d+/),
    ]);
    child.kill('SIGTERM');
    expect((await ended).exit).toBe(130);
    expect((await run('--quiet', '--max-wall-clock', '1s', ...two)).exit).toBe(1);
  });
  it('names a check that holds the workspace as what it is', async () => {
    const { child, ended } = start(place, ['check', '--gate', ': > ../judging; sleep 600']);
    await appears('../judging');
    const second = await run(...two);
    expect([second.exit, second.stderr]).toMatchObject([
      75,
      expect.stringMatching(/held by agentgate check \(process \d+, .*end it where it was started/),
    ]);
    child.kill('SIGTERM');
    await ended;
  });
  it('proposes more iterations when it was stopped in its last one', async () => {
    place.write({ '../agent.sh': 'touch ../works; sleep 600\n' });
    const args = ['-p', 'x', '--max-iterations', '1', ...two, '--', 'sh', '../agent.sh'];
    const { child, ended } = start(place, ['run', ...args]);
    await appears('../works');
    child.kill('SIGTERM');
    // Without them a resume ends at once.
    expect((await ended).stdout).toMatch(/its iterations are used up; .* --add-iterations 5 goes on/);
  });
  it('keeps escape bytes and bidi marks of the agent from terminal and feedback', async () => {
    place.write({
      '../agent.sh':
        'printf "\\033]0;owned\\007\\033[31mred\\342\\200\\256gnp\\n"; echo "$AGENTGATE_ITERATION" >> work.txt; cat > "../prompt-$AGENTGATE_ITERATION"\n',
    });
    const gate = 'printf "\\033[2Jerror: \\342\\200\\256bad\\n"; grep -q 2 work.txt';
    const ended = await agentgate(place, 'run', '-p', 'x', '--gate', gate, '--', 'sh', '../agent.sh');
    expect(ended.exit).toBe(0);
    const text = ended.stdout + readFileSync(join(place.workspace, '../prompt-2'), 'utf8');
    expect(text.replace(gate, '')).not.toMatch(/[\u001b\u0007\u202e]/);
  });
  it('tells the next agent what the gates saw, keeps what it was told, and judges in order', async () => {
    place.write({
      '../agent.sh':
        'cat > "../prompt-$AGENTGATE_ITERATION"; cp "$AGENTGATE_FEEDBACK_FILE" "../feedback-$AGENTGATE_ITERATION"; echo "$AGENTGATE_ITERATION" >> work.txt\n',
    });
    const gates = [
      '--gate',
      'a=echo a >> ../order; true',
      '--gate',
      'b=echo b >> ../order; echo "src/x.ts(3,5): error TS1: broken"; grep -q 2 work.txt',
      '--gate',
      'c=echo c >> ../order; true',
      // They write outside of the workspace.
      '--integrity',
      'off',
    ];
    const ended = await agentgate(place, 'run', '--json', '-p', 'x', ...gates, '--', 'sh', '../agent.sh');
    expect(ended.exit).toBe(0);
    const read = (name: string) => readFileSync(join(place.workspace, '..', name), 'utf8');
    expect(read('prompt-2')).toContain('[src/x.ts:3]');
    expect(read('prompt-2')).toContain(read('feedback-2'));
    expect(read('order').replaceAll('\n', '')).toBe('abcabcabc');
    const log = /Log: (.*)$/m.exec((await agentgate(place, 'show')).stdout)![1]!;
    const told = ended.stdout
      .split('\n')
      .filter((line) => line.includes('"agent.started"'))
      .map((line) => (JSON.parse(line) as { feedback: string }).feedback);
    expect(readFileSync(join(log, '..', 'blobs', told[1]!), 'utf8')).toBe(read('feedback-2'));
  });
  it('leaves the repository of the user alone', async () => {
    const git = (...args: string[]) =>
      execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@t', ...args], {
        cwd: place.workspace,
        env: place.env,
      }).toString();
    git('init', '-q');
    place.write({
      'a.txt': 'a',
      'b.txt': 'b',
      '.git/hooks/post-index-change': '#!/bin/sh\ntouch ../hooked\n',
    });
    chmodSync(join(place.workspace, '.git/hooks/post-index-change'), 0o755);
    git('-c', 'core.hooksPath=/dev/null', 'add', 'a.txt');
    git('-c', 'core.hooksPath=/dev/null', 'commit', '-qm', 'one');
    git('-c', 'core.hooksPath=/dev/null', 'add', 'b.txt');
    const files = () =>
      execFileSync('sh', ['-c', 'find .git -type f | sort | xargs sha256sum'], {
        cwd: place.workspace,
      }).toString();
    const before = files();
    expect((await run(...two)).exit).toBe(0);
    expect(files()).toBe(before);
    expect(existsSync(join(place.workspace, '../hooked'))).toBe(false);
  });
});

describe('looking at runs', () => {
  beforeEach(async () => {
    place.write({ 'keep.txt': 'mine' });
    await run(...two);
  });
  it('lists, shows and explains', async () => {
    const [row] = (await agentgate(place, 'list', '--json')).stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as object);
    expect(row).toMatchObject({ status: 'converged', code: 'goal.met', iterations: 2, task: 'count to two' });
    expect((await agentgate(place, 'list')).stdout).toContain('converged (goal.met)');
    expect((await agentgate(place, 'show')).stdout).toContain('goal.met');
    expect((await agentgate(place, 'show', '--output', '1')).exit).toBe(0);
    const told = (await agentgate(place, 'explain')).stdout.replaceAll('\n', ' ');
    expect(told).toMatch(/Before the agent began, .* was red with 1 finding; no tokens were spent/);
    expect(told).toMatch(/Iteration 1 went on, because hybrid had base iterations left: base 1 of 3/);
    expect(told).toMatch(/Iteration 2 was the last: the run converged, because every gate passed/);
  });
  it('diffs and restores any tree, and keeps what it replaces', async () => {
    expect((await agentgate(place, 'diff', '--stat')).stdout).toContain('work.txt');
    expect((await agentgate(place, 'diff', '--from', '1', '--to', '2')).stdout).toContain('+2');
    const bad = await agentgate(place, 'diff', '--from', '9');
    expect([bad.exit, bad.stderr]).toMatchObject([2, expect.stringContaining('no iteration "9"')]);
    writeFileSync(join(place.workspace, 'precious.txt'), 'unsaved');
    const restored = JSON.parse((await agentgate(place, 'restore', '--to', '0', '--json')).stdout) as {
      before: string;
    };
    expect(readdirSync(place.workspace)).toEqual(['keep.txt']);
    await agentgate(place, 'restore', '--to', restored.before);
    expect(readFileSync(join(place.workspace, 'precious.txt'), 'utf8')).toBe('unsaved');
    expect((await agentgate(place, 'restore', '--to', 'best')).exit).toBe(0);
    expect(readFileSync(join(place.workspace, 'work.txt'), 'utf8')).toBe('1\n2\n');
  });
  it('refuses a damaged log with the last good event, and still lists the others', async () => {
    const log = /Log: (.*)$/m.exec((await agentgate(place, 'show')).stdout)![1]!;
    const text = readFileSync(log, 'utf8');
    writeFileSync(log, text.replace('"agent.ended"', '"agent.endde"'));
    const shown = await agentgate(place, 'report');
    expect([shown.exit, shown.stderr]).toMatchObject([
      4,
      expect.stringMatching(/damaged after event \d+; the last good event is \d+ \(agent\.started/),
    ]);
    expect((await agentgate(place, 'resume')).exit).toBe(4);
    expect((await agentgate(place, 'list')).stdout).toContain('damaged');
  });
});

describe('what is yours', () => {
  it('is left alone by restore where the spec excludes it', async () => {
    place.write({
      'agentgate.yaml':
        'task: x\nagent: { run: [sh, ../agent.sh] }\ngates: { two: grep -q 2 work.txt }\nworkspace: { exclude: ["data/**"] }\n',
      'data/a.txt': 'before',
    });
    expect((await agentgate(place, 'run', '--quiet')).exit).toBe(0);
    place.write({ 'data/a.txt': 'after' });
    expect((await agentgate(place, 'restore', '--to', '0')).exit).toBe(0);
    expect(readFileSync(join(place.workspace, 'data/a.txt'), 'utf8')).toBe('after');
    expect(existsSync(join(place.workspace, 'work.txt'))).toBe(false);
  });
  it('is not replaced when a gate is given beside those of the file', async () => {
    place.write({
      'agentgate.yaml': 'task: x\nagent: { run: [sh, ../agent.sh] }\ngates: { lint: make lint }\n',
    });
    const dry = await agentgate(place, 'run', '--dry-run', '--gate', 'npm run lint');
    expect(dry.stdout).toMatch(/lint: make lint[\s\S]*lint-2: npm run lint/);
    const named = await agentgate(place, 'run', '--dry-run', '--gate', 'lint=npm run lint');
    expect(named.stdout).not.toContain('make lint');
  });
});

describe('other commands', () => {
  it('checks once, without an agent', async () => {
    expect(await agentgate(place, 'check', '--gate', 'true')).toMatchObject({ exit: 0 });
    expect(
      await agentgate(place, 'check', '--gate', 'echo "src/a.ts(3,5): error TS2322: bad"; exit 1'),
    ).toMatchObject({ exit: 1, stdout: expect.stringContaining('src/a.ts:3') });
    expect(await agentgate(place, 'check', '--gate', 'no-such-tool')).toMatchObject({ exit: 4 });
    expect(await agentgate(place, 'check', '--gate', 'true', '--soft-gate', 'false')).toMatchObject({
      exit: 0,
    });
    const spec = 'task: x\nagent: { run: x }\ngates: { a: "true" }\n';
    place.write({ 'agentgate.yaml': spec });
    expect(await agentgate(place, 'check', '--json')).toMatchObject({
      exit: 0,
      stdout: expect.stringContaining('"verdict":{"kind":"passed"}'),
    });
  });
  it('writes a spec that can be checked at once, and does not overwrite one', async () => {
    place.write({
      'package.json': '{"scripts":{"test":"node --test","lint":"true"}}',
      'a.test.js': "require('node:test')('a', () => {});\n",
    });
    expect((await agentgate(place, 'init')).stdout).toContain('npm test');
    expect(await agentgate(place, 'check')).toMatchObject({ exit: 0 });
    expect(await agentgate(place, 'init')).toMatchObject({
      exit: 2,
      stderr: expect.stringContaining('there already'),
    });
  });
  it('lists the strategies and helps with an example everywhere', async () => {
    expect((await agentgate(place, 'strategies')).stdout).toMatch(/fixed .*\nhybrid .*\nralph /);
    for (const name of [
      'init',
      'run',
      'resume',
      'check',
      'list',
      'show',
      'explain',
      'diff',
      'restore',
      'stop',
      'strategies',
      'demo',
    ]) {
      const help = await agentgate(place, name, '--help');
      expect([help.exit, help.stdout], name).toMatchObject([0, expect.stringContaining('agentgate ')]);
      expect(help.stdout, name).toContain('Example:');
    }
  });
  it('converges the bundled example', async () => {
    const ended = await agentgate(place, 'demo', '--json');
    expect([ended.exit, outcomeOf(ended)]).toMatchObject([0, { status: 'converged', iterations: 3 }]);
  });
  it('survives a reader that goes away', async () => {
    const { child, ended } = start(place, ['run', '--json', '-p', 'x', ...two, '--', 'sh', '../agent.sh']);
    child.stdout?.once('data', () => child.stdout?.destroy());
    await ended;
    expect((await agentgate(place, 'list')).stdout).toContain('converged (goal.met)');
  });
});
