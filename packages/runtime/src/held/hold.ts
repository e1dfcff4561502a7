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
  movesInSession,
  type RunSpec,
  type RunState,
  showCount,
  showDuration,
  showMoney,
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
  forgetUnseen,
  readBinding,
  removeBinding,
  removeUnarmed,
  removeWords,
  wordsPath,
  writeBinding,
  writeUnseen,
} from './files.ts';
import { type Answer, type HostCall, type HostName, hosts } from './hosts.ts';
import { leave } from './leave.ts';
import { hasUsedTool, lengthOf, unheardLimits, usedIn } from './transcript.ts';

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

/** The agent was to have the word again, and there is nobody who would give it to it. */
class NobodyThere extends Error {}

interface Hold {
  home: WorkspaceHome;
  version: string;
  call: HostCall;
  env: NodeJS.ProcessEnv;
  isAwaited?(): boolean;
  nowMs?(): number;
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
  const { ended: over } = fold(await readHistory(openRunStore(hold.home.runs), binding.runId));
  if (over) {
    // Somebody else has brought it to its end, and told it.
    removeBinding(stateRoot(hold.env), binding.sessionId);
    const how = `${over.status} (${over.code}): ${over.reason}`;
    return { kind: 'let', say: `AgentGate: run ${binding.runId} has ended already as ${how}.` };
  }
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
  const unheard = unheardLimits(host, begun.spec);
  const held: EventBody = {
    kind: 'session.held',
    host,
    sessionId,
    moves: [...movesInSession],
    ...(unheard.length > 0 ? { unheard } : {}),
  };
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
  /** What the session is told, or why it is not asked to go on: the host would end it whatever is answered. */
  const build: Agent = async ({ feedback, startMark }) => {
    const why = asked ? '' : overrideOf(before, hold, now);
    if (why !== '') {
      control.stop({ by: 'host', note: why });
      return {
        end: { kind: 'unavailable', why: 'environment', detail: why },
        output: '',
        outputBytes: 0,
        tookMs: 0,
      };
    }
    checkThere(hold, asked);
    // From here on somebody works who is none of ours; a headless resume finds work that was begun.
    writeFileSync(startMark, '');
    throw new HandedOver(feedback);
  };
  const returned = (folded: RunState): Built | null => (asked ? null : builtBy(hold, folded));
  let session: Session;
  try {
    session = await patiently(hold, () =>
      ownAndDrive(request, what, (store) => begin(store, request), { build, returned }),
    );
  } catch (error) {
    const folded = now as RunState | null;
    if (error instanceof NobodyThere && folded) return left(hold, folded.runId, error.message);
    if (!(error instanceof HandedOver) || !folded) throw error;
    return handOver(hold, folded, { asked, feedback: error.feedback });
  }
  if (session.kind !== 'ended')
    throw new FaultError(fault('workspace.busy', 'another run has this workspace'));
  return ended(hold, session.state);
}

export const brokenOff = 'its prompt was broken off before the session was armed';

/** Before the session is given the word: whether it is there to take it. One that is `asked` for is held from now on. */
function checkThere({ call, env, isAwaited }: Hold, asked: boolean): void {
  if (!asked && !readBinding(stateRoot(env), call.sessionId))
    throw new NobodyThere('the session ended while its gates were judged');
  if (!isAwaited || isAwaited()) return;
  throw new NobodyThere(asked ? brokenOff : 'its hook was ended while its gates were judged');
}

async function left({ home, call, env }: Hold, runId: string, why: string): Promise<Answer> {
  const binding = readBinding(stateRoot(env), call.sessionId);
  return { kind: 'let', say: await leave({ home, env, key: homeKey(home) }, runId, why, binding, true) };
}

/** The session works on, or begins to. */
function handOver(
  hold: Hold,
  folded: RunState,
  { asked, feedback }: { asked: boolean; feedback: string },
): Answer {
  const { call, env } = hold;
  const state = stateRoot(env);
  const before = readBinding(state, call.sessionId);
  removeWords(state, folded.runId);
  removeUnarmed(state, homeKey(hold.home));
  forgetUnseen(state, folded.lineage);
  const news = folded.redirects.slice(before?.redirects ?? 0);
  const paused = call.isPausing ? [pausedEnough] : [];
  const reason = [...paused, ...newWords(news), feedback].filter((one) => one !== '').join('\n\n');
  writeBinding(state, bindingFor(hold, folded, before, asked ? null : reason));
  const begins = folded.runId;
  if (!asked) return { kind: 'hold', reason, begins };
  const seen = folded.iteration > 1 && feedback !== '' ? [feedback] : [];
  return {
    kind: 'tell',
    text: [opening(folded, call, news), ...seen].join('\n\n'),
    say: armedWords(folded, call.host),
    begins,
  };
}

const pausedEnough =
  'The session has paused for its work in the background as often, or as long, as it may: this stop was judged like any other, and what is still at work was not waited for.';

/** What a person has told the run and not the session. */
const newWords = (words: readonly string[]): string[] =>
  words.length === 0
    ? []
    : [
        `The person in charge has changed the task. Where this contradicts what was asked before, this counts:\n\n${words.map((text) => text.trim()).join('\n\n')}`,
      ];

/** Who takes a workspace for a while and gives it back by itself. */
const passing: readonly string[] = ['check', 'prune'];
/** So long they are waited for when the host does not wait any more. */
const patienceMs = 120_000;

/** A check may take as long as the gates take: while the hook is there, the time of its host is not over. */
async function patiently(
  { isAwaited, nowMs = Date.now }: Hold,
  drive: () => Promise<Session>,
): Promise<Session> {
  let untilMs = nowMs() + patienceMs;
  for (;;) {
    const session = await drive();
    if (session.kind !== 'busy' || !passing.includes(session.holder?.runId ?? '')) return session;
    if (isAwaited?.()) untilMs = nowMs() + patienceMs;
    else if (nowMs() > untilMs) return session;
    await new Promise((done) => setTimeout(done, 500));
  }
}

/** A run came to its end in the hands of a hook: the session is free, and what is not done is told until it is seen. */
function ended(hold: Hold, state: RunState): Answer {
  const { home, call, env } = hold;
  const root = stateRoot(env);
  const { status, code, reason, caveats } = state.ended!;
  const { runId } = state;
  const before = readBinding(root, call.sessionId);
  if (status === 'suspended')
    writeBinding(root, {
      ...bindingFor(hold, state, before, null),
      redirects: before?.redirects ?? 0,
      phase: 'suspended',
    });
  else removeBinding(root, call.sessionId);
  removeWords(root, runId);
  forgetUnseen(root, state.lineage);
  if (status === 'converged') {
    const notes = caveats.map((one) => ` Note: ${one}.`).join('');
    return { kind: 'let', say: `AgentGate: gates met, ${code}: ${reason}.${notes}` };
  }
  const text = `AgentGate: NOT converged. Run ${runId} ended as ${status} (${code}): ${reason}. agentgate explain ${runId} tells why, ${waysOn(state)}.`;
  writeUnseen(root, homeKey(home), { v: 1, root: home.root, runId, text });
  return { kind: 'let', say: text };
}

function waysOn({ runId, ended, lastClosed }: RunState): string {
  const resume = `agentgate resume ${runId} goes on`;
  if (ended?.status !== 'suspended') return resume;
  const waiting = [...(lastClosed?.verdicts ?? [])].flatMap(([gate, { kind }]) =>
    kind === 'pending' ? [gate] : [],
  );
  const isAsking = ended.code === 'awaiting-approval' || ended.code === 'awaiting-confirmation';
  const answer = isAsking ? `answer with agentgate approve ${waiting[0] ?? ''} or reject; ` : '';
  return `${answer}the next prompt of this session goes on, or ${resume} without it`;
}

/** What the session has done since it was given the word. */
function builtBy({ call, env }: Hold, { current, runId }: RunState): Built {
  const startedMs = current?.startedAt ?? Date.now();
  const waitedMs = readBinding(stateRoot(env), call.sessionId)?.idle?.ms ?? 0;
  const output = call.said ?? '';
  return {
    end: { kind: 'finished' },
    output,
    outputBytes: Buffer.byteLength(output),
    tookMs: Math.max(0, Date.now() - startedMs - waitedMs),
    ...usedIn(call, startedMs),
    ...readWords(wordsPath(stateRoot(env), runId)),
  };
}

/**
 * Hosts end a session by themselves after some blocks, or call a hook again and again without letting the agent work.
 * Why this stop cannot be held, or an empty text.
 */
function overrideOf(binding: Binding | null, { call, env }: Hold, state: RunState | null): string {
  if (!binding) return '';
  const { title, cap } = hosts[call.host];
  if (call.host === 'gemini' && isRepeat(binding, call, state))
    return `${title} calls again without having let the agent work`;
  const most = cap === null ? null : capOf(cap, env);
  if (most === null || blocksSoFar(binding, call) < most) return '';
  return `${title} ends a session after ${most} blocks in a row`;
}

/** The same words once more, with nothing new in its transcript and nothing new in the workspace. */
function isRepeat({ last, transcriptBytes }: Binding, call: HostCall, state: RunState | null): boolean {
  if (last === null || last !== call.said || lengthOf(call.transcript) > transcriptBytes) return false;
  const [before, now] = [state?.history.at(-2)?.work ?? state?.baseWork, state?.history.at(-1)?.work];
  return before === now;
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

/** The session of a run as it stands now; `reason` is our block, where there is one. */
function bindingFor(
  { home, call }: Hold,
  state: RunState,
  before: Binding | null,
  reason: string | null,
): Binding {
  return {
    v: 1,
    host: call.host,
    sessionId: call.sessionId,
    root: home.root,
    runId: state.runId,
    phase: 'working',
    blocks: reason === null || !before ? 0 : blocksSoFar(before, call) + 1,
    last: call.event === 'stop' ? call.said : null,
    transcriptBytes: lengthOf(call.transcript),
    told: (reason ?? '').trim().slice(0, 120),
    redirects: state.redirects.length,
    heard: null,
    key: homeKey(home),
  };
}

/** What the agent is told at the beginning: by what it is judged, how much it has, and how to end honestly. */
function opening(state: RunState, { prompt, host }: HostCall, news: readonly string[]): string {
  const { spec, nonce } = state;
  if (!spec) return '';
  const task = spec.task.trim();
  return [
    `AgentGate holds this session until the task is verifiably done (run ${state.runId}). When you stop, these gates run by themselves; while a hard one fails you are told what is missing and go on:`,
    ...spec.gates.map((gate) => `- ${describeGate(gate)}`),
    ...(prompt.includes(task) ? [] : [`The task: ${task}`]),
    ...newWords(news.filter((words) => !prompt.includes(words))),
    `At most ${capsOf(state, host)}. Do the work itself: do not change, skip or weaken what judges it.`,
    `If the task cannot be done as asked, say so: a line that begins with "agentgate:give-up ${nonce}" followed by your reason ends it honestly.`,
  ].join('\n');
}

/** The same for the person, in one line. */
function armedWords(state: RunState, host: HostName): string {
  const gates = (state.spec?.gates ?? []).map((gate) => {
    const verdict = state.baseline.get(gate.name)?.kind ?? 'not judged';
    return `${gate.name} ${verdict === 'passed' ? 'green' : verdict === 'failed' ? 'red' : verdict}`;
  });
  const unheard = unheardLimits(host, state.spec);
  const warning =
    unheard.length === 0
      ? ''
      : ` ${hosts[host].title} does not tell a hook what these limits count, so that they cannot bind: ${unheard.join(', ')}.`;
  return `AgentGate: armed, run ${state.runId}. Gates: ${gates.join(', ')}. At most ${capsOf(state, host)}.${warning} agentgate status shows it, agentgate stop ends it.`;
}

/** What can bind in this host. */
function capsOf(state: RunState, host: HostName): string {
  const { limit } = effectiveLimit({ spec: state.spec, granted: state.granted });
  const unheard = unheardLimits(host, state.spec);
  const {
    wallClock = 0,
    tokens,
    cost,
    quota,
  } = Object.fromEntries(
    Object.entries(state.spec?.limits ?? {}).filter(([name]) => !unheard.includes(name)),
  ) as Partial<RunSpec['limits']>;
  const caps = [
    `${limit} iterations`,
    showDuration(wallClock),
    ...(tokens === undefined ? [] : [`${showCount(tokens)} tokens`]),
    ...(cost === undefined ? [] : [showMoney(cost)]),
    ...(quota === undefined ? [] : [`${Math.round(quota * 100)} % of a usage window`]),
  ];
  return `${caps.slice(0, -1).join(', ')} and ${caps.at(-1)}`;
}
