import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { outcomeOf } from '../support/command.ts';
import { stageOf, task, writes } from './errand.ts';

const drivers = ['claude', 'codex', 'gemini', 'opencode'] as const;

const gate = ['--gate', 'answer=sh check.sh', '-p', task];

describe.each(drivers)('%s', (name) => {
  it('converges after an honest fix in three turns, and each token is counted once', async () => {
    const { agentgate, calls } = await stageOf(name, [
      ...writes('wrong'),
      ...writes('almost'),
      ...writes('right'),
    ]);
    const ended = await agentgate('run', '--agent', name, ...gate, '--json');
    const { status, iterations, tokens, costUsd } = outcomeOf(ended);
    expect({ status, iterations, tokens, exit: ended.exit }, ended.stderr + ended.stdout).toEqual({
      status: 'converged',
      iterations: 3,
      tokens: 660,
      exit: 0,
    });
    expect(calls).toHaveLength(6);
    // The session goes on: the model sees what it said before, and what the gate found.
    expect(calls[4]?.all).toContain('I have finished.');
    expect(calls[2]?.newest).toContain('answer.txt: wrong');
    if (name === 'claude' || name === 'opencode') expect(costUsd).toBeGreaterThan(0);
  });

  it('does not converge when the agent only says that it is done', async () => {
    const { agentgate } = await stageOf(name, () => ({ say: 'Everything is done and all checks pass.' }));
    const ended = await agentgate(
      'run',
      '--agent',
      name,
      ...gate,
      '--json',
      '--max-iterations',
      '3',
      '--stuck',
      'off',
    );
    expect([outcomeOf(ended)['status'], ended.exit], ended.stderr).toEqual(['diverged', 1]);
  });

  it('may run the gates and not everything, and what was refused is told', async () => {
    const forbidden = { shell: 'curl -s http://127.0.0.1:9/ > fetched.txt' };
    const { agentgate, calls, place } = await stageOf(name, [
      { do: [forbidden] },
      { do: [{ shell: 'sh check.sh' }] },
      { say: 'I could not.' },
      ...writes('right'),
    ]);
    const ended = await agentgate('run', '--agent', name, ...gate);
    expect(ended.exit, ended.stderr + ended.stdout).toBe(0);
    expect(calls[2]?.newest).toContain('answer.txt: nothing');
    // Codex runs everything in a sandbox of its own, which has no network.
    if (name === 'codex') return;
    expect(existsSync(join(place.workspace, 'fetched.txt'))).toBe(false);
    expect(ended.stdout).toMatch(/not allowed: \S+ .*curl/);
    expect(calls[3]?.newest).toContain('You were not allowed to use');
  });

  // Codex has a sandbox of its own; opencode is told not to leave the folder.
  it.runIf(name in writeTool)(
    'may not write outside of the workspace, and that it was refused is told',
    async () => {
      const outside = (path: string) => join(path, '..', 'outside.txt');
      const stage = await stageOf(name, ({ number }) =>
        number === 0
          ? {
              do: [
                {
                  tool: writeTool[name]!,
                  input: { [pathOf(name)]: outside(stage.place.workspace), content: 'x\n' },
                },
              ],
            }
          : (writes('right')[number - 1] ?? { say: 'Done.' }),
      );
      const ended = await stage.agentgate('run', '--agent', name, ...gate);
      expect(ended.exit, ended.stderr + ended.stdout).toBe(0);
      expect(existsSync(outside(stage.place.workspace))).toBe(false);
      expect(ended.stdout).toMatch(/not allowed: \S+ .*outside\.txt/);
      // The machine is told the same as the person.
      const shown = await stage.agentgate('show', /^run (\w+)/.exec(ended.stdout)![1]!, '--json');
      const what = JSON.stringify(outside(stage.place.workspace));
      expect(shown.stdout).toContain(
        `"denied":{"times":1,"first":[{"tool":"${writeTool[name]}","what":${what}}]}`,
      );
    },
  );

  // Its own sandbox leaves it the folder for temporary files; it tells nobody but its model of what it rejects.
  it.runIf(name === 'codex')(
    'may not patch what lies elsewhere, and that it was refused is told',
    async () => {
      const elsewhere = { write: '/nowhere/outside.txt', text: 'x\n' };
      const { agentgate } = await stageOf(name, [{ do: [elsewhere] }, ...writes('right')]);
      const ended = await agentgate('run', '--agent', name, ...gate);
      expect(ended.exit, ended.stderr + ended.stdout).toBe(0);
      expect(ended.stdout).toMatch(/not allowed: edit \/nowhere\/outside\.txt/);
    },
  );

  it('may do everything inside of a sandbox', async () => {
    const free = { shell: 'touch made-by-shell.txt && hostname > /dev/null' };
    const { agentgate, place } = await stageOf(name, [{ do: [free] }, ...writes('right')]);
    const ended = await agentgate('run', '--agent', name, ...gate, '--sandbox', 'bwrap');
    expect(ended.exit, ended.stderr + ended.stdout).toBe(0);
    expect(existsSync(join(place.workspace, 'made-by-shell.txt'))).toBe(true);
    expect(ended.stdout).not.toContain('not allowed');
  });

  it('is not logged in, which ends the run with what to do and costs no iteration', async () => {
    const fail = { status: 401, type: 'authentication_error', message: 'invalid key' };
    const { agentgate } = await stageOf(name, () => ({ fail }));
    const ended = await agentgate('run', '--agent', name, ...gate, '--json');
    expect([outcomeOf(ended), ended.exit], ended.stderr).toMatchObject([
      { status: 'error', iterations: 0 },
      4,
    ]);
    expect(ended.stdout).toMatch(/not logged in|invalid key/);
  });

  it('waits for a model that is overloaded, and no iteration is used by it', async () => {
    const overloaded = {
      fail: { status: 529, type: 'overloaded_error', message: 'Overloaded, try again in 1 second' },
    };
    let refused = 0;
    const work = writes('right');
    let at = 0;
    const { agentgate } = await stageOf(name, () =>
      refused++ < tries[name] ? overloaded : (work[at++] ?? {}),
    );
    const ended = await agentgate('run', '--agent', name, ...gate, '--json');
    expect([outcomeOf(ended), ended.exit], ended.stderr + ended.stdout).toMatchObject([
      { status: 'converged', iterations: 1 },
      0,
    ]);
    // One of them waits by itself as long as it takes.
    if (name !== 'opencode') expect(ended.stdout).toContain('"kind":"unavailable"');
  });

  it.each([
    [
      'rate limit',
      "This request would exceed your account's rate limit. Please try again later.",
      'overloaded',
    ],
    ['usage limit', 'You have reached your usage limit for this week; try again in 1 second', 'usage-limit'],
  ])('waits for a %s to pass, and no iteration is used by it', async (_name, message, why) => {
    const fail = { status: 429, type: 'rate_limit_error', message };
    let refused = 0;
    const work = writes('right');
    let at = 0;
    const { agentgate } = await stageOf(name, () =>
      refused++ < limitTries[name] ? { fail } : (work[at++] ?? {}),
    );
    const flags = ['--set', 'limits.maxWait=2s', '--max-iterations', '1'];
    const ended = await agentgate('run', '--agent', name, ...gate, ...flags, '--json');
    expect([outcomeOf(ended), ended.exit], ended.stderr + ended.stdout).toMatchObject([
      { status: 'converged', iterations: 1 },
      0,
    ]);
    // One of them waits by itself as long as it takes, and one keeps the words of its service to itself.
    const told = name === 'codex' ? 'overloaded' : why;
    if (name !== 'opencode') expect(ended.stdout).toContain(`"kind":"unavailable","why":"${told}"`);
  });

  // The others try by themselves as long as it takes.
  it.skipIf(name === 'codex' || name === 'opencode')(
    'finds nobody where its model should be, and no iteration is used by it',
    async () => {
      const { agentgate, place } = await stageOf(name, []);
      place.env = { ...place.env, ...deadEnd };
      const flags = ['--set', 'limits.maxWait=2s', '--max-iterations', '1'];
      const ended = await agentgate('run', '--agent', name, ...gate, ...flags, '--json');
      expect([outcomeOf(ended), ended.exit], ended.stderr + ended.stdout).toMatchObject([
        { status: 'suspended', code: 'suspended.agent-unavailable', iterations: 0 },
        3,
      ]);
      expect(ended.stdout).toContain('"kind":"unavailable","why":"network"');
    },
  );

  it('begins anew where its session is gone', async () => {
    const { agentgate, place, calls } = await stageOf(name, [...writes('wrong'), ...writes('right')]);
    const first = await agentgate('run', '--agent', name, ...gate, '--json', '--max-iterations', '1');
    expect(first.exit).toBe(1);
    forget[name](place.env['HOME']!);
    const second = await agentgate('resume', '--add-iterations', '2', '--json');
    expect([outcomeOf(second), second.exit], second.stderr + second.stdout).toMatchObject([
      { status: 'converged', iterations: 2 },
      0,
    ]);
    expect(calls[2]?.all).not.toContain('I have finished.');
  });

  it('goes to the next model of the ladder when it is stuck', async () => {
    const { agentgate, place, calls } = await stageOf(name, ({ model }) =>
      model.includes(better[name].split('/').at(-1)!)
        ? (writes('right')[calls.filter((one) => one.model === model).length - 1] ?? { say: 'Done.' })
        : { say: 'I do not know how.' },
    );
    place.write({
      'agentgate.yaml': JSON.stringify({
        task: 'Write the right word into answer.txt.',
        agent: { kind: name, escalate: [better[name]] },
        gates: { answer: 'sh check.sh' },
        stuck: { moves: ['escalate'] },
      }),
    });
    const ended = await agentgate('run', '--json');
    expect([outcomeOf(ended)['status'], ended.exit], ended.stderr + ended.stdout).toEqual(['converged', 0]);
  });
});

/** How often the service refuses until the program itself gives up once. */
const tries = { claude: 2, codex: 4, gemini: 2, opencode: 1 };

/** The same where it says that it is asked too much. */
const limitTries = { ...tries, codex: 1 };

/** Nobody listens there. */
const deadEnd = {
  ANTHROPIC_BASE_URL: 'http://127.0.0.1:9',
  GOOGLE_GEMINI_BASE_URL: 'http://127.0.0.1:9',
};

/** By what each writes a file, where it is we who keep it in the workspace. */
const writeTool: Partial<Record<(typeof drivers)[number], string>> = {
  claude: 'Write',
  gemini: 'write_file',
  opencode: 'write',
};
/** Each has a name of its own for the path, and some take no other. */
const pathOf = (name: string) => (name === 'opencode' ? 'filePath' : 'file_path');

const better = {
  claude: 'claude-better-1',
  codex: 'gpt-5.4',
  gemini: 'gemini-2.5-pro',
  opencode: 'scripted/two',
};

/** Takes away what each program remembers of its sessions. */
const forget = {
  claude: (home: string) => rmSync(join(home, '.claude', 'projects'), { recursive: true }),
  codex: (home: string) => rmSync(join(home, '.codex', 'sessions'), { recursive: true }),
  gemini: (home: string) => rmSync(join(home, '.gemini', 'tmp'), { recursive: true }),
  opencode: (home: string) => rmSync(join(home, '.local', 'share', 'opencode'), { recursive: true }),
};
