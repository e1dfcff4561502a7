import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  agentOf,
  type Added,
  type Advisor,
  type Event,
  FaultError,
  fault,
  type RunSpec,
  type RunState,
  type Seal,
  substanceOf,
} from '@agentgate/core';
import { build } from '../agents/index.ts';
import { findAgentFault } from '../agents/program.ts';
import { findDeliveryFault, openDelivery } from '../delivery/index.ts';
import { derivedPaths, openDerived } from '../derived/index.ts';
import { judge } from '../gates/index.ts';
import { learnedAtStart } from '../learned/index.ts';
import { findStrategyFault, openAdvisor } from '../modules/index.ts';
import { makeNotify } from '../notify/index.ts';
import { openSeal } from '../seal/index.ts';
import { endMarked, type Holder, type LockResult, ownOutputs } from '../process/index.ts';
import {
  openRunStore,
  type RunStore,
  readHistory,
  stateRoot,
  warnOfNetwork,
  type WorkspaceHome,
} from '../store/index.ts';
import { type GitWorkspace, openWorkspace } from '../workspace/index.ts';
import { type Begun, beginRun, goOnWith, type Said, type Threshold } from './begin.ts';
import { bootId } from './boot.ts';
import { systemClock } from './clock.ts';
import type { Control } from './control.ts';
import { drive } from './drive.ts';
import { watchInbox } from './inbox.ts';
import { markerOf } from './marker.ts';
import { warnOfOverlap } from './overlap.ts';
import { ownWorkspace } from './owner.ts';
import type { Ports, Watcher } from './ports.ts';
import { chooseSandbox, judgeShutIn, type Shutting } from './sandbox.ts';

/** How a session with a workspace came out. */
export type Session =
  | { kind: 'ended'; runId: string; state: RunState }
  /** As many iterations as were asked for are done, and the run goes on when somebody resumes it. */
  | { kind: 'paused'; runId: string; state: RunState }
  /** A stop came before anything was recorded: there is no run, or the one that was to go on is as it was. */
  | { kind: 'unstarted' }
  | { kind: 'busy'; holder: Holder | null };

export interface SessionRequest {
  home: WorkspaceHome;
  version: string;
  control: Control;
  watcher: Watcher;
  /** Do so many iterations and leave the run open; without it, to its end. */
  steps?: number;
  /** The lock of the workspace, where somebody holds it already for more than one run. */
  owned?: Extract<LockResult, { kind: 'held' }>;
  /** The id of a run that begins, where somebody has written it down before. */
  runId?: string;
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
  const unreachable = await findDeliveryFault(root, spec);
  if (unreachable) throw new FaultError(unreachable);
  const sandbox = await chooseSandbox(spec);
  const runId = request.runId ?? openRunStore(request.home.runs).newId();
  return ownAndDrive(request, runId, (store) =>
    beginRun(thresholdOf(request, store), runId, { spec, hash, source, sandbox }),
  );
}

/** Goes on with a run: one that was cut short where it stood, an ended one as a new run linked to it. */
export async function resumeRun(
  request: SessionRequest,
  runId: string,
  added: Added,
  said: Said & { fromEvent?: number } = {},
): Promise<Session> {
  const { fromEvent } = said;
  return ownAndDrive(request, runId, (store) =>
    goOnWith(thresholdOf(request, store), runId, { added, said, shut: chooseSandbox, fromEvent }),
  );
}

export function thresholdOf({ home, version, runId }: SessionRequest, store: RunStore): Threshold {
  return {
    newId: () => runId ?? store.newId(),
    learned: (strategy, runId) => learnedAtStart(home, strategy, runId),
    store,
    root: home.root,
    version,
    pid: process.pid,
    nonce: () => randomBytes(6).toString('hex'),
    endLeftovers: (runId) => endMarked(markerOf(runId), { held: home.lock }),
  };
}

/** Opens the workspace of a run the way the run's spec wants it. */
export function openRunWorkspace(home: WorkspaceHome, spec: RunSpec): Promise<GitWorkspace> {
  const { exclude, include } = spec.workspace;
  return openWorkspace({
    root: home.root,
    gitDir: home.gitDir,
    exclude,
    include,
    outside: [
      stateRoot(),
      ...ownOutputs(),
      ...(spec.stateDir === undefined ? [] : derivedPaths(home.root, spec.stateDir)),
    ],
    substanceOf,
  });
}

/** Takes the workspace for oneself, opens what a run needs, and drives. `door` stands in for ports of its own. */
export async function ownAndDrive(
  { home, control, watcher, steps, owned }: SessionRequest,
  what: string,
  begin: (store: RunStore) => Promise<Begun<Shutting>>,
  door: Partial<Ports> = {},
): Promise<Session> {
  const lock = owned ?? (await ownWorkspace(home, what));
  if (lock.kind === 'busy') return lock;
  const store = openRunStore(home.runs);
  try {
    if (control.signal.aborted) return { kind: 'unstarted' };
    const begun = await begin(store);
    const { runId, spec, sandbox, state } = begun;
    lock.rename(runId);
    const network = warnOfNetwork(home.runs);
    if (network !== null) watcher.onWarning?.(network);
    for (const overlap of warnOfOverlap(home)) watcher.onWarning?.(overlap);
    const workspace = await openRunWorkspace(home, spec);
    try {
      const seal = spec.integrity.mode === 'off' ? undefined : await sealFor(home, spec, workspace, sandbox);
      const boot = bootId();
      const ports: Ports = {
        store,
        workspace,
        seal,
        judge: judgeShutIn(judge, home.root, spec, sandbox),
        build,
        clock: systemClock,
        advisor: advisorFor(home.root, spec, runId, lock.fd),
        notify: makeNotify(spec.notify, home.root),
        ...openDelivery({ root: home.root, gitDir: home.gitDir }, spec, !state.touched),
        scratch,
        keepFds: [lock.fd],
        ...(boot === undefined ? {} : { boot }),
        ...(sandbox.agent === null ? {} : { agentSandbox: sandbox.agent }),
        ...(steps === undefined ? {} : { upTo: lastOf(state, steps) }),
        ...door,
      };
      const told = await withDerived(watcher, home.root, spec, () => readHistory(store, runId));
      const before = state.parentRunId;
      const inbox = watchInbox(store, runId, control, { clock: systemClock, known: state.letters, before });
      try {
        const after = await drive(runId, ports, control, told, begun);
        return { kind: after.ended ? 'ended' : 'paused', runId, state: after };
      } finally {
        inbox.close();
        await seal?.close();
      }
    } finally {
      await workspace.close();
    }
  } finally {
    store.close();
    if (!owned) lock.release();
  }
}

/** One that was begun and cut short is the first of them. */
const lastOf = ({ iteration, open }: RunState, steps: number): number =>
  iteration + steps - (open?.kind === 'start-iteration' ? 1 : 0);

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
  const remove = () => rmSync(path, { recursive: true, force: true });
  // One that must end at once leaves nothing of its own behind, either.
  process.once('exit', remove);
  return {
    path,
    remove() {
      process.off('exit', remove);
      remove();
    },
  };
}
