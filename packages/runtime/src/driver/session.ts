import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  agentOf,
  type Added,
  type Advisor,
  type Event,
  type EventBody,
  FaultError,
  fault,
  fold,
  type RunSpec,
  type RunState,
  type Seal,
  type ShutIn,
  substanceOf,
  withGrant,
} from '@agentgate/core';
import { build } from '../agents/index.ts';
import { findAgentFault } from '../agents/program.ts';
import { makeDeliver } from '../delivery/index.ts';
import { derivedPaths, openDerived } from '../derived/index.ts';
import { judge } from '../gates/index.ts';
import { findStrategyFault, openAdvisor } from '../modules/index.ts';
import { makeNotify } from '../notify/index.ts';
import { openSeal } from '../seal/index.ts';
import { endMarked, type Holder } from '../process/index.ts';
import { specHash } from '../spec/load.ts';
import { openRunStore, type RunStore, readHistory, stateRoot, type WorkspaceHome } from '../store/index.ts';
import { type GitWorkspace, openWorkspace } from '../workspace/index.ts';
import { systemClock } from './clock.ts';
import type { Control } from './control.ts';
import { drive } from './drive.ts';
import { resumption } from './resumption.ts';
import { watchInbox } from './inbox.ts';
import { markerOf } from './marker.ts';
import { ownWorkspace } from './owner.ts';
import type { Ports, Watcher } from './ports.ts';
import { chooseSandbox, judgeShutIn, type Shutting } from './sandbox.ts';

/** How a session with a workspace came out. */
export type Session =
  | { kind: 'ended'; runId: string; state: RunState }
  | { kind: 'busy'; holder: Holder | null };

export interface SessionRequest {
  home: WorkspaceHome;
  version: string;
  control: Control;
  watcher: Watcher;
}

/** What a session drives: a run that has just been written down, or one that goes on. */
interface Begun {
  runId: string;
  spec: RunSpec;
  sandbox: Shutting;
  events: readonly Event[];
}

/** What a person says when going on with a run. */
export interface Said {
  redirect?: string;
  grant?: Omit<Extract<EventBody, { kind: 'grant.given' }>, 'kind'>;
}

/** Starts a run and drives it to its end. */
export async function startRun(
  request: SessionRequest,
  { spec, hash, source }: { spec: RunSpec; hash: string; source: string },
): Promise<Session> {
  const { root } = request.home;
  const rungs = [...spec.agent.escalate.keys(), spec.agent.escalate.length];
  const missing = rungs.map((rung) => findAgentFault(agentOf(spec.agent, rung), root)).find((one) => one);
  if (missing) throw new FaultError(missing);
  const lacking = await findStrategyFault(root, spec.strategy);
  if (lacking) throw new FaultError(lacking);
  const sandbox = await chooseSandbox(spec);
  const runId = openRunStore(request.home.runs).newId();
  return own(request, runId, async (store) => {
    store.create(runId);
    const first = firstEvent(request, runId, { spec, specHash: hash, source, sandbox: sandbox.shutIn });
    return { runId, spec, sandbox, events: await store.append(runId, 0, [first]) };
  });
}

/** Goes on with a run: one that was cut short where it stood, an ended one as a new run linked to it. */
export async function resumeRun(
  request: SessionRequest,
  runId: string,
  added: Added,
  said: Said = {},
): Promise<Session> {
  return own(request, runId, async (store) => {
    const state = fold(await readHistory(store, runId));
    const spec = resumable(state, runId, store.childOf(runId), added);
    const sandbox = await chooseSandbox(spec);
    const begun = await (state.ended
      ? link(request, store, state, added, sandbox)
      : goOn(store, request.home.lock, state, { spec, sandbox }));
    const words = wordsOf(said);
    if (words.length > 0) {
      const last = begun.events.at(-1)!.seq;
      begun.events = [...begun.events, ...(await store.append(begun.runId, last, words))];
    }
    return begun;
  });
}

function wordsOf({ redirect, grant }: Said): EventBody[] {
  return [
    ...(redirect === undefined
      ? []
      : [{ kind: 'redirect.requested', by: 'command', text: redirect } as const]),
    ...(grant === undefined ? [] : [{ kind: 'grant.given', ...grant } as const]),
  ];
}

/** Opens the workspace of a run the way the run's spec wants it. */
export function openRunWorkspace(home: WorkspaceHome, spec: RunSpec): Promise<GitWorkspace> {
  const { exclude, include } = spec.workspace;
  return openWorkspace({
    root: home.root,
    gitDir: home.gitDir,
    exclude,
    include,
    outside: [stateRoot(), ...(spec.stateDir === undefined ? [] : derivedPaths(home.root, spec.stateDir))],
    substanceOf,
  });
}

function resumable(state: RunState, runId: string, child: string | null, added: Added): RunSpec {
  const refuse = (code: string, why: string) => new FaultError(fault(code, `run ${runId} ${why}`));
  if (!state.spec) throw refuse('run.empty', 'never started; begin a new one with agentgate run');
  if (child)
    throw refuse('run.linked', `went on as run ${child}; resume that one: agentgate resume ${child}`);
  if (state.ended?.status === 'converged') {
    throw refuse('run.converged', 'has converged already; begin a new one with agentgate run');
  }
  if (!state.ended && Object.keys(added).length > 0) {
    throw refuse('run.open', 'was cut short; resume it first without adding to its limits');
  }
  const { tokens, cost } = state.spec.limits;
  if (added.tokens !== undefined && tokens === undefined)
    throw refuse('usage', 'has no limit on tokens to add to');
  if (added.costUsd !== undefined && cost === undefined)
    throw refuse('usage', 'has no limit on money to add to');
  return state.spec;
}

/** Where the run stood when it was cut short: its leftovers are ended, and the time it was alive is counted. */
async function goOn(
  store: RunStore,
  lock: string,
  state: RunState,
  { spec, sandbox }: Pick<Begun, 'spec' | 'sandbox'>,
): Promise<Begun> {
  await endMarked(markerOf(state.runId), { held: lock });
  const resumed = { ...resumption(store, state), sandbox: sandbox.shutIn };
  const events = await store.append(state.runId, state.seq, [resumed]);
  return { runId: state.runId, spec, sandbox, events };
}

async function link(
  request: SessionRequest,
  store: RunStore,
  state: RunState,
  added: Added,
  sandbox: Shutting,
): Promise<Begun> {
  const runId = store.newId();
  const spec = withGrant(state.spec!, added);
  store.create(runId);
  const first = firstEvent(request, runId, {
    spec,
    specHash: specHash(spec),
    source: `run ${state.runId}`,
    sandbox: sandbox.shutIn,
  });
  const granted = Object.keys(added).length > 0 ? { added } : {};
  const parent = { runId: state.runId, seq: state.seq };
  const events = await store.append(runId, 0, [{ ...first, nonce: state.nonce, parent, ...granted }]);
  return { runId, spec, sandbox, events };
}

/** Takes the workspace for oneself, opens what a run needs, and drives. */
async function own(
  { home, control, watcher }: SessionRequest,
  what: string,
  begin: (store: RunStore) => Promise<Begun>,
): Promise<Session> {
  const lock = await ownWorkspace(home, what);
  if (lock.kind === 'busy') return lock;
  const store = openRunStore(home.runs);
  try {
    const { runId, spec, sandbox, events } = await begin(store);
    const inbox = watchInbox(store, runId, control);
    const workspace = await openRunWorkspace(home, spec);
    const seal = spec.integrity.mode === 'off' ? undefined : await sealFor(home, spec, workspace, sandbox);
    const ports: Ports = {
      store,
      workspace,
      seal,
      judge: judgeShutIn(judge, home.root, spec, sandbox),
      build,
      clock: systemClock,
      advisor: advisorFor(home.root, spec, runId, lock.fd),
      notify: makeNotify(spec.notify, home.root),
      deliver: makeDeliver({ root: home.root, gitDir: home.gitDir }, spec),
      scratch,
      keepFds: [lock.fd],
      ...(sandbox.agent === null ? {} : { agentSandbox: sandbox.agent }),
    };
    try {
      const told = await withDerived(watcher, home.root, spec, () => readHistory(store, runId));
      return { kind: 'ended', runId, state: await drive(runId, ports, control, told, events) };
    } finally {
      inbox.close();
      await seal?.close();
      await workspace.close();
    }
  } finally {
    store.close();
    lock.release();
  }
}

function sealFor(
  { root, gitDir, dir }: WorkspaceHome,
  spec: RunSpec,
  workspace: GitWorkspace,
  sandbox: Shutting,
): Promise<Seal> {
  return openSeal({
    room: join(dir, 'room'),
    gitDir,
    root,
    spec,
    workspace,
    judge: judgeShutIn(judge, root, spec, sandbox),
    hide: [stateRoot()],
    unwanted: sandbox.gates === null && sandbox.shutIn.why === undefined,
  });
}

function advisorFor(root: string, spec: RunSpec, runId: string, fd: number): Advisor | null {
  if (spec.strategy.kind !== 'custom') return null;
  return openAdvisor({ root, spec: spec.strategy, runId, marker: markerOf(runId), keepFds: [fd] });
}

/** Where the spec names a folder for them, the derived files follow the run; they never hold it up. */
async function withDerived(
  watcher: Watcher,
  root: string,
  { stateDir }: RunSpec,
  readEvents: () => Promise<Event[]>,
): Promise<Watcher> {
  if (stateDir === undefined) return watcher;
  const warn = (text: string) => watcher.onWarning?.(text);
  const derived = openDerived({ root, stateDir, history: await readEvents(), warn });
  return {
    ...watcher,
    onEvent(event, state) {
      watcher.onEvent?.(event, state);
      derived.take(event, state);
    },
  };
}

function firstEvent(
  { home, version }: SessionRequest,
  runId: string,
  rest: { spec: RunSpec; specHash: string; source: string; sandbox: ShutIn },
): Extract<EventBody, { kind: 'run.started' }> {
  return {
    kind: 'run.started',
    runId,
    version,
    root: home.root,
    nonce: randomBytes(6).toString('hex'),
    ...rest,
  };
}

function scratch(): { path: string; remove(): void } {
  let path: string;
  try {
    path = mkdtempSync(join(tmpdir(), 'agentgate-'));
  } catch (error) {
    throw new FaultError(
      fault(
        'scratch.unable',
        `cannot make a directory in ${tmpdir()}; set TMPDIR to one that can be written`,
        error,
      ),
    );
  }
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}
