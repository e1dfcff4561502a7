import { writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import {
  type Added,
  type Agent,
  type Built,
  describeGate,
  effectiveLimit,
  type EventBody,
  FaultError,
  fault,
  fold,
  type RunSpec,
  type RunState,
  showDuration,
} from '@agentgate/core';
import { readWords } from '../agents/outcome-file.ts';
import { beginRun, goOnWith } from '../driver/begin.ts';
import { makeControl } from '../driver/control.ts';
import type { Watcher } from '../driver/ports.ts';
import { chooseSandbox } from '../driver/sandbox.ts';
import { ownAndDrive, type Session, type SessionRequest, thresholdOf } from '../driver/session.ts';
import { openRunStore, readHistory, stateRoot, type WorkspaceHome } from '../store/index.ts';
import {
  type Binding,
  readBinding,
  removeBinding,
  removeUnseen,
  removeWords,
  wordsPath,
  writeBinding,
  writeUnseen,
} from './files.ts';
import { type Answer, type HostCall, hosts } from './hosts.ts';
import { hasUsedTool, lengthOf, usedIn } from './transcript.ts';

/** The name of a workspace among those that have state. */
export const homeKey = ({ dir }: WorkspaceHome): string => basename(dir);

/** The agent has the word again; what it is to be told comes along. */
class HandedOver extends Error {
  readonly feedback: string;
  constructor(feedback: string) {
    super('the session goes on');
    this.feedback = feedback;
  }
}

interface Hold {
  home: WorkspaceHome;
  version: string;
  call: HostCall;
  env: NodeJS.ProcessEnv;
}

/** Takes a session into a new run: the gates are judged once before it begins, and it is told by what it is judged. */
export async function holdNew(
  hold: Hold,
  loaded: { spec: RunSpec; hash: string; source: string },
): Promise<Answer> {
  const { home, call } = hold;
  const runId = openRunStore(home.runs).newId();
  const sandbox = await chooseSandbox(loaded.spec);
  return driven(hold, runId, { asked: true }, async (store, request) => {
    const begun = await beginRun(thresholdOf(request, store), runId, { ...loaded, sandbox });
    return bound(store, begun, call);
  });
}

/** Takes a session into a run that is there: one that was suspended, cut short, or ended without being done. */
export async function holdAgain(
  hold: Hold,
  runId: string,
  { words, added = {} }: { words?: string; added?: Added },
): Promise<Answer> {
  return driven(hold, runId, { asked: true }, async (store, request) => {
    const said = words === undefined ? {} : { redirect: words };
    const begun = await goOnWith(thresholdOf(request, store), runId, {
      added,
      said,
      shut: chooseSandbox,
    });
    return bound(store, begun, hold.call);
  });
}

/** The session wants to stop: what it left is judged, and it may go or is told what is missing. */
export async function judgeStop(hold: Hold, binding: Binding): Promise<Answer> {
  return driven(hold, binding.runId, { asked: false }, async (store) => {
    store.settle(binding.runId);
    const state = fold(await readHistory(store, binding.runId));
    const { spec } = state;
    if (!spec || state.ended)
      throw new FaultError(fault('session.over', `run ${binding.runId} has ended already`));
    return { runId: binding.runId, spec, sandbox: await chooseSandbox(spec), events: [], state };
  });
}

type Begin = (
  store: ReturnType<typeof openRunStore>,
  request: SessionRequest,
) => ReturnType<typeof beginRun<Awaited<ReturnType<typeof chooseSandbox>>>>;

/** The log knows from the first moment on whose work this is. */
async function bound(
  store: ReturnType<typeof openRunStore>,
  begun: Awaited<ReturnType<Begin>>,
  { host, sessionId }: HostCall,
): ReturnType<Begin> {
  const held: EventBody = { kind: 'session.held', host, sessionId };
  const events = await store.append(begun.runId, begun.state.seq, [held]);
  return { ...begun, events: [...begun.events, ...events], state: fold(events, begun.state) };
}

async function driven(
  hold: Hold,
  what: string,
  { asked }: { asked: boolean },
  begin: Begin,
): Promise<Answer> {
  const { home, version, call, env } = hold;
  const state = stateRoot(env);
  const before = readBinding(state, call.sessionId);
  const control = makeControl();
  let now: RunState | null = null;
  const watcher: Watcher = { onEvent: (_event, folded) => void (now = folded) };
  const request: SessionRequest = { home, version, control, watcher };
  const isOverridden = isAtCap(before, call, env);
  /** The host would end the session whatever is answered: then it is not asked to go on. */
  const build: Agent = async ({ feedback, startMark }) => {
    if (isOverridden && !asked) {
      control.stop({ by: 'host', note: isOverridden });
      return {
        end: { kind: 'unavailable', why: 'environment', detail: isOverridden },
        output: '',
        outputBytes: 0,
        tookMs: 0,
      };
    }
    // From here on somebody works who is none of ours; a headless resume finds work that was begun.
    writeFileSync(startMark, '');
    throw new HandedOver(feedback);
  };
  const returned = (folded: RunState): Built | null => (asked ? null : builtBy(hold, folded));
  let session: Session;
  try {
    session = await patiently(() =>
      ownAndDrive(request, what, (store) => begin(store, request), { build, returned }),
    );
  } catch (error) {
    if (!(error instanceof HandedOver)) throw error;
    const folded = now as RunState | null;
    if (!folded) throw error;
    removeWords(state, folded.runId);
    writeBinding(state, bindingFor(hold, folded, before, asked));
    return asked
      ? { kind: 'tell', text: opening(folded), say: armedWords(folded) }
      : { kind: 'hold', reason: error.feedback };
  }
  if (session.kind !== 'ended')
    throw new FaultError(fault('workspace.busy', 'another run has this workspace'));
  return ended(hold, session.state);
}

/** Who only checks, or has just stopped, is soon gone. */
const patienceMs = 120_000;

async function patiently(drive: () => Promise<Session>): Promise<Session> {
  const untilMs = Date.now() + patienceMs;
  for (;;) {
    const session = await drive();
    if (session.kind !== 'busy' || session.holder?.runId !== 'check' || Date.now() > untilMs) return session;
    await new Promise((done) => setTimeout(done, 500));
  }
}

/** A run came to its end in the hands of a hook: the session is free, and what is not done is told until it is seen. */
function ended({ home, call, env }: Hold, state: RunState): Answer {
  const root = stateRoot(env);
  const { status, code, reason } = state.ended!;
  const key = homeKey(home);
  if (status === 'suspended') {
    const binding = readBinding(root, call.sessionId);
    if (binding) writeBinding(root, { ...binding, phase: 'suspended' });
  } else removeBinding(root, call.sessionId);
  removeWords(root, state.runId);
  if (status === 'converged') {
    removeUnseen(root, key);
    const notes = state.ended!.caveats.map((one) => ` Note: ${one}.`).join('');
    return { kind: 'let', say: `AgentGate: gates met, ${code}: ${reason}.${notes}` };
  }
  const text = `AgentGate: NOT converged. Run ${state.runId} ended as ${status} (${code}): ${reason}. agentgate explain ${state.runId} tells why, agentgate resume ${state.runId} goes on.`;
  writeUnseen(root, key, { v: 1, root: home.root, runId: state.runId, text });
  return { kind: 'let', say: text };
}

/** What the session has done since it was given the word. */
function builtBy({ call, env }: Hold, { current, runId }: RunState): Built {
  const startedMs = current?.startedAt ?? Date.now();
  const output = call.said ?? '';
  return {
    end: { kind: 'finished' },
    output,
    outputBytes: Buffer.byteLength(output),
    tookMs: Math.max(0, Date.now() - startedMs),
    ...usedIn(call, startedMs),
    ...readWords(wordsPath(stateRoot(env), runId)),
  };
}

/**
 * Hosts end a session by themselves after some blocks, or call a hook again and again without letting the agent work.
 * Why this stop cannot be held, or an empty text.
 */
function isAtCap(binding: Binding | null, call: HostCall, env: NodeJS.ProcessEnv): string {
  if (!binding) return '';
  const { title, cap } = hosts[call.host];
  if (call.host === 'gemini' && binding.last !== null && binding.last === call.said)
    return `${title} calls again without having let the agent work`;
  const most = cap === null ? null : capOf(cap, env);
  if (most === null || blocksSoFar(binding, call) < most) return '';
  return `${title} ends a session after ${most} blocks in a row`;
}

function capOf(
  { most, variable }: { most: number; variable?: string },
  env: NodeJS.ProcessEnv,
): number | null {
  const told = variable === undefined ? undefined : env[variable];
  if (told === undefined || !/^\d+$/.test(told)) return most;
  return Number(told) === 0 ? null : Number(told);
}

/** A tool call in between begins the count anew, where the host does so. */
function blocksSoFar({ blocks, transcriptBytes }: Binding, call: HostCall): number {
  return hosts[call.host].cap?.isReset && hasUsedTool(call, transcriptBytes) ? 0 : blocks;
}

function bindingFor({ home, call }: Hold, state: RunState, before: Binding | null, asked: boolean): Binding {
  return {
    v: 1,
    host: call.host,
    sessionId: call.sessionId,
    root: home.root,
    runId: state.runId,
    phase: 'working',
    blocks: asked || !before ? 0 : blocksSoFar(before, call) + 1,
    last: call.event === 'stop' ? call.said : null,
    transcriptBytes: lengthOf(call.transcript),
    heard: null,
    key: homeKey(home),
  };
}

/** What the agent is told at the beginning: by what it is judged, how much it has, and how to end honestly. */
function opening(state: RunState): string {
  const { spec, nonce } = state;
  if (!spec) return '';
  return [
    `AgentGate holds this session until the task is verifiably done (run ${state.runId}). When you stop, these gates run by themselves; while a hard one fails you are told what is missing and go on:`,
    ...spec.gates.map((gate) => `- ${describeGate(gate)}`),
    `At most ${capsOf(state)}. Do the work itself: do not change, skip or weaken what judges it.`,
    `If the task cannot be done as asked, say so: a line that begins with "agentgate:give-up ${nonce}" followed by your reason ends it honestly.`,
  ].join('\n');
}

/** The same for the person, in one line. */
function armedWords(state: RunState): string {
  const gates = (state.spec?.gates ?? []).map((gate) => {
    const verdict = state.baseline.get(gate.name)?.kind ?? 'not judged';
    return `${gate.name} ${verdict === 'passed' ? 'green' : verdict === 'failed' ? 'red' : verdict}`;
  });
  return `AgentGate: armed, run ${state.runId}. Gates: ${gates.join(', ')}. At most ${capsOf(state)}. agentgate status shows it, agentgate stop ends it.`;
}

function capsOf(state: RunState): string {
  const { limit } = effectiveLimit({ spec: state.spec, granted: state.granted });
  return `${limit} iterations and ${showDuration(state.spec?.limits.wallClock ?? 0)}`;
}
