import { type ChildProcess, spawn } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { agentgate, makePlace, outcomeOf, type Place } from './support/command.ts';
import { until } from './support/processes.ts';

const bin = fileURLToPath(new URL('../packages/cli/bin/agentgate.cjs', import.meta.url));

let place: Place;
beforeEach(() => {
  place = makePlace({ 'check.sh': 'grep -qx right answer.txt\n', 'answer.txt': 'wrong\n' });
});
afterEach(() => place.remove());

interface Told {
  exit: number | null;
  stdout: string;
  stderr: string;
}

/** One start of the hook; `feed` writes to it, and may leave it open. */
function hook(
  feed: (child: ChildProcess) => void,
  env: Record<string, string> = {},
  flags: readonly string[] = [],
): Promise<Told> {
  const child = spawn(process.execPath, [bin, 'hook', 'answer', ...flags], {
    cwd: place.workspace,
    env: { ...place.env, ...env },
    stdio: 'pipe',
  });
  let [stdout, stderr] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  child.stdin.on('error', () => undefined);
  feed(child);
  return new Promise((done) => child.on('close', (exit) => done({ exit, stdout, stderr })));
}

const call = (over: object = {}): string =>
  JSON.stringify({ session_id: 's-1', cwd: place.workspace, hook_event_name: 'Stop', ...over });
const say = (words: string | Buffer) => hook((child) => child.stdin?.end(words));
const silent = { exit: 0, stdout: '', stderr: '' };
const misfires = (): number => {
  const path = join(place.state, 'agentgate', 'hook-misfires.jsonl');
  return existsSync(path) ? readFileSync(path, 'utf8').trim().split('\n').length : 0;
};

describe('a hook lets its host go on', () => {
  it('for a session that nobody armed, and leaves nothing behind', async () => {
    for (const name of [
      'Stop',
      'AfterAgent',
      'UserPromptSubmit',
      'SubagentStop',
      'SessionStart',
      'SessionEnd',
      'Odd',
    ])
      expect(await say(call({ hook_event_name: name, prompt: 'hello' }))).toEqual(silent);
    expect(existsSync(place.state)).toBe(false);
  });
  it.each<[string, string | Buffer]>([
    ['nothing', ''],
    ['text', 'Stop!'],
    ['half a value', '{"session_id":"s-1","cwd":'],
    ['a list', '[1,2]'],
    ['bytes', Buffer.from([0, 255, 254, 123])],
    ['a name that leads elsewhere', '{"session_id":"../x","cwd":"/w","hook_event_name":"Stop"}'],
    ['a deep value', `${'['.repeat(100_000)}${']'.repeat(100_000)}`],
    ['much', Buffer.alloc(70 * 1024 * 1024, 120)],
  ])('whose words are %s, and puts that on record', async (_name, words) => {
    expect(await say(words)).toEqual(silent);
    expect(misfires()).toBe(1);
    expect((await agentgate(place, 'status')).stdout).toMatch(
      /Hooks misfired 1 times, the last time on \d{4}-\d\d-\d\d \d\d:\d\d, and let it through/,
    );
  });
  it('and begins its record anew where that is long, so that the newest is in it', async () => {
    const folder = join(place.state, 'agentgate');
    place.write({ [`${relative(place.workspace, folder)}/hook-misfires.jsonl`]: 'x\n'.repeat(600 * 1024) });
    expect(await say('Stop!')).toEqual(silent);
    expect(misfires()).toBe(1);
    expect(existsSync(join(folder, 'hook-misfires.old.jsonl'))).toBe(true);
  });
  it('that never ends its words, once they are whole', async () => {
    expect(await hook((child) => child.stdin?.write(call()))).toEqual(silent);
  });
  it('that says nothing and stays, after ten seconds', async () => {
    expect(await hook(() => undefined)).toEqual(silent);
    expect(misfires()).toBe(1);
  });
  it('that has gone before the answer', async () => {
    const told = await hook((child) => {
      child.stdout?.destroy();
      child.stdin?.end(call({ hook_event_name: 'UserPromptSubmit', prompt: '/gate x' }));
    });
    expect(told.stderr).toBe('');
    expect(misfires()).toBe(0);
    // What nobody heard of is not armed.
    for (;;) if ((await agentgate(place, 'status')).stdout.includes('broken off before')) break;
    expect(await say(call())).toEqual(silent);
  });
  it('whose agent a run of ours drives from outside', async () => {
    const words = call({ hook_event_name: 'UserPromptSubmit', prompt: '/gate x' });
    expect(await hook((child) => child.stdin?.end(words), { AGENTGATE_RUN_ID: 'r' })).toEqual(silent);
  });
  it('where there is nothing to judge by', async () => {
    const empty = join(place.workspace, 'empty');
    mkdirSync(empty);
    const told = await say(call({ cwd: empty, hook_event_name: 'UserPromptSubmit', prompt: '/gate fix it' }));
    expect([told.exit, JSON.parse(told.stdout)]).toMatchObject([
      0,
      { systemMessage: expect.stringContaining('no gate was found') },
    ]);
    const open = await say(call({ hook_event_name: 'UserPromptSubmit', prompt: '/gate' }));
    expect(JSON.parse(open.stdout)).toMatchObject({
      systemMessage: expect.stringContaining('say what to do'),
    });
    expect((await agentgate(place, 'status')).stdout).toMatch(
      /a session of claude \(s-1\) is NOT held since .*: AgentGate: not armed: say what to do/,
    );
  });
});

const newestIn = (folder: string): string =>
  readdirSync(join(folder, readdirSync(folder)[0]!, 'runs')).find((name) => /^\w+$/.test(name))!;

describe('a hook holds the session that was armed', () => {
  const arm = (...words: string[]) =>
    agentgate(place, 'arm', '--gate', 'answer=sh check.sh', '-p', 'Write it.', '--agent', 'claude', ...words);
  const asked = (sessionId = 's-1') =>
    say(call({ session_id: sessionId, hook_event_name: 'UserPromptSubmit', prompt: 'Go.' }));
  const stopped = (over: object = {}) => say(call({ last_assistant_message: 'Done.', ...over }));

  it('until its gates pass, and no other one', async () => {
    expect((await arm()).exit).toBe(0);
    expect(JSON.parse((await asked()).stdout)).toMatchObject({
      systemMessage: expect.stringContaining('answer red'),
      hookSpecificOutput: { additionalContext: expect.stringContaining('sh check.sh') },
    });
    // Armed once: the second session is free.
    expect(await asked('s-2')).toEqual(silent);
    expect(await stopped({ session_id: 's-2' })).toEqual(silent);
    expect(JSON.parse((await stopped()).stdout)).toMatchObject({ decision: 'block' });
    place.write({ 'answer.txt': 'right\n' });
    expect(JSON.parse((await stopped()).stdout)).toEqual({
      systemMessage: expect.stringContaining('gates met'),
    });
    expect(await stopped()).toEqual(silent);
    expect((await agentgate(place, 'list')).stdout).toMatch(/converged \(goal\.met\)\s+2 iterations/);
    expect((await agentgate(place, 'verify')).exit).toBe(0);
  });
  it('but not its subagents, nor while it only pauses', async () => {
    await arm();
    await asked();
    expect(await stopped({ hook_event_name: 'SubagentStop', agent_id: 'x' })).toEqual(silent);
    expect(await stopped({ background_tasks: [{ id: 'b', status: 'running' }] })).toEqual(silent);
    expect((await agentgate(place, 'status')).stdout).toMatch(
      /holds a session of claude.*stopped 1 of at most 10 times with work in the background, NOT judged/,
    );
    expect((await agentgate(place, 'list', '--json')).stdout).toContain('"iterations":1');
    // The words of a person end the time in which it waited for them.
    const idle = () =>
      (
        JSON.parse(readFileSync(join(place.state, 'agentgate', 'sessions', 's-1.json'), 'utf8')) as {
          idle: object;
        }
      ).idle;
    expect(idle()).toMatchObject({ ms: 0, sinceMs: expect.any(Number) });
    await asked();
    expect(idle()).toMatchObject({ ms: expect.any(Number), sinceMs: null });
    for (let n = 2; n <= 10; n++) await stopped({ background_tasks: [{ id: 'b' }] });
    expect(JSON.parse((await stopped({ background_tasks: [{ id: 'b' }] })).stdout)).toMatchObject({
      decision: 'block',
    });
  });
  it('whatever the host says about its hooks', async () => {
    await arm('--max-iterations', '5');
    await asked();
    for (const active of [true, true, false])
      expect(JSON.parse((await stopped({ stop_hook_active: active })).stdout)).toMatchObject({
        decision: 'block',
      });
  });
  it('and suspends it while a person has to answer; the next prompt goes on', async () => {
    place.write({ 'agentgate.yaml': 'task: Write it.\nagent: claude\ngates: { yes: { kind: approval } }\n' });
    expect((await agentgate(place, 'arm')).exit).toBe(0);
    await asked();
    expect(JSON.parse((await stopped()).stdout)).toEqual({
      systemMessage: expect.stringMatching(
        /NOT converged.*suspended \(awaiting-approval\).*agentgate approve/,
      ),
    });
    expect((await agentgate(place, 'list')).stdout).toContain('suspended (awaiting-approval), NOT converged');
    const approved = await agentgate(place, 'approve', 'yes');
    expect([approved.exit, approved.stdout]).toMatchObject([
      0,
      expect.stringContaining('The next prompt of'),
    ]);
    expect(JSON.parse((await asked()).stdout)).toEqual({
      systemMessage: expect.stringContaining('gates met'),
    });
    expect((await agentgate(place, 'list')).stdout).toMatch(/converged \(goal\.met\)\s+1 iteration/);
    expect((await agentgate(place, 'status')).stdout).toContain('No session is held here');
  });
  it('and takes a suspended one up with new words, also behind /gate, which are no failure of what it did', async () => {
    place.write({ 'agentgate.yaml': 'task: Write it.\nagent: claude\ngates: { yes: { kind: approval } }\n' });
    await agentgate(place, 'arm');
    await asked();
    await stopped();
    const words = { hook_event_name: 'UserPromptSubmit', prompt: '/gate Write it in capitals.' };
    const { hookSpecificOutput } = JSON.parse((await say(call(words))).stdout);
    expect(hookSpecificOutput.additionalContext).toMatch(/Iteration 1 was not judged, because the person/);
    expect((await agentgate(place, 'show')).stdout).toContain('redirected: Write it in capitals.');
  });
  it('for words of a person, and not for the end of work in the background', async () => {
    place.write({ 'agentgate.yaml': 'task: Write it.\nagent: claude\ngates: { yes: { kind: approval } }\n' });
    const prompt = '<task-notification>\n<status>completed</status>\n</task-notification>';
    const notified = () => say(call({ hook_event_name: 'UserPromptSubmit', prompt }));
    await agentgate(place, 'arm');
    expect(await notified()).toEqual(silent);
    expect((await agentgate(place, 'status')).stdout).toContain('armed for the next prompt');
    await asked();
    await stopped();
    expect(await notified()).toEqual(silent);
    expect((await agentgate(place, 'status')).stdout).toContain('suspended');
    expect((await agentgate(place, 'list')).stdout.trim().split('\n')).toHaveLength(1);
  });
  it('and leaves no iteration behind that nobody takes when its hook is killed', async () => {
    place.write({ 'slow.sh': 'while [ -e hang ]; do touch judging; sleep 0.1; done; exit 1\n' });
    const gate = ['--gate', 'answer=sh slow.sh', '--integrity', 'off'];
    await agentgate(place, 'arm', ...gate, '-p', 'Write it.', '--agent', 'claude');
    await asked();
    place.write({ hang: '' });
    const child = spawn(process.execPath, [bin, 'hook', 'answer'], { cwd: place.workspace, env: place.env });
    child.stdin.end(call());
    await until(() => existsSync(join(place.workspace, 'judging')));
    child.kill('SIGKILL');
    rmSync(join(place.workspace, 'hang'));
    for (;;) if ((await agentgate(place, 'list')).stdout.includes('cut short, NOT converged')) break;
    expect((await agentgate(place, 'list', '--json')).stdout).toContain('"iterations":1,');
    expect((await agentgate(place, 'status')).stdout).toContain('its hook was ended while');
    expect(await stopped()).toEqual(silent);
    expect((await asked()).stdout).toContain('AgentGate holds this session');
  });
  /** A gate that says when it judges, and does so until it is let go. */
  const armSlow = async () => {
    place.write({ 'slow.sh': 'while [ -e hang ]; do touch judging; sleep 0.1; done; exit 1\n' });
    const gate = ['--gate', 'answer=sh slow.sh', '--integrity', 'off'];
    await agentgate(place, 'arm', ...gate, '-p', 'Write it.', '--agent', 'claude');
  };
  const isJudging = () => until(() => existsSync(join(place.workspace, 'judging')));
  const letGo = () => rmSync(join(place.workspace, 'hang'));
  /** What the list says of the run, once nobody judges it any more. */
  const leftAs = async (words: string) => {
    for (;;) if ((await agentgate(place, 'list')).stdout.includes(words)) break;
    return (await agentgate(place, 'list', '--json')).stdout;
  };
  it.each<[string, (host: ChildProcess) => void]>([
    ['is killed, though its hook lives', (host) => host.kill('SIGKILL')],
    ['takes no answer any more', (host) => void host.send('deaf')],
  ])('and leaves no iteration behind when its host %s', async (_name, end) => {
    await armSlow();
    await asked();
    place.write({
      hang: '',
      // A host that starts a hook as hosts do, and listens to it.
      '../host.mjs': `import { spawn } from 'node:child_process';
const hook = spawn(process.execPath, [${JSON.stringify(bin)}, 'hook', 'answer'], { stdio: 'pipe' });
hook.stdin.end(${JSON.stringify(call())});
process.on('message', () => { hook.stdout.destroy(); process.send('deaf'); });
hook.on('close', () => process.exit(0));
`,
    });
    const host = spawn(process.execPath, [join(place.workspace, '..', 'host.mjs')], {
      cwd: place.workspace,
      env: place.env,
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    await isJudging();
    const told = new Promise((done) => host.once('message', done).once('close', done));
    end(host);
    await told;
    letGo();
    expect(await leftAs('cut short, NOT converged')).toContain('"iterations":1,');
    expect((await agentgate(place, 'status')).stdout).toContain('its hook was ended');
    expect(await stopped()).toEqual(silent);
    expect((await asked()).stdout).toContain('AgentGate holds this session');
  });
  it('but not one whose prompt was broken off while its gates were judged before it began', async () => {
    await armSlow();
    place.write({ hang: '' });
    const child = spawn(process.execPath, [bin, 'hook', 'answer'], { cwd: place.workspace, env: place.env });
    child.stdin.end(call({ hook_event_name: 'UserPromptSubmit', prompt: 'Go.' }));
    await isJudging();
    child.kill('SIGKILL');
    letGo();
    expect(await leftAs('cut short, NOT converged')).toContain('"iterations":0,');
    expect((await agentgate(place, 'status')).stdout).toContain('broken off before the session was armed');
    expect(await stopped()).toEqual(silent);
    expect(await asked()).toEqual(silent);
  });
  it('or whose time ran out then, and says so', async () => {
    await armSlow();
    place.write({ hang: '' });
    const words = call({ hook_event_name: 'UserPromptSubmit', prompt: 'Go.' });
    const told = await hook((child) => child.stdin?.end(words), {}, ['--within', '1']);
    letGo();
    expect(JSON.parse(told.stdout)).toMatchObject({
      systemMessage: expect.stringContaining('not armed'),
      hookSpecificOutput: { additionalContext: expect.stringContaining('not armed') },
    });
    await leftAs('cut short, NOT converged');
    expect(await stopped()).toEqual(silent);
  });
  it('and brings it what its person says from elsewhere', async () => {
    await arm();
    await asked();
    await stopped();
    const said = await agentgate(place, 'redirect', 'Keep', 'the', 'API.');
    expect([said.exit, said.stdout]).toMatchObject([0, expect.stringContaining('its next stop')]);
    expect((JSON.parse((await stopped()).stdout) as { reason: string }).reason).toContain('Keep the API.');
    expect((await agentgate(place, 'list', '--json')).stdout).toContain('"iterations":3');
  });
  it('beside no other one, and stop without a name means it', async () => {
    await arm();
    await asked();
    const held = (await agentgate(place, 'list', '--json')).stdout.trim();
    const { runId } = JSON.parse(held) as { runId: string };
    await arm();
    const refused = JSON.parse((await asked('s-2')).stdout) as Record<string, unknown>;
    expect(refused).toMatchObject({
      systemMessage: expect.stringContaining('not armed'),
      hookSpecificOutput: {},
    });
    expect(await stopped({ session_id: 's-2' })).toEqual(silent);
    const started = await say(call({ session_id: 's-3', hook_event_name: 'SessionStart' }));
    expect(started.stdout).toContain(`run ${runId} is still held by another session`);
    // A newer run does not stand before the one that works here.
    const folder = join(place.state, 'agentgate', 'workspaces');
    cpSync(
      join(folder, readdirSync(folder)[0]!, 'runs', runId),
      join(folder, readdirSync(folder)[0]!, 'runs', 'zzzzzz'),
      { recursive: true },
    );
    const told = await agentgate(place, 'stop');
    expect(told.stdout).toContain(`Run ${runId} is disarmed`);
  });
  it('and counts its blocks anew when its person speaks, and not when the host repeats ours', async () => {
    await arm('--max-iterations', '20', '--set', 'stuck=off', '--set', 'detectors.enabled=false');
    await asked();
    const binding = () =>
      JSON.parse(readFileSync(join(place.state, 'agentgate', 'sessions', 's-1.json'), 'utf8')) as {
        blocks: number;
      };
    const { reason } = JSON.parse((await stopped()).stdout) as { reason: string };
    const heard = (prompt: string) => say(call({ hook_event_name: 'BeforeAgent', prompt }));
    expect(await heard(reason)).toEqual(silent);
    expect(binding().blocks).toBe(1);
    expect(await heard('Look at the parser first.')).toEqual(silent);
    expect(binding().blocks).toBe(0);
  });
  it('and hands over what it did: its tokens, its history and its best tree', async () => {
    place.write({
      'check.sh':
        'n=$(cat answer.txt); echo "TAP version 13"; echo 1..3; for i in 1 2 3; do if [ "$n" -ge $i ]; then echo "ok $i - t$i"; else echo "not ok $i - t$i"; r=1; fi; done; exit ${r:-0}\n',
      'answer.txt': '0\n',
    });
    const agent = ['-p', 'Write it.', '--max-iterations', '4', '--set', 'stuck=off', '--max-tokens', '1000'];
    await agentgate(place, 'arm', '--gate', 'answer=sh check.sh', ...agent, '--agent', 'sh ../agent.sh');
    await asked();
    const transcript_path = join(place.workspace, '..', 't.jsonl');
    const usage = { input_tokens: 40, output_tokens: 60 };
    const entry = (id: string) =>
      `${JSON.stringify({ type: 'assistant', timestamp: new Date().toISOString(), message: { id, usage } })}\n`;
    place.write({
      'answer.txt': '2\n',
      '../t.jsonl': entry('a'),
      '../t/subagents/agent-1.jsonl': entry('b'),
    });
    expect(JSON.parse((await stopped({ transcript_path })).stdout)).toMatchObject({ decision: 'block' });
    // It makes it worse and is closed.
    place.write({ 'answer.txt': '1\n' });
    await say(call({ hook_event_name: 'SessionEnd' }));
    place.write({ '../agent.sh': 'true\n' });
    const over = JSON.parse(
      (await agentgate(place, 'resume', '--json')).stdout.trim().split('\n').at(-1)!,
    ) as Record<string, unknown>;
    // The one that was cut off counts like the dearest that told: 200, half of it of a subagent.
    expect(over).toMatchObject({ status: 'diverged', iterations: 4, tokens: 400, best: { iteration: 1 } });
  });
  it('and lets it go when its time is over, while the gates judge on', async () => {
    place.write({ 'slow.sh': 'sleep 3; grep -qx right answer.txt\n' });
    await agentgate(place, 'arm', '--gate', 'answer=sh slow.sh', '-p', 'Write it.', '--agent', 'claude');
    await asked();
    place.write({ 'answer.txt': 'right\n' });
    const late = await new Promise<Told>((done) => {
      const child = spawn(process.execPath, [bin, 'hook', 'answer', '--within', '1'], {
        cwd: place.workspace,
        env: place.env,
        stdio: 'pipe',
      });
      let stdout = '';
      child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
      child.stdin.end(call());
      child.on('close', (exit) => done({ exit, stdout, stderr: '' }));
    });
    expect(late).toEqual(silent);
    expect((await agentgate(place, 'status')).stdout).toContain('NOT converged');
    for (;;) if ((await agentgate(place, 'list')).stdout.includes('converged (goal.met)')) break;
    // It came to a good end after all, so that there is nothing left to tell.
    for (;;) if (!(await agentgate(place, 'status')).stdout.includes('NOT converged')) break;
  });

  it('once per prompt and per stop, though its hooks stand in several settings', async () => {
    await arm();
    const transcript_path = join(place.workspace, '..', 'transcript.jsonl');
    const iterations = async () => {
      const { stdout } = await agentgate(place, 'list', '--json');
      return [...stdout.matchAll(/"iterations":(\d+)/g)].map(([, count]) => Number(count));
    };
    const thrice = (over: object) => Promise.all([1, 2, 3].map(() => stopped({ transcript_path, ...over })));
    const prompts = await thrice({ hook_event_name: 'UserPromptSubmit', prompt: 'Go.' });
    expect(prompts.filter(({ stdout }) => stdout.includes('AgentGate holds this session'))).toHaveLength(1);
    expect(prompts.filter((told) => told.exit === 0 && told.stdout === '')).toHaveLength(2);
    writeFileSync(transcript_path, '{"type":"user"}\n');
    for (const { stdout } of await thrice({}))
      expect(JSON.parse(stdout)).toMatchObject({ decision: 'block' });
    expect(await iterations()).toEqual([2]);
    writeFileSync(transcript_path, '{"type":"user"}\n{"type":"assistant"}\n');
    await stopped({ transcript_path });
    expect(await iterations()).toEqual([3]);
  });
  it('also when the one that judged the same stop was killed', async () => {
    place.write({ 'slow.sh': 'while [ -e hang ]; do touch judging; sleep 0.1; done; sh check.sh\n' });
    // Judged in the workspace itself, where the test can see it and let it go on.
    const gate = ['--gate', 'answer=sh slow.sh', '--integrity', 'off'];
    await agentgate(place, 'arm', ...gate, '-p', 'Write it.', '--agent', 'claude');
    await asked();
    const transcript_path = join(place.workspace, '..', 'transcript.jsonl');
    writeFileSync(transcript_path, '{"type":"user"}\n');
    place.write({ hang: '' });
    const first = stopped({ transcript_path });
    await until(() => existsSync(join(place.workspace, 'judging')));
    const turn = join(place.state, 'agentgate', 'sessions', 's-1.turn');
    process.kill((JSON.parse(readFileSync(turn, 'utf8')) as { pid: number }).pid, 'SIGKILL');
    rmSync(join(place.workspace, 'hang'));
    expect(await first).toEqual(silent);
    expect(JSON.parse((await stopped({ transcript_path })).stdout)).toMatchObject({ decision: 'block' });
  });
  it('where it was entered by a link', async () => {
    await arm();
    const link = join(place.workspace, '..', 'link');
    symlinkSync(place.workspace, link);
    const told = await say(call({ cwd: link, hook_event_name: 'UserPromptSubmit', prompt: 'Go.' }));
    expect(told.stdout).toContain('AgentGate holds this session');
  });
  it('and when something fails lets it go, and that is no end', async () => {
    await arm();
    await asked();
    const folder = join(place.state, 'agentgate', 'workspaces');
    const log = join(folder, readdirSync(folder)[0]!, 'runs', newestIn(folder), 'log.jsonl');
    writeFileSync(log, readFileSync(log, 'utf8').replace('"seq":3', '"seq":4'));
    const told = await stopped();
    expect([told.exit, JSON.parse(told.stdout)]).toMatchObject([
      0,
      { systemMessage: expect.stringMatching(/NOT converged.*damaged/) },
    ]);
    expect((await agentgate(place, 'status')).stdout).toContain('NOT converged');
  });
  it('also where not even that can be written down', async () => {
    await arm();
    await asked();
    const state = join(place.state, 'agentgate');
    const folder = join(state, 'workspaces');
    rmSync(join(folder, readdirSync(folder)[0]!, 'runs'), { recursive: true });
    for (const name of ['unseen', 'unarmed']) {
      rmSync(join(state, name), { recursive: true, force: true });
      writeFileSync(join(state, name), '');
    }
    const told = await stopped();
    expect(JSON.parse(told.stdout)).toMatchObject({
      systemMessage: expect.stringContaining('NOT converged'),
    });
    const refused = { session_id: 's-2', hook_event_name: 'UserPromptSubmit', prompt: '/gate go' };
    expect(JSON.parse((await say(call(refused))).stdout)).toMatchObject({
      systemMessage: expect.stringContaining('not armed'),
    });
  });
  it('and says so when nobody can be started who judges', async () => {
    await arm();
    place.write({
      '../full.cjs':
        "require('node:child_process').spawn = () => { throw new Error('no more processes'); };\n",
    });
    const env = { NODE_OPTIONS: `--require ${join(place.workspace, '..', 'full.cjs')}` };
    const full = (over: object) => hook((child) => child.stdin?.end(call(over)), env);
    const refused = await full({ hook_event_name: 'UserPromptSubmit', prompt: 'Go.' });
    expect(JSON.parse(refused.stdout)).toMatchObject({ systemMessage: expect.stringContaining('not armed') });
    await asked();
    expect(await full({})).toEqual(silent);
    expect((await agentgate(place, 'status')).stdout).toMatch(/NOT converged\. The stop of its session/);
    expect(misfires()).toBe(2);
    // It is still held, and judged at its next stop.
    expect(JSON.parse((await stopped()).stdout)).toMatchObject({ decision: 'block' });
    expect((await agentgate(place, 'status')).stdout).not.toContain('NOT converged.');
  });
  it('and one that was let go is not called held, though its log could not say so', async () => {
    await arm();
    await asked();
    expect((await agentgate(place, 'list')).stdout).toMatch(/ held /);
    rmSync(join(place.state, 'agentgate', 'sessions', 's-1.json'));
    expect((await agentgate(place, 'list')).stdout).toContain('cut short, NOT converged');
  });
  it('unless it was disarmed before the prompt', async () => {
    await arm();
    expect((await agentgate(place, 'stop')).stdout).toContain('Disarmed');
    expect((await asked()).stdout).toBe('');
    expect((await agentgate(place, 'status')).stdout).toContain('none is armed');
  });
  it('and tells of it, and ends it, also in a folder of the project', async () => {
    place.write({ '.git/HEAD': 'ref: refs/heads/main\n', 'part/deep/.keep': '' });
    const inside = (...words: string[]) => agentgate(place, ...words, '-C', 'part/deep');
    await arm();
    expect((await inside('status')).stdout).toContain('armed for the next prompt');
    await say(call({ cwd: join(place.workspace, 'part', 'deep'), hook_event_name: 'UserPromptSubmit' }));
    const [, runId = ''] =
      /run (\w+) holds a session of claude \(s-1\) in \//.exec((await inside('status')).stdout) ?? [];
    expect((await inside('explain', runId)).exit).toBe(0);
    expect((await inside('arm', '--run', runId)).stdout).toContain(`${runId} goes on`);
    expect((await inside('stop')).stdout).toContain(`Run ${runId} is disarmed`);
    expect((await agentgate(place, 'status')).stdout).toContain('No session is held here');
    expect((await inside('show', 'none')).stderr).toContain('there is no run none of');
  });
  it('and keeps its workspace from other runs, also from those that go on', async () => {
    const before = ['-p', 'x', '--gate', 'answer=false', '--max-iterations', '1', '--', 'true'];
    const left = await agentgate(place, 'run', '--json', ...before);
    const { runId } = outcomeOf(left) as { runId: string };
    await arm();
    await asked();
    for (const words of [
      ['run', '-p', 'x', '--gate', 'true', '--', 'true'],
      ['resume', runId, '--add-iterations', '1'],
    ]) {
      const other = await agentgate(place, ...words);
      expect([other.exit, other.stderr]).toMatchObject([
        75,
        expect.stringMatching(/holds a session of claude.*agentgate resume \w+ takes it over/),
      ]);
    }
  });
});
