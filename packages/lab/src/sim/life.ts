import { type Added, type Clock, type Event, FaultError, type RunSpec, type RunState } from '@agentgate/core';
import {
  beginRun,
  drive,
  goOnWith,
  makeControl,
  openRunStore,
  type Ports,
  type RunStore,
  type Threshold,
  watchInbox,
} from '@agentgate/runtime';
import { startAgent } from './agent.ts';
import { judgeFiles, makeSeal, withoutOutput } from './gates.ts';
import { treeOf } from './tree.ts';
import { makeWorkspace } from './workspace.ts';
import { Died, type Life, type World } from './world.ts';

/** How a process of the controller came to its end. */
export type Ended =
  | { kind: 'ended'; state: RunState }
  | { kind: 'paused' }
  | { kind: 'died' }
  | { kind: 'gave-up'; fault: string }
  | { kind: 'bug'; error: unknown };

export interface Task {
  spec: RunSpec;
  /** The run to go on with; a new one without it. */
  runId: string | null;
  added: Added;
}

export interface Living {
  life: Life;
  control: ReturnType<typeof makeControl>;
  /** The run that it drives, once it does. */
  runId: string | null;
  state: RunState | null;
  acked: Event[];
  ended: Promise<Ended>;
}

/** One of its own for each who waits: a shared one would remember them all. */
const never = (): Promise<never> => new Promise(() => undefined);

/** Starts a process of the controller: it begins a run or goes on with one, and drives it. */
export function live(world: World, task: Task): Living {
  const life = makeLife(world);
  world.life = life;
  const control = makeControl();
  const living: Living = { life, control, runId: task.runId, state: null, acked: [], ended: never() };
  living.ended = driveOne(world, task, living).then(
    (state): Ended => (state.ended ? { kind: 'ended', state } : { kind: 'paused' }),
    (error: unknown): Ended => {
      if (!life.alive) return { kind: 'died' };
      return error instanceof FaultError
        ? { kind: 'gave-up', fault: error.fault.code }
        : { kind: 'bug', error };
    },
  );
  return living;
}

async function driveOne(world: World, { spec, runId, added }: Task, living: Living): Promise<RunState> {
  const { life, control } = living;
  const store = storeOf(world);
  const early = runId === null ? new Set<string>() : stopsFor(world, runId);
  const threshold = thresholdOf(world, store);
  const sandbox = { shutIn: { agent: 'none', gates: 'none' } as const };
  const begun =
    runId === null
      ? await beginRun(threshold, store.newId(), { spec, hash: 'h', source: 'sim', sandbox })
      : await goOnWith(threshold, runId, { added, said: {}, shut: async () => sandbox });
  living.runId = begun.runId;
  if (begun.events[0]?.kind === 'run.resumed') world.saw(`resumed in ${begun.state.open?.kind ?? 'nothing'}`);
  living.acked.push(...begun.events);
  const ports = portsOf(world, living, store, begun.spec);
  const known = begun.state.letters;
  const inbox = watchInbox(store, begun.runId, control, {
    clock: ports.clock,
    known,
    before: begun.state.parentRunId,
  });
  const passed = new Map<string, boolean>();
  const watcher = {
    onEvent(event: Event, state: RunState) {
      living.state = state;
      if (event.kind === 'stop.requested' && early.has(event.letter ?? ''))
        world.broken('I7', 'a stop is heard that was meant for the controller before this one');
      if (event.kind === 'gate.judged') passed.set(event.gate, event.verdict.kind === 'passed');
      if (event.kind === 'tree.confirmed' && event.moved.length > 0 && [...passed.values()].every(Boolean))
        world.saw('the tree moved under green gates');
      if (event.kind === 'agent.ended') world.isAgentOut = false;
      if (event.kind === 'decided') world.recorded += 1;
      if (event.seq > (living.acked.at(-1)?.seq ?? 0)) living.acked.push(event);
    },
  };
  try {
    const { iteration, open } = begun.state;
    const last = iteration + (open?.kind === 'start-iteration' ? 0 : 1);
    const upTo = world.plan.bySteps ? { upTo: last } : {};
    return await drive(begun.runId, { ...ports, ...upTo }, control, watcher, begun);
  } finally {
    if (life.alive) inbox.close();
  }
}

/** The stops that lie in the inbox of a run: they were for whoever drove it before. */
const stopsFor = (world: World, runId: string): Set<string> =>
  new Set(
    world
      .outside(() => storeOf(world).letters(runId))
      .flatMap((one) => (one.request.kind === 'stop' ? [one.name] : [])),
  );

/** The shipped store upon the disk of this world. */
export function storeOf(world: World): RunStore {
  return openRunStore('/state/runs', {
    disk: world.disk,
    now: () => new Date(world.wallMs()),
    reserveBytes: 100,
    random: (bytes) => Uint8Array.from({ length: bytes }, () => world.letters++ % 251),
  });
}

function thresholdOf(world: World, store: RunStore): Threshold {
  return {
    store,
    root: '/w',
    version: 'sim',
    pid: world.truth.crashes + 1,
    nonce: () => 'n0',
    async endLeftovers(runId) {
      if ([...world.processes].some((one) => one.kind === 'agent'))
        world.saw('taken over with an agent at work');
      await dealing(world, 'end leftovers', () => endProcesses(world, runId));
    },
  };
}

function endProcesses(world: World, runId: string): void {
  for (const process of world.processes) if (process.runId === runId) process.end();
}

function portsOf(world: World, living: Living, store: RunStore, spec: RunSpec): Ports {
  const seal = makeSeal(world);
  const workspace = makeWorkspace(world);
  const working = <T>(site: string, act: () => Promise<T>) => dealing(world, site, () => timed(world, act));
  return {
    store,
    clock: clockOf(world, living.life),
    workspace: {
      ...workspace,
      snapshot(request) {
        const { current, runId } = living.state ?? {};
        if (current?.tree && current.iteration > 0 && request.ref === `runs/${runId}/${current.iteration}`)
          world.broken('I4', 'a tree is captured though it is recorded');
        return working('snapshot', () => workspace.snapshot(request));
      },
      async restore(tree, ref) {
        await working('restore half', () => workspace.restoreSome(tree));
        return working('restore', () => workspace.restore(tree, ref));
      },
    },
    seal:
      spec.integrity.mode === 'off'
        ? undefined
        : {
            ...seal,
            rehearse: (request, tree) => working('rehearse', () => seal.rehearse(request, tree)),
            compare: (at, known) => working('compare', () => seal.compare(at, known)),
            judge(request, at) {
              checkOwed(world, living, request.gate.name, at.form);
              return working('judge', () => seal.judge(request, at));
            },
          },
    judge(request) {
      checkOwed(world, living, request.gate.name, 'in-place');
      return working('judge', () => inPlace(world, request));
    },
    build: (request) =>
      dealing(world, 'build', async () => {
        if (living.state?.current?.build)
          world.broken('I4', `the agent is started though its end is recorded`);
        checkLimits(world, living, spec);
        const built = await timed(world, () => startAgent(world, request));
        endProcesses(world, request.runId);
        return built;
      }),
    advisor:
      spec.strategy.kind === 'custom'
        ? {
            consult: ({ context }) =>
              working('consult', () => advise(world, context.iteration, living.control.signal)),
            end: async () => undefined,
          }
        : null,
    notify: (_request, signal) => dealing(world, 'notify', () => tellIn(world, signal)),
    deliver: async () => null,
    scratch: () => ({ path: '/scratch', remove: () => undefined }),
    keepFds: [],
    boot: String(world.boot),
  };
}

/** A gate without a room judges what lies in the workspace while it runs, and may write there. */
function inPlace(world: World, request: Parameters<Ports['judge']>[0]): ReturnType<Ports['judge']> {
  const { gate } = request;
  const look = () => world.files ?? new Map<string, string>();
  if (world.plan.gates[gate.name]!.writes)
    world.files?.set(`out/${gate.name}.log`, `${world.gateTimes.get(gate.name) ?? 0}`);
  return judgeFiles(world, request, () => new Map(look()));
}

/** A verdict that is recorded is never asked for again, unless it was decided to. */
function checkOwed(world: World, { state }: Living, gate: string, form: string): void {
  if (form === 'base' ? state?.current?.controls.has(gate) : state?.current?.verdicts.has(gate))
    world.broken('I4', `gate ${gate} is judged again (${form}) though its verdict is recorded`);
}

/** Nobody starts to work when a limit is reached. */
function checkLimits(world: World, { state }: Living, { limits }: RunSpec): void {
  if (!state) return;
  const { fullAfter } = world.truth;
  if (fullAfter !== null && world.recorded - fullAfter > 1)
    world.broken('F4', 'the agent is started though the disk is full');
  // Who sets the clock back has made it early again.
  const isSet = world.faults('clock').length > 0;
  if (!isSet && limits.quota !== undefined && state.windows.some((one) => one.resetsAtMs > world.wallMs()))
    world.broken('I9', 'the agent is started before its usage window opens');
  if (state.activeMs >= limits.wallClock) world.broken('I7', 'the agent is started though the time is used');
  if ((state.costUsd ?? 0) >= (limits.cost ?? Number.POSITIVE_INFINITY))
    world.broken('I9', 'the agent is started though the money is spent');
  if ((state.tokens ?? 0) >= (limits.tokens ?? Number.POSITIVE_INFINITY))
    world.broken('I9', 'the agent is started though the tokens are used');
}

async function timed<T>(world: World, act: () => Promise<T>): Promise<T> {
  const span = { fromMs: world.time.nowMs, toMs: Number.POSITIVE_INFINITY };
  world.truth.worked.push(span);
  try {
    return await act();
  } finally {
    span.toMs = Math.min(span.toMs, world.time.nowMs);
  }
}

/** A strategy that is stopped works no longer, though its answer may never be heard. */
async function advise(world: World, iteration: number, stop: AbortSignal) {
  const says = world.plan.advice[iteration % world.plan.advice.length]!;
  if (says === 'late' && !stop.aborted)
    await new Promise<void>((done) => {
      world.time.at(world.time.nowMs + 5_000, done);
      stop.addEventListener('abort', () => done(), { once: true });
    });
  const tookMs = says === 'late' ? 5_000 : 1;
  if (says === 'late' || says === 'fails') {
    const fault = { code: 'strategy.failed', message: 'it failed', retry: 'never' } as const;
    return { answer: { kind: 'failed' as const, fault }, tookMs };
  }
  const answer = {
    kind: 'advice' as const,
    continue: says === 'continue',
    reason: 'because',
    ...(says === 'done' ? { code: 'goal.met', action: 'complete' as const } : {}),
  };
  return { answer, tookMs };
}

/** A chat takes its time, and nobody waits for it longer than until it is cut off. */
function tellIn({ plan, time, truth, files }: World, signal?: AbortSignal): ReturnType<Ports['notify']> {
  truth.toldWith = files && treeOf(withoutOutput(files));
  if (plan.noticeMs === 0) return Promise.resolve([{ way: 'command', ok: true }]);
  return new Promise((done) => {
    const told = time.at(time.nowMs + plan.noticeMs, () => done([{ way: 'command', ok: true }]));
    const cut = () => {
      told.cancel();
      done([{ way: 'command', ok: false, detail: 'cut off' }]);
    };
    if (signal?.aborted) cut();
    else signal?.addEventListener('abort', cut, { once: true });
  });
}

/** One dealing of the living controller with the world: it may die before, or after it is done. */
async function dealing<T>(world: World, site: string, act: () => T | Promise<T>): Promise<T> {
  const life = world.life!;
  try {
    await thawed(world, life);
    life.point(site);
    const result = await act();
    await thawed(world, life);
    life.point(`${site} done`);
    return result;
  } catch (error) {
    if (!life.alive) return never();
    throw error;
  }
}

async function thawed({ time }: World, life: Life): Promise<void> {
  if (!life.alive) await never();
  while (life.frozenUntilMs > time.nowMs)
    await new Promise<void>((done) => time.at(life.frozenUntilMs, done));
}

export const mostSteps = 20_000;

function makeLife(world: World): Life {
  const life: Life = {
    bornMs: world.time.nowMs,
    alive: true,
    frozenUntilMs: 0,
    point(site) {
      if (!life.alive || world.life !== life) throw new Died();
      world.steps += 1;
      // One that never waits for anything would never let the world look.
      if (world.steps > mostSteps) life.alive = false;
      if (!life.alive) throw new Died();
      if (world.faults('stop-at').some((one) => one.step === world.steps)) world.onStop?.();
      world.onPoint?.();
      const time = (world.sites.get(site) ?? 0) + 1;
      world.sites.set(site, time);
      const crash =
        world.faults('crash').find((one) => one.step === world.steps) ??
        world.faults('crash-at').find((one) => one.site === site && one.time === time);
      if (!crash) return;
      die(world, life, site, crash);
      throw new Died();
    },
  };
  return life;
}

/** Whatever goes on after a life has ended is no work of it. */
export function rest(world: World): void {
  for (const span of world.truth.worked) span.toMs = Math.min(span.toMs, world.time.nowMs);
}

export function die(
  world: World,
  life: Life,
  site: string,
  { power, share, downMs }: { power: boolean; share: number; downMs: number },
): void {
  life.alive = false;
  world.downMs = downMs;
  world.truth.crashes += 1;
  if (world.isAgentOut) world.truth.cutAgents += 1;
  world.saw(`${power ? 'power cut' : 'killed'} at ${site}`);
  rest(world);
  if (!power) return;
  world.truth.powerCuts += 1;
  world.boot += 1;
  world.disk.loseUnsynced(share);
  for (const process of world.processes) process.end();
}

function clockOf(world: World, life: Life): Clock {
  const { time } = world;
  /** A process that is stopped notices what was due only when it goes on. */
  const call = (act: () => void) => () => {
    if (!life.alive) return;
    if (life.frozenUntilMs > time.nowMs) time.at(life.frozenUntilMs, call(act));
    else act();
  };
  return {
    wallMs: () => world.wallMs(),
    monoMs: () => time.nowMs - life.bornMs + 17,
    after: (ms, act) => {
      if (ms > 2 ** 31) return { cancel: () => undefined };
      const entry = time.at(time.nowMs + Math.max(0, ms), call(act));
      return { cancel: () => entry.cancel() };
    },
    sleep: (ms, signal) =>
      new Promise((done) => {
        if (signal.aborted) return done();
        const entry = time.at(time.nowMs + ms, call(done));
        const cut = () => {
          entry.cancel();
          if (life.alive) done();
        };
        signal.addEventListener('abort', cut, { once: true });
      }),
  };
}
