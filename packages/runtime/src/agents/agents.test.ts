import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AgentRequest, AgentSpec } from '@agentgate/core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { build } from './index.ts';
import { parseOutcome } from './outcome-file.ts';
import { findAgentFault } from './program.ts';
import { readScript, turnOf } from './script.ts';

let base: string;
let root: string;
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'agentgate-agent-'));
  root = join(base, 'work');
  mkdirSync(root);
  mkdirSync(join(base, 'scratch'));
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

const request = (spec: AgentSpec, over: Partial<AgentRequest> = {}): AgentRequest => ({
  spec,
  runId: 'r1',
  iteration: 2,
  root,
  prompt: 'the prompt\n',
  feedback: 'the feedback',
  nonce: 'abc',
  scratch: join(base, 'scratch'),
  startMark: join(base, 'started'),
  marker: `agentgate-test-${process.pid}`,
  signal: new AbortController().signal,
  ...over,
});
const command = (run: string | string[]): AgentSpec => ({ kind: 'command', run, escalate: [] });

describe('the command agent', () => {
  it('gives the prompt on standard input and the facts in the environment', async () => {
    const script =
      'cat; echo "$AGENTGATE_RUN_ID $AGENTGATE_ITERATION"; cat "$AGENTGATE_FEEDBACK_FILE"; cmp "$AGENTGATE_PROMPT_FILE" - </dev/null || true';
    const built = await build(request(command(script)));
    expect(built.end).toEqual({ kind: 'finished' });
    expect(built.output).toContain('the prompt\nr1 2\nthe feedback');
  });
  it('reads what the agent tells of itself', async () => {
    const told = '{"claim":true,"tokens":12,"costUsd":0.5,"sessionId":"s"}';
    expect(await build(request(command(`echo '${told}' > "$AGENTGATE_OUTCOME_FILE"`)))).toMatchObject({
      claimed: true,
      tokens: 12,
      costUsd: 0.5,
      sessionId: 's',
    });
  });
  it.each([
    ['exit 3', { kind: 'failed', detail: 'it exited with 3', exitCode: 3 }],
    ['kill -9 $$', { kind: 'failed', detail: 'it was ended by SIGKILL' }],
  ])('%s', async (run, end) => expect((await build(request(command(run)))).end).toEqual(end));
  it('ends by the wall clock or by a stop, and says which', async () => {
    for (const reason of ['wall-clock', 'stop'] as const) {
      const abort = new AbortController();
      const onOutput = () => abort.abort(reason);
      const built = await build(
        request(command('echo ready; sleep 600'), { signal: abort.signal, onOutput }),
      );
      expect(built.end).toEqual({ kind: 'aborted', by: reason });
    }
  });
  it('is a fault when its program is missing, by list or by shell', async () => {
    await expect(build(request(command(['no-such-agent'])))).rejects.toMatchObject({
      fault: { code: 'program.missing' },
    });
    await expect(build(request(command('no-such-agent --go')))).rejects.toMatchObject({
      fault: { code: 'program.missing', message: expect.stringContaining('no-such-agent') },
    });
  });
  it('can be looked for before anything runs', () => {
    expect(findAgentFault(command(['sh']), root)).toBeNull();
    expect(findAgentFault(command(['./agent.sh']), root)).toMatchObject({ code: 'program.missing' });
    expect(findAgentFault(command(['claude-that-is-not-there']), root)?.message).toContain('install it');
  });
  it.each([['no-such-agent'], ['no-such-agent --go -x=1 a.txt'], ['/nonexist/a'], [' ./agent.sh\t--go']])(
    'can be looked for in a text of plain words: %j',
    (run) => expect(findAgentFault(command(run), root)).toMatchObject({ code: 'program.missing' }),
  );
  it.each([
    ['sh agent.sh'],
    ['cd no-such-folder'],
    ['exec no-such-agent'],
    ['A=1 no-such-agent'],
    ['no-such-agent || true'],
    ['no-such-agent "$1"'],
    ['no-such-agent\nsh agent.sh'],
    ['~/no-such-agent'],
    ['$HOME/no-such-agent'],
    ['if no-such-agent'],
    ['true'],
  ])('is left to the shell where the text is more than that, or the shell does it itself: %j', (run) =>
    expect(findAgentFault(command(run), root)).toBeNull(),
  );
});

describe('the outcome file is untrusted', () => {
  it.each([
    ['not json', {}],
    ['[]', {}],
    ['null', {}],
    ['{"claim":"","giveUp":7,"tokens":-1,"costUsd":"much","sessionId":3}', {}],
    ['{"costUsd":1e999,"tokens":null}', {}],
    ['{"giveUp":true}', { giveUp: 'no reason given' }],
    ['{"giveUp":"the API is gone"}', { giveUp: 'the API is gone' }],
    ['{"claim":false}', {}],
    ['{"claim":" npm test: 12 passed "}', { claimed: true, evidence: 'npm test: 12 passed' }],
    ['{"ask":"May I?"}', { asks: 'May I?' }],
    ['{"ask":["May I?"]}', {}],
    [
      '{"windows":[{"name":"5h","used":0.8,"resetsAt":"1970-01-01T00:01:00Z"},{"name":"7d","used":2},7]}',
      { windows: [{ name: '5h', used: 0.8, resetsAtMs: 60_000 }] },
    ],
  ])('%s', (text, expected) => expect(parseOutcome(text)).toEqual(expected));
});

describe('the scripted agent', () => {
  const scripted = (script: object, over: Partial<AgentRequest> = {}) => {
    writeFileSync(join(root, 'script.json'), JSON.stringify(script));
    return build(
      request({ kind: 'scripted', script: 'script.json', escalate: [] }, { iteration: 1, ...over }),
    );
  };
  it('edits, prints and reports', async () => {
    writeFileSync(join(root, 'old.txt'), 'one two');
    const turn = {
      say: 'hello',
      write: { 'a/b.txt': 'x' },
      append: { 'old.txt': '!' },
      replace: [{ in: 'old.txt', from: 'two', to: '$& three' }],
      run: 'echo from the shell',
      tokens: 5,
      costUsd: 0.1,
      claim: true,
    };
    expect(await scripted({ turns: [turn] })).toMatchObject({
      end: { kind: 'finished' },
      output: 'hello\nfrom the shell\n',
      tokens: 5,
      costUsd: 0.1,
      claimed: true,
    });
    expect(readFileSync(join(root, 'old.txt'), 'utf8')).toBe('one $& three!');
    await scripted({ turns: [{ delete: ['a'] }] });
    expect(existsSync(join(root, 'a'))).toBe(false);
  });
  it.each([
    [{ exit: 2 }, { kind: 'failed', detail: 'it exited with 2', exitCode: 2 }],
    [{ crash: 'SIGSEGV' }, { kind: 'failed', detail: 'it was ended by SIGSEGV' }],
  ])('%j', async (turn, end) => expect((await scripted({ turns: [turn] })).end).toEqual(end));
  it('hangs until it is stopped', async () => {
    const abort = new AbortController();
    const building = scripted(
      { turns: [{ say: 'ready', hang: true }] },
      { signal: abort.signal, onOutput: () => abort.abort('wall-clock') },
    );
    expect((await building).end).toEqual({ kind: 'aborted', by: 'wall-clock' });
  });
  it('waits for a file that a test writes', async () => {
    const building = scripted({ turns: [{ waitFor: 'go' }] });
    writeFileSync(join(root, 'go'), '');
    expect((await building).end).toEqual({ kind: 'finished' });
  });
  it('keeps inside the workspace', async () => {
    await expect(scripted({ turns: [{ write: { '../out.txt': 'x' } }] })).rejects.toMatchObject({
      fault: { code: 'agent.script' },
    });
  });
  it('says what is wrong with a script', () => {
    writeFileSync(join(root, 's.yaml'), 'turns: [{ sya: hello }]\n');
    expect(() => readScript(join(root, 's.yaml'))).toThrow(/s\.yaml is not valid: turns\.0/);
    expect(() => readScript(join(root, 'none.yaml'))).toThrow(/cannot read/);
  });
  it.each([
    ['idle', null],
    ['repeat-last', { say: 'b' }],
    ['start-over', { say: 'a' }],
  ] as const)('after its last turn: %s', (after, expected) => {
    expect(turnOf({ turns: [{ say: 'a' }, { say: 'b' }], after }, 3)).toEqual(expected);
  });
});
