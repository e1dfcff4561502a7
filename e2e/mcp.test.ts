import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { agentgate, makePlace, type Place } from './support/command.ts';

const bin = fileURLToPath(new URL('../packages/cli/bin/agentgate.cjs', import.meta.url));
const caller = fileURLToPath(new URL('support/call-tool.mjs', import.meta.url));

let place: Place;
beforeEach(() => {
  place = makePlace({ 'check.sh': 'grep -qx right answer.txt\n', 'answer.txt': 'wrong\n' });
});
afterEach(() => place.remove());

function started(argv: readonly string[], words = ''): Promise<string> {
  const child = spawn(process.execPath, argv, { cwd: place.workspace, env: place.env, stdio: 'pipe' });
  let stdout = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stdin.end(words);
  return new Promise((done) => child.on('close', () => done(stdout)));
}

async function tool(name: string, given: object = {}): Promise<{ text: string; isError: boolean }> {
  const said = JSON.parse(await started([caller, name, JSON.stringify(given)])) as {
    content: { text: string }[];
    isError?: boolean;
  };
  return { text: said.content[0]!.text, isError: said.isError === true };
}

const hear = async (over: object): Promise<Record<string, unknown> | null> => {
  const call = { session_id: 's-1', cwd: place.workspace, ...over };
  const told = await started([bin, 'hook', 'answer'], JSON.stringify(call));
  return told === '' ? null : (JSON.parse(told) as Record<string, unknown>);
};
const prompt = (words: string) => hear({ hook_event_name: 'UserPromptSubmit', prompt: words });
const stop = () => hear({ hook_event_name: 'Stop' });

describe('an agent that nobody judges', () => {
  it('sees the gates and tries them, and has nobody to tell', async () => {
    writeFileSync(join(place.workspace, 'agentgate.yaml'), 'gates:\n  answer: sh check.sh\n');
    expect((await tool('gates')).text).toContain('No run judges this session');
    expect((await tool('check')).text).toMatch(/answer: `sh check.sh`: FAILS/);
    writeFileSync(join(place.workspace, 'answer.txt'), 'right\n');
    expect((await tool('check', { gate: 'answer' })).text).toMatch(/answer: `sh check.sh`: passes/);
    expect((await tool('check', { gate: 'other' })).text).toContain(
      'There is no gate other; there are: answer.',
    );
    expect(await tool('claim', { evidence: 'x' })).toMatchObject({ isError: true });
    expect((await agentgate(place, 'list')).stdout).not.toContain('answer');
  });
  it('is offered nothing that changes a gate, a limit or a verdict', async () => {
    const { tools } = JSON.parse(await started([caller, 'tools'])) as { tools: { name: string }[] };
    expect(tools.map(({ name }) => name)).toEqual([
      'gates',
      'check',
      'budget',
      'claim',
      'give_up',
      'ask_approval',
    ]);
  });
});

describe('an agent whose session is held', () => {
  const arm = async (): Promise<string> => {
    await agentgate(place, 'arm', '--gate', 'answer=sh check.sh', '-p', 'Write it.', '--agent', 'claude');
    const told = JSON.stringify(await prompt('Go.'));
    return /agentgate:give-up (\w+)/.exec(told)![1]!;
  };
  it('sees its gates and its budget', async () => {
    await arm();
    expect((await tool('gates')).text).toMatch(
      /judged last, before you began:\nanswer: `sh check.sh`: FAILS/,
    );
    expect((await tool('budget')).text).toMatch(/has used: 1 of 100 iterations/);
  });
  it('gives up with its reason, but not for another session', async () => {
    const nonce = await arm();
    expect(await tool('give_up', { reason: 'It cannot be.' })).toMatchObject({
      isError: true,
      text: expect.stringContaining('give the nonce'),
    });
    expect(await stop()).toMatchObject({ decision: 'block' });
    expect((await tool('give_up', { reason: 'It cannot be.', nonce })).isError).toBe(false);
    expect(await stop()).toMatchObject({ systemMessage: expect.stringContaining('agent.gave-up') });
    expect((await agentgate(place, 'show')).stdout).toContain('the agent gave up: It cannot be.');
  });
  it('asks a person, whose next prompt is the answer', async () => {
    const nonce = await arm();
    await tool('ask_approval', { question: 'May I write right?', nonce });
    expect(await stop()).toMatchObject({
      systemMessage: expect.stringMatching(/suspended \(awaiting-answer\).*May I write right\?/),
    });
    expect(JSON.stringify(await prompt('Yes, you may.'))).toContain('AgentGate holds this session');
    writeFileSync(join(place.workspace, 'answer.txt'), 'right\n');
    expect(await stop()).toMatchObject({ systemMessage: expect.stringContaining('gates met') });
  });
  it('has its claim judged like any other', async () => {
    const nonce = await arm();
    await tool('claim', { evidence: 'I looked at it.', nonce });
    expect(await stop()).toMatchObject({ decision: 'block' });
    expect((await agentgate(place, 'show', '--json')).stdout).toContain('"evidence":"I looked at it."');
  });
});

describe('an agent that a run drives', () => {
  it.each(['whole', 'bare'])('speaks for itself, with a %s environment', async (around) => {
    const agent = `node ${caller} give_up '{"reason":"It cannot be."}' ${around}`;
    const ended = await agentgate(
      place,
      'run',
      '-p',
      'x',
      '--gate',
      'answer=sh check.sh',
      '--',
      'sh',
      '-c',
      agent,
    );
    expect([ended.exit, ended.stdout]).toMatchObject([1, expect.stringContaining('agent.gave-up')]);
  });
  it('hears of its run, also where its own environment does not tell where the records lie', async () => {
    const agent = `node ${caller} budget '{}' bare > told.json; echo right > answer.txt`;
    const gate = ['--gate', 'answer=sh check.sh', '--', 'sh', '-c', agent];
    expect((await agentgate(place, 'run', '-p', 'x', ...gate)).exit).toBe(0);
    expect(readFileSync(join(place.workspace, 'told.json'), 'utf8')).toContain('has used: 1 of');
  });
  it('waits for a person without cost, and goes on with their words', async () => {
    const agent = `if [ "$AGENTGATE_ITERATION" = 1 ]; then node ${caller} ask_approval '{"question":"May I?"}'; else echo right > answer.txt; fi`;
    const gate = ['--gate', 'answer=sh check.sh', '--', 'sh', '-c', agent];
    const asked = await agentgate(place, 'run', '-p', 'x', ...gate);
    expect([asked.exit, asked.stdout]).toMatchObject([
      3,
      expect.stringMatching(/awaiting-answer[\s\S]*the agent asks a person: May I\?/),
    ]);
    const answered = await agentgate(place, 'resume', '--redirect', 'Yes.');
    expect([answered.exit, answered.stdout]).toMatchObject([0, expect.stringContaining('goal.met')]);
  });
});
