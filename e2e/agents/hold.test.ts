import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Script } from '../model/script.ts';
import { agentgate, outcomeOf } from '../support/command.ts';
import { until } from '../support/processes.ts';
import { setStage, type Stage } from './stage.ts';

const hosts = ['claude', 'codex', 'gemini'] as const;
type Host = (typeof hosts)[number];

/** How each is started for one prompt, with its hooks. */
const commands: Record<Host, readonly string[]> = {
  claude: ['claude', '-p', '--output-format', 'stream-json', '--verbose', '--permission-mode', 'acceptEdits'],
  codex: [
    'codex',
    'exec',
    '--json',
    '--sandbox',
    'workspace-write',
    '--skip-git-repo-check',
    '--dangerously-bypass-hook-trust',
    '-',
  ],
  gemini: ['gemini', '--output-format', 'stream-json', '--approval-mode', 'yolo', '--skip-trust'],
};

interface Spoken {
  child: ChildProcess;
  ended: Promise<{ exit: number | null; said: string }>;
}

/** One session of the agent, as a person would have it. */
function prompt(stage: Stage, host: Host, words: string, more: Record<string, string> = {}): Spoken {
  const [program, ...args] = commands[host];
  const child = spawn(program!, args, {
    cwd: stage.place.workspace,
    env: { ...stage.env, ...more },
    stdio: ['pipe', 'pipe', 'pipe'],
    detached: true,
  });
  let said = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => (said += text));
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (said += text));
  child.stdin?.end(words);
  return { child, ended: new Promise((done) => child.on('close', (exit) => done({ exit, said }))) };
}

const spec = (limits: object = {}) => ({
  'check.sh': 'grep -qx right answer.txt || { echo "answer.txt: $(cat answer.txt)"; exit 1; }\n',
  'answer.txt': 'nothing\n',
  'agentgate.yaml': JSON.stringify({
    task: 'x',
    agent: 'claude',
    gates: { answer: 'sh check.sh' },
    limits,
    stuck: 'off',
  }),
});

async function stageOf(host: Host, script: Script, files: Record<string, string> = spec()): Promise<Stage> {
  const made = await setStage(host, script, files);
  onTestFinished(() => made.close());
  const installed = await made.agentgate('hook', 'install', '--agent', host);
  expect(installed.exit, installed.stderr).toBe(0);
  return made;
}

const writes = (text: string) => [
  { do: [{ write: 'answer.txt', text: `${text}\n` }], tokens: { input: 100, output: 10 } },
  { say: 'I have finished.', tokens: { input: 100, output: 10 } },
];

const bindings = ({ place }: Stage): string[] => {
  const folder = join(place.state, 'agentgate', 'sessions');
  return existsSync(folder) ? readdirSync(folder) : [];
};

async function newest({ place }: Stage): Promise<Record<string, unknown>> {
  const { stdout } = await agentgate(place, 'list', '--json');
  return JSON.parse(stdout.split('\n')[0]!) as Record<string, unknown>;
}

describe.each(hosts)('a session of %s', (host) => {
  it('is held until its gates pass, in three turns', async () => {
    const stage = await stageOf(host, [...writes('wrong'), ...writes('almost'), ...writes('right')]);
    const { said } = await prompt(stage, host, '/gate Write the right word into answer.txt.').ended;
    expect(await newest(stage), said).toMatchObject({ status: 'converged', iterations: 3 });
    expect(stage.calls[2]?.newest).toContain('answer.txt: wrong');
    expect(stage.calls[0]?.all).toContain('AgentGate holds this session');
    expect(stage.calls).toHaveLength(6);
    expect(bindings(stage)).toEqual([]);
  });

  it('is let go at its limit, and is told to be NOT converged, in the list and at the next start', async () => {
    const stage = await stageOf(host, () => ({ say: 'All is done.' }), spec({ iterations: 2 }));
    await prompt(stage, host, '/gate Write the right word into answer.txt.').ended;
    expect(await newest(stage)).toMatchObject({ status: 'diverged', iterations: 2 });
    expect(stage.calls).toHaveLength(2);
    const told = await agentgate(stage.place, 'status');
    expect(told.stdout).toContain('NOT converged');
    await prompt(stage, host, 'Hello.').ended;
    expect(stage.calls.at(-1)?.all).toContain('NOT converged');
    expect((await agentgate(stage.place, 'status')).stdout).not.toContain('NOT converged');
  });

  it('that was not armed is let go, also beside one that is', async () => {
    let free = () => {};
    const wait = new Promise<void>((done) => (free = done));
    const work = writes('right');
    let at = 0;
    const stage = await stageOf(host, ({ all }) =>
      all.includes('Only say hello')
        ? { say: 'Hello.' }
        : { ...(work[at++] ?? { say: 'Done.' }), ...(at === 1 ? { until: wait } : {}) },
    );
    const held = prompt(stage, host, '/gate Write the right word into answer.txt.');
    await until(() => bindings(stage).length === 1);
    const before = stage.calls.length;
    await prompt(stage, host, 'Only say hello.').ended;
    expect(stage.calls.length - before).toBeLessThanOrEqual(2);
    expect(bindings(stage)).toHaveLength(1);
    free();
    await held.ended;
    expect(await newest(stage)).toMatchObject({ status: 'converged', iterations: 1 });
  });

  it('is handed over to a headless run, with its budget and its history', async () => {
    const [told, did] = [{ session: 0, headless: 0 }, [writes('wrong'), writes('right')]];
    const script: Script = ({ all }) => {
      if (all.includes('How it is judged')) return did[1]![told.headless++] ?? { say: 'Done.' };
      return did[0]![told.session++] ?? { afterMs: 'never' };
    };
    const stage = await stageOf(host, script, {
      ...spec(),
      'agentgate.yaml': JSON.stringify({
        task: 'x',
        agent: host,
        gates: { answer: 'sh check.sh' },
        limits: { iterations: 3 },
      }),
    });
    const session = prompt(stage, host, '/gate Write the right word into answer.txt.');
    // It has been held once, and then its person leaves.
    await until(() => stage.calls.length === 3);
    process.kill(-session.child.pid!, 'SIGKILL');
    const ended = await stage.agentgate('resume', '--json');
    expect([outcomeOf(ended), ended.exit], ended.stderr + ended.stdout).toMatchObject([
      { status: 'converged', iterations: 3 },
      0,
    ]);
    expect(bindings(stage)).toEqual([]);
  });

  it('takes over a headless run that reached its limit', async () => {
    const stage = await stageOf(host, [...writes('wrong'), ...writes('right')], {
      ...spec(),
      'agentgate.yaml': JSON.stringify({
        task: 'Write the right word into answer.txt.',
        agent: host,
        gates: { answer: 'sh check.sh' },
        limits: { iterations: 1 },
      }),
    });
    expect((await stage.agentgate('run', '--json')).exit).toBe(1);
    const { runId } = await newest(stage);
    const armed = await stage.agentgate('arm', '--run', String(runId), '--add-iterations', '2');
    expect(armed.exit, armed.stderr).toBe(0);
    await prompt(stage, host, 'Go on with it.').ended;
    expect(await newest(stage)).toMatchObject({ status: 'converged', iterations: 2, parent: runId });
  });

  it('is disarmed by agentgate stop, and goes on as it likes', async () => {
    let free = () => {};
    const wait = new Promise<void>((done) => (free = done));
    const stage = await stageOf(host, ({ number }) =>
      number === 0 ? { until: wait, say: 'I leave.' } : { say: 'Again?' },
    );
    const session = prompt(stage, host, '/gate Write the right word into answer.txt.');
    await until(() => stage.calls.length === 1);
    const stopped = await stage.agentgate('stop');
    expect(stopped.exit, stopped.stderr).toBe(0);
    free();
    await session.ended;
    expect(stage.calls).toHaveLength(1);
    expect(await newest(stage)).toMatchObject({ status: 'stopped', code: 'user.stop' });
  });
});

it('a session of claude that its host ends after eight blocks is NOT converged', async () => {
  const stubborn = { strategy: { kind: 'fixed', iterations: 20 }, detectors: { enabled: false } };
  const stage = await stageOf('claude', () => ({ say: 'It is done, believe me.' }), {
    ...spec(),
    'agentgate.yaml': JSON.stringify({
      task: 'x',
      agent: 'claude',
      gates: { answer: 'sh check.sh' },
      ...stubborn,
    }),
  });
  const { exit } = await prompt(stage, 'claude', '/gate Write the right word into answer.txt.').ended;
  expect(exit).toBe(0);
  expect(await newest(stage)).toMatchObject({ status: 'stopped', code: 'host.override', iterations: 9 });
  expect((await agentgate(stage.place, 'status')).stdout).toContain('NOT converged');
});
