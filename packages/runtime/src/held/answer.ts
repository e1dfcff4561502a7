import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { type Added, FaultError, fault, fold, hash64, type RunSpec } from '@agentgate/core';
import { agentNamed } from '../agents/known.ts';
import { inspectProject, placeholderTask, proposeAgent } from '../detect/index.ts';
import { ownWorkspace } from '../driver/owner.ts';
import { findSpecFile, loadSpec, type Override } from '../spec/load.ts';
import { openHome, openRunStore, readHistory, stateRoot, type WorkspaceHome } from '../store/index.ts';
import { findRepository, findRepositoryAbove } from '../workspace/repository.ts';
import {
  type Binding,
  isWithin,
  listArmings,
  listUnseen,
  readBinding,
  removeArming,
  removeBinding,
  removeUnseen,
  writeBinding,
  writeUnseen,
} from './files.ts';
import { holdAgain, holdNew, judgeStop } from './hold.ts';
import { type Answer, type HostCall, hosts, taskIn } from './hosts.ts';
import { lengthOf } from './transcript.ts';

interface Around {
  env: NodeJS.ProcessEnv;
  version: string;
}

const letGo: Answer = { kind: 'let' };

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
      case 'failure':
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
  const state = stateRoot(around.env);
  const binding = readBinding(state, call.sessionId);
  const task = taskIn(call.prompt);
  if (task !== null) {
    if (binding) return { kind: 'tell', text: `This session is held already, by run ${binding.runId}.` };
    const home = openHome(rootFor(call.cwd), around.env);
    return holdNew({ home, call, ...around }, await specFor(home, call, task, around.env));
  }
  if (binding?.phase === 'suspended')
    return holdAgain({ home: openHome(binding.root, around.env), call, ...around }, binding.runId, {
      words: call.prompt,
    });
  if (binding) return letGo;
  const arming = listArmings(state).find(({ root }) => isWithin(call.cwd, root));
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
  const binding = readBinding(state, call.sessionId);
  if (!binding || binding.phase === 'suspended' || call.isPausing) return letGo;
  const stop = nameOf(call);
  if (stop !== null && binding.heard?.stop === stop) return sameAnswer(state, call.sessionId, stop);
  const heard = (answer: Answer | null) => (stop === null ? null : { stop, answer });
  const judging: Binding = { ...binding, phase: 'judging', heard: heard(null) };
  writeBinding(state, judging);
  const answer = await judgeStop({ home: openHome(binding.root, around.env), call, ...around }, judging);
  const after = readBinding(state, call.sessionId);
  if (after) writeBinding(state, { ...after, heard: heard(answer) });
  return answer;
}

/** One stop is one stop, however many hooks are started for it: between two of them the transcript grows. */
function nameOf({ name, said, transcript }: HostCall): string | null {
  const bytes = lengthOf(transcript);
  return bytes === 0 ? null : JSON.stringify([name, said === null ? null : hash64(said), bytes]);
}

/** Waits for the answer that somebody else is finding. */
async function sameAnswer(state: string, sessionId: string, stop: string): Promise<Answer> {
  for (;;) {
    const binding = readBinding(state, sessionId);
    if (binding?.heard?.stop !== stop) return letGo;
    if (binding.heard.answer !== null) return binding.heard.answer as Answer;
    await new Promise((done) => setTimeout(done, 100));
  }
}

/** What went away unfinished in this workspace is told once, to whoever comes next. */
function onStart({ cwd }: HostCall, { env }: Around): Answer {
  const state = stateRoot(env);
  const unseen = listUnseen(state).find(({ root }) => isWithin(cwd, root));
  if (!unseen) return letGo;
  removeUnseen(state, unseen.key);
  return { kind: 'tell', text: unseen.text, say: unseen.text };
}

/** The session ends, or its model failed: the run stays open, for a headless resume or for another session. */
async function onLeaving(call: HostCall, around: Around): Promise<Answer> {
  const state = stateRoot(around.env);
  const binding = readBinding(state, call.sessionId);
  if (!binding) return letGo;
  const home = openHome(binding.root, around.env);
  if (call.event === 'failure') return letGo;
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
  writeUnseen(stateRoot(env), basename(home.dir), { v: 1, root: home.root, runId, text });
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
function rootFor(cwd: string): string {
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
  if (file === null && seen.length === 0)
    throw new FaultError(
      fault('gates.none', 'no gate was found here; agentgate init writes a spec to begin with'),
    );
  const words = task === '' ? [] : [set(['task'], task)];
  const loaded = await loadSpec(root, file, () => [...seen, ...words], { env });
  if (loaded.kind === 'loaded') return loaded;
  const first = loaded.problems[0];
  throw new FaultError(
    fault('spec.invalid', `the spec is not valid: ${first?.message ?? 'it cannot be read'}`),
  );
}

/** The gates that a project shows by itself, with the task still open; nothing where it shows none. */
export function detectedSpec(root: string, agent: unknown = proposeAgent(root).agent): Override[] {
  const set = (path: string[], value: unknown): Override => ({
    path,
    value,
    flag: 'what this project shows',
  });
  const gates = inspectProject(root).gates.map(({ name, severity, ...gate }) =>
    set(['gates', name], 'run' in gate ? { run: gate.run, severity } : { exists: gate.exists, severity }),
  );
  if (gates.length === 0) return [];
  return [set(['task'], placeholderTask), set(['agent'], agent), ...gates];
}

/** Who goes on without the session. */
const agentOfHost = (host: HostCall['host']): unknown =>
  host === 'copilot' || host === 'qwen' ? agentNamed(host) : host;
