import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fold, type RunState } from '@agentgate/core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ownWorkspace } from '../driver/owner.ts';
import { takeLock } from '../process/index.ts';
import { loadSpec } from '../spec/load.ts';
import { findHome, openHome, openRunStore, readHistory, stateRoot } from '../store/index.ts';
import { answerCall, type Around } from './answer.ts';
import {
  type Binding,
  listArmings,
  listUnarmed,
  listUnseen,
  readBinding,
  turnPath,
  writeArming,
  writeBinding,
} from './files.ts';
import { homeKey } from './hold.ts';
import type { Answer, HostCall } from './hosts.ts';
import { stillUnseen } from './leave.ts';
import { longestPause } from './pause.ts';
import { disarm, isHeldNow } from './release.ts';

let [base, work, env] = ['', '', {} as NodeJS.ProcessEnv];
const write = (files: Record<string, string>) => {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(work, path)), { recursive: true });
    writeFileSync(join(work, path), text);
  }
};
const spec = (more: object = {}) => ({
  'agentgate.yaml': JSON.stringify({
    task: 'Write it.',
    agent: 'claude',
    integrity: 'off',
    stuck: 'off',
    detectors: { enabled: false },
    strategy: { kind: 'fixed', iterations: 30 },
    gates: { answer: 'sh check.sh' },
    ...more,
  }),
});
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'agentgate-held-')));
  work = join(base, 'work');
  env = { PATH: process.env['PATH'], HOME: base, XDG_STATE_HOME: join(base, 'state') };
  write({ ...spec(), 'check.sh': 'grep -qx right answer.txt\n', 'answer.txt': 'wrong\n' });
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

const call = (event: HostCall['event'], over: Partial<HostCall> = {}): HostCall => ({
  host: 'claude',
  event,
  name: 'X',
  sessionId: 's-1',
  cwd: work,
  prompt: '',
  said: null,
  transcript: null,
  stopId: null,
  isPausing: false,
  ...over,
});
const hear = (one: HostCall, around: Partial<Around> = {}): Promise<Answer> =>
  answerCall(one, { env, version: 'test', ...around });
const prompt = (words: string, over: Partial<HostCall> = {}, around: Partial<Around> = {}) =>
  hear(call('prompt', { prompt: words, ...over }), around);
const stop = (over: Partial<HostCall> = {}, around: Partial<Around> = {}) => hear(call('stop', over), around);
const state = () => stateRoot(env);
const runs = () => openRunStore(findHome(work, env).runs);
const newest = async (): Promise<RunState> => fold(await readHistory(runs(), runs().list()[0]!));
const notes = () => listUnseen(state()).map(({ text }) => text);
const wordsOf = (answer: Answer): string =>
  answer.kind === 'let' ? (answer.say ?? '') : answer.kind === 'hold' ? answer.reason : answer.text;

describe('a session whose stop was broken off while it was judged', () => {
  it('is told at its next prompt, and at its next stop, that it is not held', async () => {
    await prompt('/gate');
    const binding = readBinding(state(), 's-1')!;
    writeBinding(state(), { ...binding, phase: 'judging' });
    expect(wordsOf(await prompt('Another way.'))).toContain('still judge the stop before this prompt');
    const turn = await takeLock(turnPath(state(), 's-1'), { pid: 1, runId: 's-1', since: '' });
    const next = stop();
    writeBinding(state(), { ...binding, phase: 'suspended' });
    if (turn.kind !== 'busy') turn.release();
    expect(wordsOf(await next)).toContain('NOT converged, and this stop is not judged');
    expect(wordsOf(await stop())).toBe('');
  });
});

describe('a stop that looks like the one before', () => {
  const said = () => ({ transcript: join(base, 'transcript.jsonl'), said: 'Done.' });
  const at = (nowMs: number) => stop(said(), { nowMs: () => nowMs });
  const iterations = async () => (await newest()).iteration;
  beforeEach(async () => {
    writeFileSync(join(base, 'transcript.jsonl'), '{}\n');
    await prompt('/gate');
  });
  it('is that one and has its answer, also a little later', async () => {
    const answer = await at(10_000);
    const so = await iterations();
    for (const ms of [9_000, 10_000, 15_000]) expect(await at(ms)).toEqual(answer);
    expect(await iterations()).toBe(so);
  });
  it('is judged once the agent has had time to work', async () => {
    await at(10_000);
    const so = await iterations();
    expect((await at(15_001)).kind).toBe('hold');
    expect(await iterations()).toBe(so + 1);
  });
  it('is judged where a person has said something since', async () => {
    await at(10_000);
    runs().request(runs().list()[0]!, { kind: 'redirect', text: 'Look at the parser first.' });
    expect(wordsOf(await at(10_001))).toContain('Look at the parser first.');
  });
});

describe('a host that ends sessions by itself', () => {
  const transcript = () => join(base, 'transcript.jsonl');
  const says = (entry: object) => appendFileSync(transcript(), `${JSON.stringify(entry)}\n`);
  const stops = async (times: number, over: (n: number) => Partial<HostCall> = () => ({})) => {
    let answer: Answer = { kind: 'let' };
    for (let n = 1; n <= times; n++) {
      says({ type: 'user', n });
      answer = await stop({ transcript: transcript(), said: `Done ${n}.`, ...over(n) });
    }
    return answer;
  };
  it('after eight blocks is not asked to go on a ninth time', async () => {
    await prompt('/gate');
    expect((await stops(8)).kind).toBe('hold');
    expect(wordsOf(await stops(1))).toContain('ends a session after 8 blocks in a row');
    expect((await newest()).ended).toMatchObject({ code: 'host.override', iterations: 9 });
  });
  it('counts anew behind a tool call, where it does so', async () => {
    await prompt('/gate');
    await stops(8);
    says({ type: 'assistant', message: { content: [{ type: 'tool_use', name: 'Write' }] } });
    expect((await stops(8)).kind).toBe('hold');
  });
  it('does not where it is told not to', async () => {
    env = { ...env, CLAUDE_CODE_STOP_HOOK_BLOCK_CAP: '0' };
    await prompt('/gate');
    expect((await stops(12)).kind).toBe('hold');
  });
  it('but in Gemini CLI only when it lets nobody work', async () => {
    const gemini = { host: 'gemini', said: '' } as const;
    await prompt('/gate', gemini);
    // Turns of tools and no words, also where nobody knows the transcript.
    for (const text of ['a', 'b', 'c']) {
      write({ 'answer.txt': text });
      expect((await stop(gemini)).kind).toBe('hold');
    }
    // Stubborn, but at work.
    expect((await stops(2, () => gemini)).kind).toBe('hold');
    // Called again as it was.
    const again = await stop({ ...gemini, transcript: transcript(), stopId: 'again' });
    expect(wordsOf(again)).toContain('without having let the agent work');
  });
});

describe('what is armed from a terminal', () => {
  const arm = async (untilMs: number, more: object = {}, root = work) => {
    const home = openHome(root, env);
    const loaded = await loadSpec(work, join(work, 'agentgate.yaml'), [], { env });
    if (loaded.kind !== 'loaded') throw new Error('the spec is not valid');
    const { spec: one, hash, source } = loaded;
    const order = { v: 1, root, untilMs, runId: null, added: {}, loaded: { spec: one, hash, source } };
    writeArming(state(), homeKey(home), { ...order, ...more } as never);
    return homeKey(home);
  };
  it('is held until its time is over, and no longer', async () => {
    await arm(1_000);
    expect(await prompt('Go.', {}, { nowMs: () => 1_001 })).toEqual({ kind: 'let' });
    expect([runs().list(), listArmings(state())]).toEqual([[], []]);
    await arm(1_000);
    expect((await prompt('Go.', {}, { nowMs: () => 1_000 })).kind).toBe('tell');
  });
  it('is the one that is armed nearest, though one around it was armed and forgotten', async () => {
    const inner = join(work, 'inner');
    write({ 'inner/check.sh': 'false\n', 'other/check.sh': 'false\n' });
    await arm(1_000);
    await arm(5_000, {}, inner);
    const other = await arm(9_000, {}, join(work, 'other'));
    expect((await prompt('Go.', { cwd: inner }, { nowMs: () => 2_000 })).kind).toBe('tell');
    expect(readBinding(state(), 's-1')?.root).toBe(inner);
    expect(listArmings(state()).map(({ key }) => key)).toEqual([other]);
  });
  it('says what limits the run, which of them cannot bind, and the task', async () => {
    write(spec({ limits: { cost: '2usd', tokens: '50k', quota: '80%', iterations: 7 } }));
    await arm(Date.now() + 1_000);
    const told = await prompt('Go.');
    expect(told).toMatchObject({ text: expect.stringContaining('The task: Write it.') });
    const say = told.kind === 'tell' ? told.say : '';
    expect(say).toMatch(/At most 7 iterations, \w+ and 50k tokens\./);
    expect(say).toContain('Claude Code does not tell a hook what these limits count');
    expect(say).toContain('cannot bind: cost, quota.');
  });
  it('takes the place of no other session, but of that of the run it names', async () => {
    await prompt('/gate');
    const { runId } = await newest();
    for (const words of ['/gate do more', 'Go.']) {
      await arm(Date.now() + 60_000);
      const refused = await prompt(words, { sessionId: 's-2' });
      expect(refused).toMatchObject({
        kind: 'tell',
        text: expect.stringMatching(/not armed: run \w+ holds another session of Claude Code/),
        say: expect.stringContaining(runId),
      });
    }
    expect([readBinding(state(), 's-2'), runs().list()]).toEqual([null, [runId]]);
    await arm(Date.now() + 60_000, { runId, loaded: null });
    expect((await prompt('Go.', { sessionId: 's-2' })).kind).toBe('tell');
    expect([readBinding(state(), 's-1'), readBinding(state(), 's-2')?.runId]).toEqual([null, runId]);
  });
});

describe('a session that ends', () => {
  it('while it works leaves the run open, and is told of by its own name', async () => {
    await prompt('/gate');
    await hear(call('end', { host: 'gemini' }));
    expect(notes()).toEqual([expect.stringMatching(/session of Claude Code ended.*agentgate arm --run/)]);
    expect(notes()[0]).not.toContain('the next prompt of the session itself');
    expect(await newest()).toMatchObject({ held: null, ended: null });
  });
  it('while it is suspended stays suspended, and its next prompt goes on', async () => {
    write(spec({ gates: { yes: { kind: 'approval' } } }));
    await prompt('/gate');
    expect(wordsOf(await stop())).toContain('awaiting-approval');
    const before = notes();
    await hear(call('end'));
    expect(notes()).toEqual(before);
    expect((await prompt('Make it red.')).kind).toBe('tell');
    expect(notes()).toEqual([]);
    // And the one after it as well, though the run is another one now.
    expect(wordsOf(await stop())).toContain('awaiting-approval');
    expect((await prompt('Make it blue.')).kind).toBe('tell');
  });
  it('while its gates judge is not held again', async () => {
    write({ 'check.sh': 'touch judging; while [ ! -e free ]; do sleep 0.05; done; exit 1\n', free: '' });
    await prompt('/gate');
    rmSync(join(work, 'free'));
    rmSync(join(work, 'judging'));
    const stopped = stop();
    while (!existsSync(join(work, 'judging'))) await new Promise((done) => setImmediate(done));
    await hear(call('end'));
    write({ free: '' });
    expect(wordsOf(await stopped)).toContain('the session ended while its gates were judged');
    expect(readBinding(state(), 's-1')).toBeNull();
    expect(await newest()).toMatchObject({ held: null, ended: null });
  });
  it('by being killed is told of at the next start in the workspace', async () => {
    await prompt('/gate');
    const { runId } = await newest();
    expect(await hear(call('start'))).toEqual({ kind: 'let' });
    for (let times = 0; times < 2; times++)
      expect(wordsOf(await hear(call('start', { sessionId: 's-2' })))).toMatch(
        new RegExp(`run ${runId} is still held by another session.*agentgate resume ${runId}`),
      );
    disarm(runId, env);
    expect(await hear(call('start', { sessionId: 's-2' }))).toEqual({ kind: 'let' });
  });
});

describe('a prompt that was to be held and is not', () => {
  const unarmed = () => listUnarmed(state()).map(({ sessionId, text }) => [sessionId, text]);
  it('is on record until another one in its workspace is held', async () => {
    write({ 'agentgate.yaml': 'gates: 7\n' });
    const refused = await prompt('/gate fix it', { host: 'qwen' });
    expect(refused).toMatchObject({ kind: 'tell', text: expect.stringContaining('not armed') });
    expect(unarmed()).toEqual([['s-1', wordsOf(refused)]]);
    write(spec());
    await prompt('/gate fix it', { host: 'qwen' });
    expect(unarmed()).toEqual([]);
    const beside = await prompt('/gate fix it', { sessionId: 's-2' });
    expect(unarmed()).toEqual([['s-2', wordsOf(beside)]]);
  });
  it('leaves nothing behind where nobody wanted it', async () => {
    await prompt('Hello.');
    await hear(call('start'));
    expect(unarmed()).toEqual([]);
  });
});

describe('a limit that counts what the host does not tell', () => {
  const limits = { tokens: 5_000, cost: '$3.00' };
  const told = async (host: HostCall['host']) => {
    write(spec({ limits }));
    const armed = await prompt('/gate', { host });
    return [wordsOf(armed), wordsOf(await stop({ host }))];
  };
  it('is promised to nobody, neither at the beginning nor later', async () => {
    for (const words of await told('qwen')) {
      expect(words).toMatch(/at most \d\d iterations/i);
      expect(words).not.toMatch(/at most[^.]*(tokens|\$)/i);
    }
    expect((await newest()).held).toMatchObject({ unheard: ['tokens', 'cost'] });
  });
  it('is told where it does', async () => {
    for (const words of await told('claude')) expect(words).toMatch(/at most[^.]*5000 tokens/i);
    expect((await newest()).held).toMatchObject({ unheard: ['cost'] });
  });
});

describe('a stop whose answer nobody takes', () => {
  it('begins no iteration, leaves a note, and the next prompt goes on', async () => {
    await prompt('/gate');
    const gone = await stop({}, { isAwaited: () => false });
    expect(wordsOf(gone)).toMatch(/NOT converged.*its hook was ended while its gates were judged/);
    expect(readBinding(state(), 's-1')).toMatchObject({ phase: 'suspended', blocks: 0 });
    expect(await newest()).toMatchObject({ held: null, ended: null, iteration: 1 });
    expect(notes()).toHaveLength(1);
    write({ 'answer.txt': 'right\n' });
    expect((await prompt('Go on.')).kind).toBe('tell');
    expect(notes()).toEqual([]);
    expect(wordsOf(await stop())).toContain('gates met');
    // The one that nobody began was not used up.
    expect((await newest()).ended).toMatchObject({ status: 'converged', iterations: 2 });
  });
});

describe('a note that something is NOT converged', () => {
  const ending = async (sessionId: string) => {
    write(spec({ limits: { iterations: 1 } }));
    await prompt('/gate', { sessionId });
    await stop({ sessionId });
    return newest();
  };
  it('is kept for each run, and told once', async () => {
    const ids = [(await ending('s-1')).runId, (await ending('s-2')).runId];
    expect(notes()).toHaveLength(2);
    const told = wordsOf(await hear(call('start', { sessionId: 's-3' })));
    for (const id of ids) expect(told).toContain(`Run ${id} ended as diverged`);
    expect(await hear(call('start', { sessionId: 's-3' }))).toEqual({ kind: 'let' });
  });
  it('goes when somebody takes the run in hand', async () => {
    const { runId } = await ending('s-1');
    disarm(runId, env);
    expect(notes()).toEqual([]);
  });
  it('is not told when the run has converged since', async () => {
    await prompt('/gate');
    await stop({}, { isAwaited: () => false });
    const [before] = listUnseen(state());
    write({ 'answer.txt': 'right\n' });
    await prompt('Go on.');
    await stop();
    // As one that a hook wrote which ended later than the judge.
    const { key, ...note } = before!;
    mkdirSync(join(state(), 'unseen'), { recursive: true });
    writeFileSync(join(state(), 'unseen', `${key}.json`), JSON.stringify(note));
    expect(await stillUnseen(env, () => true)).toEqual([]);
    expect(notes()).toEqual([]);
  });
});

describe('a stop while a check has the workspace', () => {
  /** Each look at the clock is ten minutes later. */
  const around = (isAwaited: () => boolean): Partial<Around> => {
    let at = 0;
    return { isAwaited, nowMs: () => (at += 600_000) };
  };
  const check = async () => {
    const lock = await ownWorkspace(openHome(work, env), 'check');
    if (lock.kind !== 'held') throw new Error('the workspace is taken');
    return lock;
  };
  it('is judged when that is over, as long as its host waits', async () => {
    await prompt('/gate');
    const lock = await check();
    let looks = 0;
    const answer = await stop(
      {},
      around(() => {
        if ((looks += 1) === 3) lock.release();
        return true;
      }),
    );
    expect([answer.kind, looks > 2, notes()]).toEqual(['hold', true, []]);
  });
  it('is let through once its host waits no more, and is not said to be held', async () => {
    await prompt('/gate');
    const lock = await check();
    expect(
      wordsOf(
        await stop(
          {},
          around(() => false),
        ),
      ),
    ).toContain('NOT converged');
    lock.release();
    const { runId, held } = await newest();
    // Its log could not be written then.
    expect([held !== null, isHeldNow(runId, env), notes().length]).toEqual([true, false, 1]);
    expect((await prompt('Go on.')).kind).toBe('tell');
    expect(isHeldNow(runId, env)).toBe(true);
  });
});

describe('a session with work in the background', () => {
  const change = (over: Partial<Binding>) =>
    writeBinding(state(), { ...readBinding(state(), 's-1')!, ...over });
  it('is judged once it has paused enough, and told so', async () => {
    await prompt('/gate');
    expect(await stop({ isPausing: true })).toEqual({ kind: 'let' });
    expect((await newest()).iteration).toBe(1);
    change({ pauses: { stops: longestPause.stops, sinceMs: Date.now() } });
    const judged = await stop({ isPausing: true });
    expect([judged.kind, wordsOf(judged)]).toEqual(['hold', expect.stringContaining('in the background')]);
    // And may pause again.
    expect(await stop({ isPausing: true })).toEqual({ kind: 'let' });
  });
  it('is not charged for the time in which it waited for its person', async () => {
    await prompt('/gate');
    change({ idle: { ms: 3_600_000, sinceMs: null } });
    await stop();
    const events = await readHistory(runs(), runs().list()[0]!);
    expect(events.find(({ kind }) => kind === 'agent.ended')).toMatchObject({ tookMs: 0 });
    expect(readBinding(state(), 's-1')?.idle).toBeUndefined();
  });
});

it('words for the run reach the agent at its next stop, and the count stays', async () => {
  await prompt('/gate');
  await stop();
  const { runId } = await newest();
  runs().request(runId, { kind: 'redirect', text: 'Keep the public API.' });
  const answer = await stop();
  expect([answer.kind, wordsOf(answer)]).toEqual(['hold', expect.stringContaining('Keep the public API.')]);
  expect(await newest()).toMatchObject({ iteration: 3, ended: null, redirects: ['Keep the public API.'] });
  expect(wordsOf(await stop())).not.toContain('Keep the public API.');
});

it('a session that is stuck is not said to have had a move that nobody could make', async () => {
  const agent = { kind: 'claude', escalate: [{ model: 'opus' }] };
  const stuck = { moves: ['fresh', 'escalate'], patience: 1 };
  write(spec({ agent, stuck, detectors: { enabled: true }, strategy: 'hybrid' }));
  await prompt('/gate');
  for (let n = 1; (await stop()).kind === 'hold'; n++) expect(n).toBeLessThan(6);
  const { ended, moves } = await newest();
  expect([ended?.status, moves]).toEqual(['diverged', []]);
});

describe('a gate that waits for a person', () => {
  beforeEach(() => write(spec({ gates: { answer: 'sh check.sh', yes: { kind: 'approval' } } })));
  const waiting = async () => {
    await prompt('/gate');
    write({ 'answer.txt': 'right\n' });
    expect(wordsOf(await stop())).toContain('answer with agentgate approve yes');
    const { runId, lastClosed } = await newest();
    return { runId, tree: lastClosed?.tree ?? '' };
  };
  const answered = async (approved: boolean, note?: string) => {
    const { runId, tree } = await waiting();
    const said = { kind: 'approval', gate: 'yes', tree, by: 'ann', approved } as const;
    runs().request(runId, note === undefined ? said : { ...said, note });
    return prompt('And now?');
  };
  it('is judged at the next prompt, without another turn, once it is approved', async () => {
    expect(wordsOf(await answered(true))).toContain('gates met');
    expect((await newest()).ended).toMatchObject({ status: 'converged', iterations: 1 });
    expect([readBinding(state(), 's-1'), notes()]).toEqual([null, []]);
  });
  it('tells the agent at the next prompt why it is rejected', async () => {
    expect(wordsOf(await answered(false, 'The button is red.'))).toContain('The button is red.');
    expect(await newest()).toMatchObject({ iteration: 2, ended: null });
  });
  it('is asked anew when the next prompt wants something else', async () => {
    await waiting();
    expect((await prompt('Make it blue.')).kind).toBe('tell');
    expect(await newest()).toMatchObject({ iteration: 2, redirects: ['Make it blue.'] });
  });
});
