import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, watch } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type Added,
  type Event,
  type EventBody,
  FaultError,
  fault,
  fold,
  type RunSpec,
  type RunState,
  substanceOf,
} from '@agentgate/core';
import { build } from '../agents/index.ts';
import { findAgentFault } from '../agents/program.ts';
import { judge } from '../gates/index.ts';
import { endMarked, type Holder, type LockResult, takeLock } from '../process/index.ts';
import { openRunStore, type RunStore, readHistory, stateRoot, type WorkspaceHome } from '../store/index.ts';
import { specHash } from '../spec/load.ts';
import { openWorkspace } from '../workspace/index.ts';
import { systemClock } from './clock.ts';
import type { Control } from './control.ts';
import { drive } from './drive.ts';
import { markerOf } from './marker.ts';
import type { Ports, Watcher } from './ports.ts';

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

/** Starts a run and drives it to its end. */
export async function startRun(
  request: SessionRequest,
  { spec, hash, source }: { spec: RunSpec; hash: string; source: string },
): Promise<Session> {
  const missing = findAgentFault(spec.agent, request.home.root);
  if (missing) throw new FaultError(missing);
  const runId = openRunStore(request.home.runs).newId();
  return own(request, runId, spec, async ({ store }) => {
    store.create(runId);
    return store.append(runId, 0, [firstEvent(request, runId, { spec, specHash: hash, source })]);
  });
}

/** Goes on with a run: one that was cut short where it stood, an ended one as a new run linked to it. */
export async function resumeRun(request: SessionRequest, runId: string, added: Added): Promise<Session> {
  const store = openRunStore(request.home.runs);
  const state = fold(await readHistory(store, runId));
  const { spec } = state;
  if (!spec)
    throw new FaultError(
      fault('run.empty', `run ${runId} never started; begin a new one with agentgate run`),
    );
  if (state.ended?.status === 'converged') {
    throw new FaultError(
      fault('run.converged', `run ${runId} has converged already; begin a new one with agentgate run`),
    );
  }
  const grants = Object.keys(added).length > 0;
  if (!state.ended) {
    if (grants) {
      throw new FaultError(
        fault('run.open', `run ${runId} was cut short; resume it first without adding to its limits`),
      );
    }
    return own(request, runId, spec, (ports) =>
      ports.store.append(runId, state.seq, [{ kind: 'run.resumed', pid: process.pid }]),
    );
  }
  const next = store.newId();
  const raised = withAdded(spec, added, state);
  return own(request, next, raised, async (ports) => {
    ports.store.create(next);
    const first = firstEvent(request, next, {
      spec: raised,
      specHash: specHash(raised),
      source: `run ${runId}`,
    });
    const link = { nonce: state.nonce, parent: { runId, seq: state.seq }, ...(grants ? { added } : {}) };
    return ports.store.append(next, 0, [{ ...first, ...link }]);
  });
}

/** Takes the workspace for oneself, opens what a run needs, and drives. */
async function own(
  { home, control, watcher }: SessionRequest,
  runId: string,
  spec: RunSpec,
  begin: (ports: Ports) => Promise<readonly Event[]>,
): Promise<Session> {
  const lock = await takeWorkspace(home.lock, { pid: process.pid, runId, since: new Date().toISOString() });
  if (lock.kind === 'busy') return lock;
  const store = openRunStore(home.runs);
  const workspace = await openWorkspace({
    root: home.root,
    gitDir: home.gitDir,
    exclude: spec.workspace.exclude,
    include: spec.workspace.include,
    outside: [stateRoot()],
    substanceOf,
  });
  const ports: Ports = {
    store,
    workspace,
    judge,
    build,
    clock: systemClock,
    endMarked,
    scratch,
    keepFds: [lock.fd],
  };
  let inbox: { close(): void } | null = null;
  try {
    const begun = await begin(ports);
    inbox = watchInbox(store, runId, control);
    return { kind: 'ended', runId, state: await drive(runId, ports, control, watcher, begun) };
  } finally {
    inbox?.close();
    await workspace.close();
    store.close();
    lock.release();
  }
}

/** Processes of a controller that died keep its lock; they are ended, since nobody else will. */
async function takeWorkspace(path: string, holder: Holder): Promise<LockResult> {
  const lock = await takeLock(path, holder);
  if (lock.kind === 'held' || !lock.holder || isAlive(lock.holder.pid)) return lock;
  await endMarked(markerOf(lock.holder.runId));
  return takeLock(path, holder);
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // A process of another user cannot be signalled, but it is there.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function firstEvent(
  { home, version }: SessionRequest,
  runId: string,
  rest: { spec: RunSpec; specHash: string; source: string },
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

/** Raises the limits by what a person granted; what was used stays used. */
function withAdded(spec: RunSpec, added: Added, { iteration, ended }: RunState): RunSpec {
  const { iterations, wallClock, tokens, cost } = spec.limits;
  // Where the iterations were used up, by whichever cap, the grant counts from there.
  const from = ended?.code === 'limit.iterations' ? iteration : iterations;
  return {
    ...spec,
    limits: {
      ...spec.limits,
      iterations: added.iterations === undefined ? iterations : from + added.iterations,
      wallClock: wallClock + (added.wallClockMs ?? 0),
      ...(tokens === undefined ? {} : { tokens: tokens + (added.tokens ?? 0) }),
      ...(cost === undefined ? {} : { cost: cost + (added.costUsd ?? 0) }),
    },
  };
}

/** Requests of other processes arrive as files; watching may miss some, so the watch is backed by a look now and then. */
function watchInbox(store: RunStore, runId: string, control: Control): { close(): void } {
  const look = () => {
    for (const { note } of store.takeRequests(runId))
      control.stop({ by: 'command', ...(note ? { note } : {}) });
  };
  const watcher = watch(store.inbox(runId), look);
  // The workspace's state may be removed under us; the poll below then finds nothing either.
  watcher.on('error', () => watcher.close());
  const poll = setInterval(look, 1_000);
  look();
  return {
    close() {
      clearInterval(poll);
      watcher.close();
    },
  };
}

function scratch(): { path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), 'agentgate-'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}
