import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { fold, type RunSpec, type RunState } from '@agentgate/core';
import {
  type Binding,
  detectedSpec,
  findHome,
  findSpecFile,
  isWithin,
  leaveWords,
  listBindings,
  loadSpec,
  openRunStore,
  ownerOf,
  readHistory,
  realFolder,
  rootFor,
  stateRoot,
} from '@agentgate/runtime';
import { standIns } from '../stand-ins.ts';

/** What an agent can say of its work. */
export interface Words {
  claim?: string;
  giveUp?: string;
  ask?: string;
}

/** Where the agent that asks stands: its workspace, and the run that it works for. */
export interface Where {
  root: string;
  /** With the place of the records, where whoever asks was not told it. */
  env: NodeJS.ProcessEnv;
  /** A run drives this agent, and owns the workspace for it. */
  isDriven: boolean;
  /** Null where nobody judges this agent. */
  runId: string | null;
  /** Null where the records are out of its reach, as in a sandbox. */
  state: RunState | null;
  spec: RunSpec | null;
  /** Why there is no spec. */
  trouble: string | null;
  /** Leaves the agent's word where the one who judges finds it; a problem, or null. */
  leave(words: Words, nonce: string | undefined): string | null;
}

export async function whereAmI(cwd: string, given: NodeJS.ProcessEnv): Promise<Where> {
  const env = withRecords(given);
  const own = driven(env);
  const binding = own ? null : heldHere(cwd, env);
  const root = binding?.root ?? rootFor(realFolder(cwd));
  const runId = own?.runId ?? binding?.runId ?? ownerOf(findHome(root, env))?.runId ?? null;
  const state = runId === null ? null : await stateOf(root, runId, env);
  const { spec, trouble } = state?.spec ? { spec: state.spec, trouble: null } : await specOf(root, env);
  const leave = (words: Words, nonce: string | undefined): string | null => {
    if (own) return addTo(own.outcomeFile, words);
    if (runId === null) return 'No run judges this session, so there is nobody to tell.';
    if (!binding)
      return `Run ${runId} in this workspace is driven by somebody else; its own agent can speak for it.`;
    if (!state || nonce !== state.nonce)
      return 'Another session may work here, too: give the nonce that stands behind "agentgate:give-up" in your instructions.';
    leaveWords(stateRoot(env), runId, words);
    return null;
  };
  return { root, env, isDriven: own !== null, runId, state, spec, trouble, leave };
}

interface Driven {
  runId: string;
  outcomeFile: string;
}

/** The agent was started by a run. Some agents keep their environment from their servers; then it is theirs that tells. */
function driven(env: NodeJS.ProcessEnv): Driven | null {
  const own = toldBy(env);
  if (own) return own;
  for (const around of ancestors()) {
    const told = toldBy(around);
    if (told) return told;
  }
  return null;
}

const placesOfRecords = ['AGENTGATE_STATE_DIR', 'XDG_STATE_HOME'] as const;

/** The records lie where the one who started the agent has them. */
function withRecords(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  for (const around of [env, ...ancestors()]) {
    const told = placesOfRecords.filter((name) => around[name] !== undefined);
    if (told.length > 0) return { ...env, ...Object.fromEntries(told.map((name) => [name, around[name]])) };
  }
  return env;
}

/** The environments of those who started this process, the nearest first. */
function ancestors(): NodeJS.ProcessEnv[] {
  const found: NodeJS.ProcessEnv[] = [];
  for (let pid = process.ppid; pid > 1 && found.length < 16; ) {
    const [parent, around] = ancestor(pid);
    found.push(around);
    pid = parent;
  }
  return found;
}

function toldBy(env: NodeJS.ProcessEnv): Driven | null {
  const runId = env['AGENTGATE_RUN_ID'];
  const outcomeFile = env['AGENTGATE_OUTCOME_FILE'];
  return runId && outcomeFile ? { runId, outcomeFile } : null;
}

/** Its parent and its environment, where the system tells them. */
function ancestor(pid: number): [number, NodeJS.ProcessEnv] {
  try {
    const parent = /^PPid:\s*(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1];
    const entries = readFileSync(`/proc/${pid}/environ`, 'utf8')
      .split('\0')
      .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]);
    return [Number(parent ?? 0), Object.fromEntries(entries) as NodeJS.ProcessEnv];
  } catch {
    // Another system, or another user's process: nobody of ours is further up.
    return [0, {}];
  }
}

/** The session that is held nearest to here; one that works goes before one that only waits. */
function heldHere(cwd: string, env: NodeJS.ProcessEnv): Binding | null {
  const here = listBindings(stateRoot(env))
    .filter(({ root }) => isWithin(realFolder(cwd), root))
    .sort((a, b) => b.root.length - a.root.length);
  return here.find(({ phase }) => phase !== 'suspended') ?? here[0] ?? null;
}

async function stateOf(root: string, runId: string, env: NodeJS.ProcessEnv): Promise<RunState | null> {
  try {
    return fold(await readHistory(openRunStore(findHome(root, env).runs), runId));
  } catch {
    // Out of reach in a sandbox, or damaged, which is told elsewhere.
    return null;
  }
}

async function specOf(
  root: string,
  env: NodeJS.ProcessEnv,
): Promise<{ spec: RunSpec | null; trouble: string | null }> {
  const file = findSpecFile(root);
  // The agent may have written it, and only looking must run nothing.
  if (file !== null && /\.[cm]?[jt]s$/.test(file))
    return { spec: null, trouble: 'the spec of this project is a program; agentgate check runs it' };
  const loaded = await loadSpec(
    root,
    file,
    ({ options }) => (file === null ? detectedSpec(root) : standIns(options)),
    { env },
  );
  if (loaded.kind === 'loaded') return { spec: loaded.spec, trouble: null };
  const first = loaded.problems[0];
  return { spec: null, trouble: first ? `${first.path}: ${first.message}` : 'the spec cannot be read' };
}

/** Beside what the agent has written there itself. */
function addTo(path: string, words: Words): string | null {
  let before: object = {};
  try {
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'));
    if (typeof value === 'object' && value !== null) before = value;
  } catch {
    // Nothing there yet, or nothing that anybody could read.
  }
  try {
    writeFileSync(`${path}.${process.pid}`, JSON.stringify({ ...before, ...words }));
    renameSync(`${path}.${process.pid}`, path);
    return null;
  } catch (error) {
    return `It could not be left: ${(error as Error).message}`;
  }
}
