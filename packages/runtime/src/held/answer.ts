import { existsSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Added, FaultError, fault, fold, hash64, type RunSpec } from '@agentgate/core';
import { agentNamed } from '../agents/known.ts';
import { detectedSpec, placeholderTask } from '../detect/index.ts';
import { ownWorkspace } from '../driver/owner.ts';
import { takeLock } from '../process/index.ts';
import { findSpecFile, loadSpec, type Override } from '../spec/load.ts';
import { openHome, openRunStore, readHistory, stateRoot, type WorkspaceHome } from '../store/index.ts';
import { findRepository, findRepositoryAbove } from '../workspace/repository.ts';
import {
  type Binding,
  isWithin,
  listArmings,
  listUnseen,
  readBinding,
  realFolder,
  removeArming,
  removeBinding,
  removeUnseen,
  turnPath,
  writeBinding,
  writeUnseen,
} from './files.ts';
import { holdAgain, holdNew, homeKey, judgeStop } from './hold.ts';
import { type Answer, type HostCall, hosts, taskIn } from './hosts.ts';
import { lengthOf } from './transcript.ts';

interface Around {
  env: NodeJS.ProcessEnv;
  version: string;
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
        return onStart(call, around);
      case 'end':
        return await onLeaving(call, around);
      default:
        return letGo;
    }
  } catch (error) {
    return onTrouble(call, around, error);
  }
}

/** A prompt arms the session, wakes up a run that was suspended, or is none of ours. */
async function onPrompt(call: HostCall, around: Around): Promise<Answer> {
  const binding = readBinding(stateRoot(around.env), call.sessionId);
  if (binding === null || binding.phase === 'suspended')
    return alone(call, around, () => onFreePrompt(call, around));
  return taskIn(call.prompt) === null
    ? letGo
    : { kind: 'tell', text: `This session is held already, by run ${binding.runId}.` };
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
    return holdNew({ home, call, ...around }, await specFor(home, call, task, around.env));
  }
  if (binding)
    return holdAgain({ home: openHome(binding.root, around.env), call, ...around }, binding.runId, {
      words: call.prompt,
    });
  const arming = listArmings(state).find(({ root }) => isWithin(realFolder(call.cwd), root));
  if (!arming) return letGo;
  // Once, whatever comes of it.
  removeArming(state, arming.key);
  if (Date.now() > arming.untilMs) return letGo;
  const home = openHome(arming.root, around.env);
  if (arming.runId !== null)
    return holdAgain({ home, call, ...around }, arming.runId, { added: arming.added as Added });
  const { spec, hash, source } = arming.loaded as { spec: RunSpec; hash: string; source: string };
  const isOpen = spec.task.trim() === placeholderTask;
  const loaded = { spec: isOpen ? { ...spec, task: call.prompt } : spec, hash, source };
  return holdNew({ home, call, ...around }, loaded);
}

async function onStop(call: HostCall, around: Around): Promise<Answer> {
  const state = stateRoot(around.env);
  const isFree = () => (readBinding(state, call.sessionId)?.phase ?? 'suspended') === 'suspended';
  if (isFree() || call.isPausing) return letGo;
  const stop = nameOf(call);
  return alone(call, around, async () => {
    const binding = readBinding(state, call.sessionId);
    if (stop !== null && binding?.heard?.stop === stop) return binding.heard.answer as Answer;
    if (!binding || binding.phase === 'suspended') return letGo;
    const judging: Binding = { ...binding, phase: 'judging', heard: null };
    writeBinding(state, judging);
    const answer = await judgeStop({ home: openHome(binding.root, around.env), call, ...around }, judging);
    const after = readBinding(state, call.sessionId);
    if (after && stop !== null) writeBinding(state, { ...after, heard: { stop, answer } });
    return answer;
  });
}

/**
 * Hooks that stand in two settings are both started for one prompt or one stop. The second waits for the first and
 * finds what it left; a first that was killed leaves its place by that.
 */
async function alone(call: HostCall, { env }: Around, answer: () => Promise<Answer>): Promise<Answer> {
  const path = turnPath(stateRoot(env), call.sessionId);
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

/** What went away unfinished in this workspace is told once, to whoever comes next. */
function onStart({ cwd }: HostCall, { env }: Around): Answer {
  const state = stateRoot(env);
  const unseen = listUnseen(state).find(({ root }) => isWithin(realFolder(cwd), root));
  if (!unseen) return letGo;
  removeUnseen(state, unseen.key);
  return { kind: 'tell', text: unseen.text, say: unseen.text };
}

/** The session ends: the run stays open, for a headless resume or for another session. */
async function onLeaving(call: HostCall, around: Around): Promise<Answer> {
  const state = stateRoot(around.env);
  const binding = readBinding(state, call.sessionId);
  if (!binding) return letGo;
  const home = openHome(binding.root, around.env);
  removeBinding(state, call.sessionId);
  const why = `the session of ${hosts[call.host].title} ended`;
  await recordLeft(home, binding.runId, why);
  tellLater(home, binding, why, around.env);
  return letGo;
}

/** Something of ours failed: the stop is let through, and nobody may take that for done. */
async function onTrouble(call: HostCall, around: Around, error: unknown): Promise<Answer> {
  const state = stateRoot(around.env);
  const binding = readBinding(state, call.sessionId);
  const why = error instanceof Error ? error.message : String(error);
  if (!binding) return { kind: 'let', say: `AgentGate: not armed: ${why}` };
  const home = openHome(binding.root, around.env);
  writeBinding(state, { ...binding, phase: 'suspended' });
  await recordLeft(home, binding.runId, why).catch(() => undefined);
  return { kind: 'let', say: tellLater(home, binding, why, around.env) };
}

function tellLater(home: WorkspaceHome, { runId }: Binding, why: string, env: NodeJS.ProcessEnv): string {
  const text = `AgentGate: NOT converged. Run ${runId} was left unfinished: ${why}. agentgate resume ${runId} goes on without a session, and so does the next prompt of the session itself.`;
  writeUnseen(stateRoot(env), homeKey(home), { v: 1, root: home.root, runId, text });
  return text;
}

/** The log says that nobody works for the run any more. */
async function recordLeft(home: WorkspaceHome, runId: string, why: string): Promise<void> {
  const lock = await ownWorkspace(home, runId);
  if (lock.kind === 'busy') return;
  const store = openRunStore(home.runs);
  try {
    store.settle(runId);
    const state = fold(await readHistory(store, runId));
    if (!state.ended && state.held) await store.append(runId, state.seq, [{ kind: 'session.left', why }]);
  } finally {
    store.close();
    lock.release();
  }
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
