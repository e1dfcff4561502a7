import { fold } from '@agentgate/core';
import { ownWorkspace } from '../driver/owner.ts';
import { findHome, openRunStore, readHistory, stateRoot, type WorkspaceHome } from '../store/index.ts';
import { type Binding, listUnseen, removeUnseen, type Unseen, writeBinding, writeUnseen } from './files.ts';

interface Place {
  home: WorkspaceHome;
  env: NodeJS.ProcessEnv;
  /** Names the workspace among those that have state. */
  key: string;
}

/**
 * Nobody works for the run any more: its log says so, and its person is told. The binding of a session that is still
 * there waits for its next prompt. Returns what the person is told.
 */
export async function leave(
  { home, env, key }: Place,
  runId: string,
  why: string,
  binding: Binding | null,
  isUnbegun = false,
): Promise<string> {
  const state = stateRoot(env);
  if (binding) writeBinding(state, { ...binding, runId, phase: 'suspended', heard: null });
  // Where the log itself is in trouble, the note tells alone.
  await recordLeft(home, runId, { why, ...(isUnbegun ? { unbegun: true } : {}) }).catch(() => undefined);
  const ways = binding
    ? `agentgate resume ${runId} goes on without a session, and so does the next prompt of the session itself.`
    : `agentgate resume ${runId} goes on without a session, agentgate arm --run ${runId} with the next prompt here.`;
  const text = `AgentGate: NOT converged. Run ${runId} was left unfinished: ${why}. ${ways}`;
  writeUnseen(state, key, { v: 1, root: home.root, runId, text });
  return text;
}

async function recordLeft(
  home: WorkspaceHome,
  runId: string,
  left: { why: string; unbegun?: true },
): Promise<void> {
  const lock = await ownWorkspace(home, runId);
  // Whoever judges just now records it when nobody takes the answer.
  if (lock.kind === 'busy') return;
  const store = openRunStore(home.runs);
  try {
    store.settle(runId);
    const state = fold(await readHistory(store, runId));
    if (!state.ended && state.held) await store.append(runId, state.seq, [{ kind: 'session.left', ...left }]);
  } finally {
    store.close();
    lock.release();
  }
}

/** What was left unfinished and still is; a note that is no longer true is taken away. */
export async function stillUnseen(
  env: NodeJS.ProcessEnv,
  isHere: (note: Unseen) => boolean,
): Promise<(Unseen & { key: string })[]> {
  const state = stateRoot(env);
  const still: (Unseen & { key: string })[] = [];
  for (const note of listUnseen(state).filter(isHere))
    if (await isTrue(note, env)) still.push(note);
    else removeUnseen(state, note.key);
  return still;
}

/** It may have converged since, or somebody went on with it. */
async function isTrue({ root, runId }: Unseen, env: NodeJS.ProcessEnv): Promise<boolean> {
  try {
    const store = openRunStore(findHome(root, env).runs);
    const { ended, seq } = fold(await readHistory(store, runId));
    return ended?.status !== 'converged' && store.childOf(runId, seq) === null;
  } catch {
    // Damaged or removed: that it was left unfinished is all that is known.
    return true;
  }
}
