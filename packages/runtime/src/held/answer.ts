import { existsSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Added, FaultError, fault, fold, hash64, type RunSpec } from '@agentgate/core';
import { agentNamed } from '../agents/known.ts';
import { detectedSpec, placeholderTask } from '../detect/index.ts';
import { takeLock } from '../process/index.ts';
import { findSpecFile, loadSpec, type Override } from '../spec/load.ts';
import {
  findHome,
  guardedState,
  openHome,
  openRunStore,
  readHistory,
  stateRoot,
  type WorkspaceHome,
} from '../store/index.ts';
import { findRepository, findRepositoryAbove } from '../workspace/repository.ts';
import {
  type Binding,
  isWithin,
  listArmings,
  listBindings,
  readBinding,
  realFolder,
  removeArming,
  removeBinding,
  removeUnseen,
  turnPath,
  writeBinding,
  writeUnarmed,
} from './files.ts';
import { brokenOff, holdAgain, holdNew, homeKey, judgeStop } from './hold.ts';
import { type Answer, type HostCall, hosts, taskIn } from './hosts.ts';
import { leave, stillUnseen } from './leave.ts';
import { pausedOnce } from './pause.ts';
import { disarm, heldBeside } from './release.ts';
import { lengthOf } from './transcript.ts';

export interface Around {
  env: NodeJS.ProcessEnv;
  version: string;
  /** Whether whoever asked still waits for the answer. */
  isAwaited?(): boolean;
  nowMs?(): number;
}

const letGo: Answer = { kind: 'let' };

/** How often a hook asks whether the one before it is done. */
const againMs = 200;

/** What a hook answers to its host. Never throws: whatever fails, the host goes on and the person is told. */
export async function answerCall(call: HostCall, around: Around): Promise<Answer> {
  try {
    switch (call.event) {
      case 'prompt':
        return await onPrompt(call, around);
      case 'stop':
        return await onStop(call, around);
      case 'start':
        return await onStart(call, around);
      case 'end':
        return await onLeaving(call, around);
      default:
        return letGo;
    }
  } catch (error) {
    return onTrouble(call, around, error).catch(() => unwritten(call, error));
  }
}

/**
 * The answer came to nobody: the host died, or broke the hook off, just before. The iteration that was to begin with it
 * did not.
 */
export async function takeBack(call: HostCall, answer: Answer, env: NodeJS.ProcessEnv): Promise<void> {
  if (answer.kind === 'let' || answer.begins === undefined) return;
  const binding = readBinding(stateRoot(env), call.sessionId);
  if (binding?.runId !== answer.begins || binding.phase !== 'working') return;
  const home = openHome(binding.root, env);
  const isNew = call.event === 'prompt' && taskIn(call.prompt) !== null;
  if (isNew) removeBinding(stateRoot(env), call.sessionId);
  const why = isNew ? brokenOff : 'its hook was ended before it could bring the answer';
  await leave({ home, env, key: homeKey(home) }, binding.runId, why, isNew ? null : binding, true);
}

/** A prompt arms the session, wakes up a run that was suspended, or is none of ours. */
async function onPrompt(call: HostCall, around: Around): Promise<Answer> {
  const binding = readBinding(stateRoot(around.env), call.sessionId);
  if (binding === null || binding.phase === 'suspended')
    return alone(call, around, () => onFreePrompt(call, around));
  if (taskIn(call.prompt) !== null)
    return { kind: 'tell', text: `This session is held already, by run ${binding.runId}.` };
  if (binding.phase !== 'judging') return letGo;
  const text = `AgentGate: the gates of run ${binding.runId} still judge the stop before this prompt. If that stop was broken off, this prompt is not held, and the first one after they are done is.`;
  return { kind: 'tell', text, say: text };
}

async function onFreePrompt(call: HostCall, around: Around): Promise<Answer> {
  const state = stateRoot(around.env);
  const binding = readBinding(state, call.sessionId);
  // Another hook for the same prompt came first and has told it all.
  if (binding && binding.phase !== 'suspended') return letGo;
  const task = taskIn(call.prompt);
  if (task !== null && binding === null) {
    const home = openHome(rootFor(call.cwd), around.env);
    // It takes the place of what was armed from a terminal.
    removeArming(state, homeKey(home));
    return (
      refusal(call, home.root, around) ??
      holdNew({ home, call, ...around }, await specFor(home, call, task, around.env))
    );
  }
  if (binding) return refusal(call, binding.root, around) ?? goOn(call, around, binding);
  const arming = armingFor(call, around);
  return arming ? onArmed(call, around, arming) : letGo;
}

type Kept = ReturnType<typeof listArmings>[number];

/** The nearest to where the session works; an order from a terminal counts for ten minutes. */
function armingFor({ cwd }: HostCall, { env, nowMs }: Around): Kept | null {
  const now = nowMs?.() ?? Date.now();
  const here = listArmings(stateRoot(env)).filter(({ root }) => isWithin(realFolder(cwd), root));
  for (const { key, untilMs } of here) if (untilMs < now) removeArming(stateRoot(env), key);
  const open = here.filter(({ untilMs }) => untilMs >= now);
  return open.sort((a, b) => b.root.length - a.root.length)[0] ?? null;
}

/** It counts once, whatever comes of it. */
async function onArmed(call: HostCall, around: Around, arming: Kept): Promise<Answer> {
  const { root, runId } = arming;
  removeArming(stateRoot(around.env), arming.key);
  const home = openHome(root, around.env);
  // It is this run that is wanted here: the session that had it is let go.
  if (runId !== null && heldBeside(root, call.sessionId, around.env)?.runId === runId)
    disarm(runId, around.env);
  const refused = refusal(call, root, around);
  if (refused) return refused;
  if (runId !== null) return holdAgain({ home, call, ...around }, runId, { added: arming.added as Added });
  const { spec, hash, source } = arming.loaded as { spec: RunSpec; hash: string; source: string };
  const isOpen = spec.task.trim() === placeholderTask;
  const loaded = { spec: isOpen ? { ...spec, task: call.prompt } : spec, hash, source };
  return holdNew({ home, call, ...around }, loaded);
}

/** Two sessions at work in one workspace would be judged for each other's work. */
function refusal(call: HostCall, root: string, { env }: Around): Answer | null {
  const other = heldBeside(root, call.sessionId, env);
  if (!other) return null;
  const text = `AgentGate: not armed: run ${other.runId} holds another session of ${hosts[other.host].title} in this workspace (${other.sessionId.slice(0, 8)}). agentgate stop ${other.runId} ends that; agentgate arm --run ${other.runId} holds the next prompt for it instead.`;
  return unarmed(call, root, env, text);
}

/**
 * What the person was waited for may be there by now: then what was done is judged first. Else their words are what the
 * session is to do next.
 */
async function goOn(call: HostCall, around: Around, binding: Binding): Promise<Answer> {
  const state = stateRoot(around.env);
  const hold = { home: openHome(binding.root, around.env), call, ...around };
  if (await isAnswered(hold.home, binding.runId)) {
    const answer = await holdAgain(hold, binding.runId, {});
    if (readBinding(state, call.sessionId)?.phase !== 'suspended') return answer;
  }
  const { runId } = readBinding(state, call.sessionId) ?? binding;
  // The word that arms a session is none of the task.
  return holdAgain(hold, runId, { words: taskIn(call.prompt) || call.prompt });
}

async function isAnswered({ runs }: WorkspaceHome, runId: string): Promise<boolean> {
  const store = openRunStore(runs);
  const { ended } = fold(await readHistory(store, runId));
  if (ended?.code !== 'awaiting-approval' && ended?.code !== 'awaiting-confirmation') return false;
  return store.letters(runId).some(({ request }) => request.kind === 'approval');
}

async function onStop(call: HostCall, around: Around): Promise<Answer> {
  const state = stateRoot(around.env);
  const before = readBinding(state, call.sessionId);
  if (!before || before.phase === 'suspended') return letGo;
  if (call.isPausing && pausedOnce(before, around.nowMs?.() ?? Date.now())) return letGo;
  const stop = nameOf(call);
  const cameMs = around.nowMs?.() ?? Date.now();
  return alone(call, around, async () => {
    const binding = readBinding(state, call.sessionId);
    if (stop !== null && binding?.heard?.stop === stop && isSame(binding, { call, cameMs }, around.env))
      return binding.heard.answer as Answer;
    if (!binding) return letGo;
    // The stop before was broken off, and what came after it was done for nobody.
    if (binding.phase === 'suspended') return { kind: 'let', say: brokenBefore(binding) };
    const judging: Binding = { ...binding, phase: 'judging', heard: null };
    writeBinding(state, judging);
    const answer = await judgeStop({ home: openHome(binding.root, around.env), call, ...around }, judging);
    const after = readBinding(state, call.sessionId);
    const atMs = around.nowMs?.() ?? Date.now();
    if (after && stop !== null) writeBinding(state, { ...after, heard: { stop, answer, atMs } });
    return answer;
  });
}

/** Hooks for one stop are started together, or one when the other is done. */
const togetherMs = 5_000;

/**
 * Whether a stop that looks like the one before it is that one. A hook that came before the answer was there has waited
 * for it. One that came later is a stop of its own once a person has said something since, or after some seconds:
 * whatever its transcript tells, the agent may have worked.
 */
function isSame(
  { root, runId, heard }: Binding,
  { call, cameMs }: { call: HostCall; cameMs: number },
  env: NodeJS.ProcessEnv,
): boolean {
  const atMs = heard?.atMs;
  if (call.stopId !== null || atMs === undefined || cameMs <= atMs) return true;
  return cameMs - atMs <= togetherMs && openRunStore(findHome(root, env).runs).letters(runId).length === 0;
}

const brokenBefore = ({ runId }: Binding): string =>
  `AgentGate: NOT converged, and this stop is not judged: run ${runId} was suspended while it waited for the stop before. The next prompt of this session goes on with it, agentgate resume ${runId} does without one.`;

/**
 * Hooks that stand in two settings are both started for one prompt or one stop. The second waits for the first and
 * finds what it left; a first that was killed leaves its place by that.
 */
async function alone(call: HostCall, { env }: Around, answer: () => Promise<Answer>): Promise<Answer> {
  const state = stateRoot(env);
  const path = await guardedState(state, async () => turnPath(state, call.sessionId));
  const holder = { pid: process.pid, runId: call.sessionId, since: new Date().toISOString() };
  for (;;) {
    const turn = await takeLock(path, holder);
    if (turn.kind === 'busy') {
      await sleep(againMs);
      continue;
    }
    try {
      return await answer();
    } finally {
      // Gone before it is free: whoever waits takes no lock of a file that is no longer there.
      rmSync(path, { force: true });
      turn.release();
    }
  }
}

/** One stop is one stop, however many hooks are started for it: between two of them the transcript grows. */
function nameOf({ name, said, transcript, stopId }: HostCall): string | null {
  if (stopId !== null) return JSON.stringify([name, stopId]);
  const bytes = lengthOf(transcript);
  return bytes === 0 ? null : JSON.stringify([name, said === null ? null : hash64(said), bytes]);
}

/** What went away unfinished in this workspace is told once, to whoever comes next; what is held, as long as it is. */
async function onStart(call: HostCall, { env }: Around): Promise<Answer> {
  const state = stateRoot(env);
  const isHere = ({ root }: { root: string }) => isWithin(realFolder(call.cwd), root);
  const unseen = await stillUnseen(env, isHere);
  for (const { key } of unseen) removeUnseen(state, key);
  const others = listBindings(state).filter(
    (one) => isHere(one) && one.sessionId !== call.sessionId && one.phase !== 'suspended',
  );
  const text = [...unseen.map((one) => one.text), ...others.map(heldWords)].join('\n');
  return text === '' ? letGo : { kind: 'tell', text, say: text };
}

/** A host that was killed tells nobody; its session looks like one that works. */
const heldWords = ({ runId, host, sessionId }: Binding): string =>
  `AgentGate: run ${runId} is still held by another session of ${hosts[host].title} (${sessionId.slice(0, 8)}). If that one is gone it is NOT converged: agentgate resume ${runId} goes on without a session, agentgate stop ${runId} ends it.`;

/** The session ends: the run stays open, for a headless resume or for another session. */
async function onLeaving({ sessionId }: HostCall, { env }: Around): Promise<Answer> {
  const state = stateRoot(env);
  const binding = readBinding(state, sessionId);
  // One that is suspended waits for a prompt of the same session, which may be opened again.
  if (!binding || binding.phase === 'suspended') return letGo;
  const home = openHome(binding.root, env);
  removeBinding(state, sessionId);
  const place = { home, env, key: homeKey(home) };
  await leave(place, binding.runId, `the session of ${hosts[binding.host].title} ended`, null);
  return letGo;
}

/** Something of ours failed: the stop is let through, and nobody may take that for done. */
async function onTrouble(call: HostCall, { env }: Around, error: unknown): Promise<Answer> {
  const binding = readBinding(stateRoot(env), call.sessionId);
  const why = wordsOf(error);
  if (!binding) {
    const text = `AgentGate: not armed: ${why}`;
    return call.event === 'prompt' ? unarmed(call, rootFor(call.cwd), env, text) : { kind: 'let', say: text };
  }
  const home = openHome(binding.root, env);
  return { kind: 'let', say: await leave({ home, env, key: homeKey(home) }, binding.runId, why, binding) };
}

/** Not even the note can be written, as where the state is read-only: whoever is there is told. */
function unwritten({ event }: HostCall, error: unknown): Answer {
  const why = wordsOf(error);
  if (event === 'stop') return { kind: 'let', say: `AgentGate: NOT converged, and no longer held: ${why}` };
  const text = `AgentGate: not armed: ${why}`;
  return event === 'prompt' ? { kind: 'tell', text, say: text } : letGo;
}

const wordsOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** The session works on unheld. `agentgate status` tells it as well, since not every host shows it. */
function unarmed(call: HostCall, root: string, env: NodeJS.ProcessEnv, text: string): Answer {
  const { host, sessionId } = call;
  const key = homeKey(findHome(root, env));
  writeUnarmed(stateRoot(env), key, { v: 1, root, host, sessionId, atMs: Date.now(), text });
  return { kind: 'tell', text, say: text };
}

/** Where a session works: the nearest folder with a spec, else its repository, else where it stands. */
export function rootFor(cwd: string): string {
  const repository = findRepository(cwd) ?? findRepositoryAbove(cwd);
  const top = repository?.top ?? cwd;
  for (let folder = cwd; isWithin(folder, top); folder = dirname(folder)) {
    if (hasSpec(folder)) return folder;
    if (folder === dirname(folder)) break;
  }
  return top;
}

const hasSpec = (folder: string): boolean =>
  ['yaml', 'yml', 'json', 'ts'].some((ending) => existsSync(join(folder, `agentgate.${ending}`)));

/** The spec of the project with the task of this line, or the gates that the project shows by itself. */
async function specFor(
  { root }: WorkspaceHome,
  { host }: HostCall,
  task: string,
  env: NodeJS.ProcessEnv,
): Promise<{ spec: RunSpec; hash: string; source: string }> {
  const file = findSpecFile(root);
  const set = (path: string[], value: unknown): Override => ({ path, value, flag: '/gate' });
  const seen = file === null ? detectedSpec(root, agentOfHost(host)) : [];
  if (file === null && !seen.some(({ path }) => path[0] === 'gates'))
    throw new FaultError(
      fault('gates.none', 'no gate was found here; agentgate init writes a spec to begin with'),
    );
  const words = task === '' ? [] : [set(['task'], task)];
  const loaded = await loadSpec(root, file, () => [...seen, ...words], { env });
  if (loaded.kind === 'loaded' && loaded.spec.task.trim() === placeholderTask)
    throw new FaultError(fault('usage', 'say what to do behind it, such as: /gate fix the failing tests'));
  if (loaded.kind === 'loaded') return loaded;
  const first = loaded.problems[0];
  throw new FaultError(
    fault('spec.invalid', `the spec is not valid: ${first?.message ?? 'it cannot be read'}`),
  );
}

/** Who goes on without the session. */
const agentOfHost = (host: HostCall['host']): unknown =>
  host === 'copilot' || host === 'qwen' ? agentNamed(host) : host;
