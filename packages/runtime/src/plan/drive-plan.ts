import {
  decidePlan,
  evolvePlan,
  FaultError,
  fault,
  followAll,
  foldPlan,
  mergeEdit,
  type Plan,
  type PlanDecisionOf,
  type PlanEvent,
  type PlanEventBody,
  type PlanState,
  stopperWords,
} from '@agentgate/core';
import { type Control, makeControl } from '../driver/control.ts';
import { tryWatch } from '../driver/inbox.ts';
import { ownWorkspace } from '../driver/owner.ts';
import type { Watcher } from '../driver/ports.ts';
import type { Holder } from '../process/index.ts';
import { openRunStore, type WorkspaceHome } from '../store/index.ts';
import { canMerge } from './merge.ts';
import { type Deed, isDeed, perform } from './perform.ts';
import { openPlanStore, type PlanRequest, type PlanStore } from './plan-store.ts';
import { eventFor } from './say.ts';
import type { Stage } from './stage.ts';
import { removeIdle } from './worktree.ts';

/** What a door wants to see of a plan while it goes on. */
export interface PlanWatcher {
  onEvent?(event: PlanEvent, state: PlanState): void;
  onWarning?(text: string): void;
  /** Who watches the run of an item. */
  itemWatcher?(item: string): Watcher;
}

/** The way by which a door stops a plan. */
export interface PlanControl {
  stop(by: string, note?: string): void;
  /** Everything is ended at once, and nothing more is recorded. */
  hurry(): void;
  readonly urgent: AbortSignal;
}

export type PlanSessionEnd =
  | { kind: 'ended'; planId: string; state: PlanState }
  | { kind: 'busy'; holder: Holder | null };

export interface PlanRequestToDrive {
  home: WorkspaceHome;
  version: string;
  watcher: PlanWatcher;
  env?: NodeJS.ProcessEnv;
  /** Hands the control to the door before anything begins. */
  onControl(control: PlanControl): void;
  /** The edits of the file since the plan began are a person's, and are followed. */
  isEdited?: boolean;
  /** Reads the file of the plan again; null while it is as it was, or cannot be read. */
  reread?(isAgain: boolean): Promise<{ plan: Plan; hash: string } | { problem: string } | null>;
}

/** Begins a plan, or a session with one that is there, and drives it to the end of the session. */
export async function drivePlan(
  request: PlanRequestToDrive,
  begin: { planId: string } | { plan: Plan; hash: string; file: string },
): Promise<PlanSessionEnd> {
  const { home } = request;
  const store = openPlanStore(home.plans);
  const planId = 'planId' in begin ? begin.planId : store.newId();
  const lock = await ownWorkspace(home, `plan ${planId}`);
  if (lock.kind === 'busy') return lock;
  try {
    const state = 'planId' in begin ? foldPlan(store.read(planId)) : started(store, planId, request, begin);
    const outer = new Outer(request, store, state, lock);
    return { kind: 'ended', planId, state: await outer.run() };
  } finally {
    store.close();
    lock.release();
  }
}

function started(
  store: PlanStore,
  planId: string,
  { home, version, watcher }: PlanRequestToDrive,
  { plan, hash, file }: { plan: Plan; hash: string; file: string },
): PlanState {
  store.create(planId);
  const first: PlanEventBody = { kind: 'plan.started', planId, version, root: home.root, file, plan, hash };
  const [event] = store.append(planId, 0, [first]);
  const state = evolvePlan(undefined, event!);
  watcher.onEvent?.(event!, state);
  return state;
}

const pollMs = 1_000;

/** One session of the outer loop. */
class Outer {
  readonly #request: PlanRequestToDrive;
  readonly #store: PlanStore;
  readonly #stage: Stage;
  readonly #state: PlanState;
  readonly #controls = new Map<string, Control>();
  readonly #flights = new Set<Promise<void>>();
  readonly #stopped = new AbortController();
  readonly #hurried = new AbortController();
  readonly #said: PlanEventBody[] = [];
  readonly #seen = new Set<string>();
  /** A person said that the edits of the file are theirs. */
  #isFollowing: boolean;
  #crash: unknown = null;
  #wake: () => void = () => undefined;

  constructor(request: PlanRequestToDrive, store: PlanStore, state: PlanState, lock: Stage['lock']) {
    this.#request = request;
    this.#store = store;
    this.#state = state;
    this.#isFollowing = request.isEdited ?? false;
    this.#stage = {
      home: request.home,
      runs: openRunStore(request.home.runs),
      version: request.version,
      lock,
      env: request.env,
      state: () => state,
      watcherFor: (item) => request.watcher.itemWatcher?.(item) ?? {},
      controlFor: (item) => this.#controlFor(item),
      signal: this.#stopped.signal,
    };
    request.onControl({
      stop: (by, note) => {
        if (this.#stopped.signal.aborted) return;
        this.#stopped.abort('stop');
        this.#said.push({ kind: 'stop.requested', by, ...(note === undefined ? {} : { note }) });
        this.#wake();
      },
      hurry: () => this.#hurried.abort('stop'),
      urgent: this.#hurried.signal,
    });
  }

  async run(): Promise<PlanState> {
    const { planId } = this.#state;
    this.#forgetStops();
    this.#enter();
    const timer = setInterval(() => this.#wake(), pollMs);
    const watcher = tryWatch(this.#store.inbox(planId), () => this.#wake());
    try {
      await this.#settleMode();
      return await this.#loop();
    } catch (error) {
      this.#crash ??= error;
      return await this.#leave();
    } finally {
      clearInterval(timer);
      watcher?.close();
      this.#stage.runs.close();
    }
  }

  /** A stop from before this session came too early for it. */
  #forgetStops(): void {
    for (const { request, done } of this.#store.letters(this.#state.planId))
      if (request.kind === 'stop') done();
  }

  #enter(): void {
    const { session, sessions } = this.#state;
    const { version } = this.#request;
    const goesOn = session !== null && !session.ended;
    this.#tell(
      goesOn
        ? { kind: 'session.resumed', pid: process.pid, version }
        : { kind: 'session.started', session: sessions + 1, pid: process.pid, version, proves: true },
    );
    // What was decided before a crash and has no fact yet is done first.
    for (const id of this.#state.inFlight) {
      const { open } = this.#state.records.get(id)!;
      if (open && isDeed(open)) this.#begin(open);
    }
  }

  /** Items side by side need a git that can merge without a checkout. */
  async #settleMode(): Promise<void> {
    const { plan, hash } = this.#state;
    if (plan.maxParallel === 1 || plan.items.every(({ paths }) => paths === null)) return;
    if (await canMerge(this.#request.home.dir)) return;
    this.#request.watcher.onWarning?.(
      'items are worked on one after the other: side by side they need git 2.38 or newer',
    );
    this.#tell({
      kind: 'plan.changed',
      plan: { ...plan, maxParallel: 1 },
      hash,
      by: 'command',
      changes: ['one item at a time'],
    });
  }

  async #loop(): Promise<PlanState> {
    for (;;) {
      if (this.#crash) throw this.#crash;
      // What a person said is about the plan as it was when they said it.
      if (this.#state.redirects.length === 0) await this.#rereadPlan();
      this.#hear();
      const state = this.#state;
      if (state.stop || state.redirects.length > 0) this.#endFlights();
      const decision = decidePlan(state, this.#stage.runs.newId());
      if (decision.kind === 'wait') {
        await this.#pause();
        continue;
      }
      this.#tell({ kind: 'plan.decided', decision });
      if (decision.kind === 'end-session') return this.#end(decision);
      if (isDeed(decision)) this.#begin(decision);
    }
  }

  /** Something of ours failed. Nobody is left working when the workspace is given back; the log has what is known. */
  async #leave(): Promise<never> {
    this.#stopped.abort('stop');
    this.#endFlights();
    await Promise.allSettled(this.#flights);
    throw this.#crash;
  }

  #end({ status, because, also }: PlanDecisionOf<'end-session'>): PlanState {
    const { code, reason } = because;
    const activeMs = this.#state.session?.activeMs ?? 0;
    const others = also ? { also } : {};
    const state = this.#tell({ kind: 'session.ended', status, code, reason, ...others, activeMs });
    removeIdle(this.#request.home, state, this.#request.env);
    return state;
  }

  /** Until something that is under way has ended, or somebody says something. */
  async #pause(): Promise<void> {
    if (this.#said.length > 0 || this.#crash) return;
    await new Promise<void>((done) => {
      this.#wake = done;
    });
    this.#wake = () => undefined;
  }

  /** Does it beside whatever else is under way; the loop is woken when the fact is there. */
  #begin(decision: Deed): void {
    const flight = this.#doIt(decision)
      .catch((error: unknown) => {
        this.#crash = error;
      })
      .finally(() => {
        this.#flights.delete(flight);
        this.#controls.delete(decision.item);
        this.#wake();
      });
    this.#flights.add(flight);
  }

  async #doIt(decision: Deed): Promise<void> {
    this.#tell(await perform(this.#stage, decision));
    // The lock says who would have to be ended if we died now; between two items that is nobody.
    if (decision.kind === 'run-item' && decision.place === 'workspace')
      this.#stage.lock.rename(`plan ${this.#state.planId}`);
  }

  #controlFor(item: string): Control {
    const control = makeControl();
    this.#controls.set(item, control);
    if (this.#stopped.signal.aborted) control.stop(this.#whoStops());
    return control;
  }

  #endFlights(): void {
    for (const control of this.#controls.values()) control.stop(this.#whoStops());
  }

  /** Who ends what is under way: the run of an item says so as well. */
  #whoStops(): Parameters<Control['stop']>[0] {
    const asked = this.#state.stop ?? this.#said.find((one) => one.kind === 'stop.requested');
    if (!asked) {
      const isRedirect = this.#state.redirects.length > 0;
      return { by: 'command', who: isRedirect ? 'a redirect of its plan' : 'the end of its plan' };
    }
    const { by, note } = asked;
    const noted = note === undefined ? {} : { note };
    if (by === 'SIGINT' || by === 'SIGTERM' || by === 'SIGHUP') return { by, ...noted };
    return { by: by === 'api' ? by : 'command', who: stopperWords(by), ...noted };
  }

  /** Words of persons become events. */
  #hear(): void {
    for (const body of this.#said.splice(0)) this.#tell(body);
    for (const { name, request, done } of this.#store.letters(this.#state.planId)) {
      if (this.#seen.has(name)) continue;
      this.#seen.add(name);
      // A crash came between the log and the inbox: what is recorded is not said twice.
      if (!this.#state.letters.has(name)) this.#take(name, request);
      done();
    }
  }

  #take(letter: string, request: PlanRequest): void {
    if (request.kind === 'reload') {
      this.#isFollowing = true;
      return;
    }
    // A word before this one may wait for what is under way.
    const isBehind = this.#state.redirects.length > 0 && request.kind !== 'stop';
    const state = isBehind ? followAll(foldPlan(this.#store.read(this.#state.planId))) : this.#state;
    const taken = eventFor(state, request, letter);
    if ('problem' in taken)
      return this.#request.watcher.onWarning?.(`a word from outside was not followed: ${taken.problem}`);
    if (request.kind === 'stop') this.#stopped.abort('stop');
    this.#tell(taken.body);
  }

  /**
   * An agent can edit the file as well as a person can, and with it the gates of others. So an edit is told, and followed
   * by rule when a person says that it is theirs.
   */
  async #rereadPlan(): Promise<void> {
    const isFollowing = this.#isFollowing;
    const read = await this.#request.reread?.(isFollowing);
    if (!read) return;
    this.#isFollowing = false;
    const warn = (text: string) => this.#request.watcher.onWarning?.(text);
    const goesOn = 'the session goes on with the plan it has';
    if ('problem' in read)
      return warn(`the plan was edited and cannot be read now: ${read.problem}; ${goesOn}`);
    const edit = mergeEdit(this.#state, read.plan);
    if (edit.kind === 'refused')
      return warn(
        `the plan was edited, and that is not followed: ${edit.reasons.join('; ')}; agentgate plan redirect changes what was begun`,
      );
    if (edit.kind === 'same') return;
    if (!isFollowing)
      return warn(
        `the plan was edited (${edit.changes.join('; ')}); ${goesOn}, and agentgate plan reload follows the file`,
      );
    this.#tell({
      kind: 'plan.changed',
      plan: edit.plan,
      hash: read.hash,
      by: 'file',
      written: read.plan,
      changes: edit.changes,
    });
  }

  #tell(body: PlanEventBody): PlanState {
    const [event] = this.#store.append(this.#state.planId, this.#state.seq, [body]);
    if (!event) throw new FaultError(fault('log.moved', 'the log of the plan did not take an event'));
    evolvePlan(this.#state, event);
    this.#request.watcher.onEvent?.(event, this.#state);
    return this.#state;
  }
}
