import { type Event, parseSpec, type RunSpec, type RunState } from '@agentgate/core';
import { readHistory, referencesOf, type RunStore } from '@agentgate/runtime';
import { checkEnd, checkHistory } from './invariants.ts';
import { die, type Ended, type Living, live, mostSteps, rest, storeOf } from './life.ts';
import { type Fault, type Plan } from './plan.ts';
import { makeWorld, type Violation, type World } from './world.ts';

export interface Report {
  violations: Violation[];
  /** How the last run came out, or why there is none. */
  outcome: string;
  seen: Map<string, number>;
  /** Dealings with the world. */
  steps: number;
  /** Crashes in which an agent was at work. */
  cutAgents: number;
  virtualMs: number;
  /** Every log that was left, as it lies on the disk. */
  logs: Record<string, string>;
}

/** However much goes wrong, a run ends within this time and this many dealings with the world. */
const mostMs = 12 * 3_600_000;

/** Lets everything happen that the plan says, and looks whether what must never be has been. */
export async function simulate(plan: Plan): Promise<Report> {
  const world = makeWorld(plan);
  const outcome = await liveOn(world, specOf(plan)).catch((error: unknown) => thrown(world, error));
  return {
    violations: world.truth.violations,
    outcome,
    seen: world.truth.seen,
    steps: world.steps,
    cutAgents: world.truth.cutAgents,
    virtualMs: world.time.nowMs,
    logs: logsOf(world),
  };
}

/** What nobody expected to be thrown, a log that cannot be read for instance, has a seed like everything else. */
function thrown(world: World, error: unknown): string {
  world.broken('bug', String((error as Error)?.stack ?? error));
  return 'bug';
}

function logsOf({ disk }: World): Record<string, string> {
  const logs = [...disk.contents()].filter(([path]) => path.endsWith('.jsonl'));
  return Object.fromEntries(logs.map(([path, bytes]) => [path, bytes.toString('utf8')]));
}

function specOf({ spec }: Plan): RunSpec {
  const parsed = parseSpec({ task: 'make it good', ...spec });
  if (parsed.kind === 'invalid') throw new Error(JSON.stringify(parsed.problems));
  return { ...parsed.spec, task: 'make it good' };
}

/** One process of the controller after the other, until the run is at its end. */
async function liveOn(world: World, spec: RunSpec): Promise<string> {
  const { plan } = world;
  let runId: string | null = null;
  let grants = plan.grants;
  let added = {};
  /** What was granted last, and the run that it was granted to. */
  let granted = {};
  let lastEnded: string | null = null;
  let failures = 0;
  const persons = planPersons(world);
  for (;;) {
    const living = live(world, { spec, runId, added });
    persons.meet(living);
    const ended = await until(world, living);
    if (ended === null) return 'no end';
    living.life.alive = false;
    rest(world);
    if (ended.kind !== 'ended') world.truth.stopMs = null;
    // Whoever adds to a limit does so until it is taken.
    if (living.runId !== null && living.runId !== runId) added = {};
    const after = await afterLife(world, living, runId);
    runId = after.runId;
    if (ended.kind === 'bug') return thrown(world, ended.error);
    // A run that died in its last step has ended all the same, if its end is in the log.
    const state =
      ended.kind === 'ended'
        ? ended.state
        : ended.kind === 'died' && living.state && after.left?.ended
          ? after.left
          : null;
    if (state) {
      const { status, code } = state.ended!;
      checkEnd(world, state, spec.limits);
      await checkTexts(world, state.runId);
      lastEnded = state.runId;
      granted = {};
      const again = status === 'suspended' || (grants > 0 && status !== 'converged' && status !== 'error');
      if (!again || failures > 12) return `${status} ${code}`;
      failures += 1;
      if (status !== 'suspended') {
        grants -= 1;
        world.granted += 2;
        added = { iterations: 2, wallClockMs: 60_000, ...moreOf(spec) };
        granted = added;
        world.added.push(added);
      }
    }
    if (ended.kind === 'gave-up') {
      failures += 1;
      // Nobody was there for a while, as after a crash.
      world.truth.crashes += 1;
      if (ended.fault === 'run.converged') return 'converged before';
      // Of a run that was only begun nothing is left; a person goes on with the one before it.
      if (ended.fault === 'run.empty') {
        runId = lastEnded;
        if (lastEnded !== null) added = granted;
      } else if (ended.fault === 'run.linked') {
        added = {};
        runId = world.outside(() => storeOf(world).childOf(runId!, after.left!.seq));
      } else if (!ended.fault.startsWith('state.')) return `gave up: ${ended.fault}`;
    }
    if (failures > 200) {
      world.broken('I11', 'it was begun two hundred times and never came to an end');
      return 'no end';
    }
    await pass(world, ended.kind === 'died' ? world.downMs : 30_000);
  }
}

const moreOf = ({ limits }: RunSpec) => ({
  ...(limits.tokens === undefined ? {} : { tokens: 2_000 }),
  ...(limits.cost === undefined ? {} : { costUsd: 1 }),
});

/** Lets the world go on until this process of the controller is over; null when it never is. */
async function until(world: World, living: Living): Promise<Ended | null> {
  const over: Ended[] = [];
  void living.ended.then((ended) => over.push(ended));
  for (;;) {
    await settled();
    if (over[0]?.kind === 'ended' || over[0]?.kind === 'paused') return over[0];
    if (world.time.nowMs > mostMs || world.steps > mostSteps) {
      world.broken('I11', `no end after ${world.time.nowMs / 60_000} minutes and ${world.steps} steps`);
      return null;
    }
    if (!living.life.alive) return { kind: 'died' };
    if (over[0]) return over[0];
    if (!world.time.advance()) {
      world.broken('I11', 'nothing will ever happen again, and the run is not over');
      return null;
    }
  }
}

/** The machine goes on without a controller. */
async function pass(world: World, ms: number): Promise<void> {
  const untilMs = world.time.nowMs + ms;
  world.time.at(untilMs, () => undefined);
  while (world.time.nowMs < untilMs && world.time.advance()) await settled();
}

/** Everything that can happen without time passing has happened. */
const settled = () => new Promise<void>((done) => setImmediate(done));

/** What the dead or leaving controller knew must be what its log says. Returns the run to go on with. */
async function afterLife(
  world: World,
  living: Living,
  before: string | null,
): Promise<{ runId: string | null; left: RunState | null }> {
  world.life = null;
  const store = storeOf(world);
  const runId = living.runId ?? before ?? world.outside(() => store.list()[0] ?? null);
  if (runId === null || !world.outside(() => store.list()).includes(runId)) {
    if (living.acked.length > 0) world.broken('I12', `run ${runId} is gone, though it was written down`);
    return { runId: null, left: null };
  }
  const events = await world.outside(() => readHistory(store, runId));
  checkAcked(world, living, events, runId);
  checkLetters(world, store, runId, events);
  return { runId, left: checkHistory(world, events, living.state) };
}

/** What was acknowledged is there, unchanged; at most what was under way may follow it. */
function checkAcked(world: World, { acked }: Living, events: readonly Event[], runId: string): void {
  const own = events.slice(events.findLastIndex((one) => one.kind === 'run.started'));
  for (const event of acked) {
    const kept = own[event.seq - 1];
    if (JSON.stringify(kept) !== JSON.stringify(event))
      return world.broken(
        'I12',
        `event ${event.seq} (${event.kind}) of run ${runId} was acknowledged and is lost`,
      );
  }
}

/** Every text that an event refers to is there, as it was kept. */
async function checkTexts(world: World, runId: string): Promise<void> {
  const store = storeOf(world);
  const events = await world.outside(() => readHistory(store, runId));
  for (const { ref, what } of referencesOf(events))
    if (world.outside(() => store.recall(runId, ref)) === null) world.broken('I12', `${what} is lost`);
}

/** What a person said is in the log, or still lies where it will be found. */
function checkLetters(world: World, store: RunStore, runId: string, events: readonly Event[]): void {
  const own = events.slice(events.findLastIndex((one) => one.kind === 'run.started'));
  const heard = own.filter((one) => one.kind === 'redirect.requested').length;
  const open = world.outside(() => store.letters(runId)).filter((one) => one.request.kind === 'redirect');
  const sent = world.truth.letters.get(runId) ?? 0;
  if (heard + open.length < sent)
    world.broken(
      'I4',
      `${sent} redirects were sent to run ${runId}, ${heard} are recorded, the rest is gone`,
    );
}

/** Persons act at their time, by whatever way there is then. */
function planPersons(world: World): { meet(living: Living): void } {
  let met: Living | null = null;
  const { time } = world;
  world.onStop = () => stop('signal');
  const open = [...world.faults('stop-during')];
  world.onPoint = () => {
    const kind = met?.state?.open?.kind;
    const due = open.findIndex((one) => one.during === kind);
    if (due !== -1 && met?.life.alive) {
      open.splice(due, 1);
      stop('signal');
    }
  };
  for (const fault of world.plan.faults) {
    if (fault.kind === 'stop') time.at(fault.atMs, () => stop(fault.by));
    if (fault.kind === 'redirect') time.at(fault.atMs, () => send({ kind: 'redirect', text: 'try b' }));
    if (fault.kind === 'clock') time.at(fault.atMs, () => (world.wallOffsetMs += fault.byMs));
    if (fault.kind === 'sleep') time.at(fault.atMs, () => (world.wallOffsetMs += fault.forMs));
    if (fault.kind === 'edit') time.at(fault.atMs, () => world.edit(fault.file, fault.text));
    if (fault.kind === 'kill') time.at(fault.atMs, () => kill(fault));
    if (fault.kind === 'freeze') {
      time.at(fault.atMs, () => {
        if (!world.life) return;
        world.truth.frozenMs += fault.forMs;
        world.life.frozenUntilMs = Math.max(world.life.frozenUntilMs, time.nowMs + fault.forMs);
      });
    }
  }
  return {
    meet(living) {
      met = living;
    },
  };
  function kill(fault: Extract<Fault, { kind: 'kill' }>) {
    const { life } = world;
    if (life?.alive) die(world, life, met?.state?.open?.kind ?? 'no step', fault);
  }
  function stop(by: 'letter' | 'signal') {
    world.saw(`stop during ${met?.state?.open?.kind ?? 'nothing'}`);
    if (by === 'letter') return send({ kind: 'stop' });
    if (!met?.life.alive) return;
    world.truth.stopMs ??= time.nowMs;
    met.control.stop({ by: 'SIGTERM' });
  }
  function send(request: { kind: 'stop' } | { kind: 'redirect'; text: string }) {
    const runId = met?.runId;
    if (runId === null || runId === undefined) return;
    if (request.kind === 'redirect') {
      world.truth.redirects += 1;
      world.truth.letters.set(runId, (world.truth.letters.get(runId) ?? 0) + 1);
    }
    world.outside(() => storeOf(world).request(runId, request));
  }
}
