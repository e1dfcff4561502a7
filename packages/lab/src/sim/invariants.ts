import { isDeepStrictEqual } from 'node:util';
import {
  type Added,
  decide,
  type Event,
  evolve,
  emptyState,
  type RunSpec,
  type RunState,
} from '@agentgate/core';
import { plantedSecret } from './plan.ts';
import { withoutOutput } from './gates.ts';
import { type Files, sealed, treeOf, wrongIn } from './tree.ts';
import type { World } from './world.ts';

/** What holds of every history, ended or not. `lived` is the state that its newest controller lived in. Returns its fold. */
export function checkHistory(world: World, events: readonly Event[], lived: RunState | null): RunState {
  const livedTo = events.findLastIndex((one) => one.seq === lived?.seq && one.at === lived.lastAt);
  let state = emptyState();
  const started = new Set<string>();
  let runId = '';
  let isStopped = false;
  let movedTo: { iteration: number; tree: string } | null = null;
  const decidedOnce = new Set<string>();
  const written = { iteration: 0, bytes: 0 };
  const spending: Spending = { most: { tokens: 0, costUsd: 0 }, heard: [], cut: { tokens: 0, costUsd: 0 } };
  for (const [at, event] of events.entries()) {
    if (event.kind === 'stop.requested') isStopped = true;
    if (event.kind === 'run.started' || event.kind === 'run.resumed') isStopped = false;
    if (event.kind === 'decided' && event.decision.because.code === 'user.stop' && !isStopped && state.stop)
      world.broken('I7', 'the run is stopped by a stop that is over');
    if (event.kind === 'run.started') {
      runId = event.runId;
      if (event.parent && event.parent.seq !== state.seq)
        world.broken('I6', `run ${runId} goes on from event ${event.parent.seq}, not from the last`);
    } else if (state.ended) world.broken('I15', `event ${event.seq} (${event.kind}) follows the end`);
    checkDecidedOnce(world, runId, event, decidedOnce);
    checkBytes(world, event, written);
    if (event.kind === 'decided') {
      checkDecision(world, state, event);
      checkPace(world, state, event);
      checkWitnesses(world, state, event);
    }
    if (event.kind === 'agent.started') {
      const key = `${runId} ${event.iteration} ${event.start ?? 0}`;
      if (started.has(key)) world.broken('I3', `iteration ${event.iteration} was started twice`);
      started.add(key);
    }
    if (event.kind === 'snapshot.taken' || event.kind === 'tree.confirmed' || event.kind === 'gate.judged')
      movedTo = checkTree(world, state, event, movedTo);
    if (event.kind === 'move.made') checkMove(world, state, event);
    if (event.kind === 'agent.ended') checkEstimate(world, event, spending);
    // An agent that could not be started is started again.
    if (event.kind === 'fault.raised') started.clear();
    state = evolve(state, event);
    if (event.kind === 'agent.ended') checkCut(world, state);
    if (at === livedTo && !isDeepStrictEqual(state, lived))
      world.broken('I6', `the state at event ${state.seq} is not the fold of the log`);
  }
  checkSpending(world, state, spending);
  return state;
}

/**
 * The tree of an iteration is captured once, after its agent, and after somebody wrote to it the gates judge what lies
 * there then. Returns the tree that came about so.
 */
function checkTree(
  world: World,
  { current }: RunState,
  event: Extract<Event, { kind: 'snapshot.taken' | 'tree.confirmed' | 'gate.judged' }>,
  movedTo: { iteration: number; tree: string } | null,
): { iteration: number; tree: string } | null {
  const { iteration } = event;
  if (iteration === 0) return null;
  if (event.kind === 'snapshot.taken') {
    if (!current?.build || current.tree !== null)
      world.broken('I3', `the tree of iteration ${iteration} is captured out of turn`);
    return null;
  }
  if (movedTo?.iteration === iteration && event.tree !== movedTo.tree)
    world.broken('I1', `iteration ${iteration} is judged on a tree that has moved since`);
  const isMoved = event.kind === 'tree.confirmed' && event.moved.some((path) => !path.startsWith('out/'));
  return isMoved ? { iteration, tree: event.after } : movedTo;
}

/** Whoever goes back to a tree has all of it again, also where a crash cut the way back short. */
function checkMove(world: World, { open }: RunState, event: Extract<Event, { kind: 'move.made' }>): void {
  const wanted = open?.kind === 'make-move' ? open.tree : undefined;
  if (event.problem !== undefined || world.faults('edit').length > 0) return;
  if (event.tree !== wanted)
    world.broken('I22', `iteration ${event.iteration} went back to ${wanted}, and ${event.tree} lies there`);
}

/** Each iteration is decided upon exactly once, unless its agent was not there, or a fault kept it from beginning. */
function checkDecidedOnce(world: World, runId: string, event: Event, decided: Set<string>): void {
  if (event.kind === 'fault.raised') return decided.clear();
  const iteration = event.kind === 'decided' ? startOf(event) : 'iteration' in event ? event.iteration : null;
  if (iteration === null) return;
  const key = `${runId} ${iteration}`;
  if (event.kind === 'decided') {
    if (decided.has(key)) world.broken('I3', `the start of iteration ${iteration} is decided twice`);
    decided.add(key);
  }
  if (event.kind === 'agent.started' && !decided.has(key))
    world.broken('I3', `iteration ${iteration} was started, and nobody had decided so`);
  if (event.kind === 'agent.ended' && event.end.kind === 'unavailable') decided.delete(key);
}

const startOf = ({ decision }: Extract<Event, { kind: 'decided' }>): number | null =>
  decision.kind === 'start-iteration' ? decision.iteration : null;

/** What an iteration may write into the log, however much its agent and its gates say. */
const mostBytes = 48_000;

/** What waits, persons and resumes write is told apart: they come as often as they come. */
function checkBytes(world: World, event: Event, written: { iteration: number; bytes: number }): void {
  if (event.kind === 'decided' && event.decision.kind === 'start-iteration') {
    written.iteration = event.decision.iteration;
    written.bytes = 0;
  }
  const isWait = event.kind === 'decided' && event.decision.kind === 'wait';
  const isPending = event.kind === 'gate.judged' && event.verdict.kind === 'pending';
  if (event.kind === 'run.started' || event.kind === 'run.resumed' || event.kind === 'wait.ended') return;
  if (isWait || isPending) return;
  written.bytes += JSON.stringify(event).length;
  if (written.bytes > mostBytes)
    world.broken('I23', `iteration ${written.iteration} wrote ${written.bytes} bytes into the log`);
}

interface Spending {
  most: { tokens: number; costUsd: number };
  /** What agents told themselves. */
  heard: Event[];
  /** How many were cut off before they told. */
  cut: { tokens: number; costUsd: number };
}

const dimensions = ['tokens', 'costUsd'] as const;

/** What nobody heard of counts as much as the dearest that was told: no crash makes room under a limit. */
function checkEstimate(world: World, event: Extract<Event, { kind: 'agent.ended' }>, known: Spending): void {
  const isCut = event.end.kind === 'interrupted' || (event.end.kind === 'aborted' && event.tookMs > 0);
  if (!event.estimated) known.heard.push(event);
  for (const what of dimensions) {
    const counted = event[what] ?? 0;
    if (event.end.kind === 'interrupted' && counted < known.most[what])
      world.broken(
        'I9',
        `an interrupted agent counts ${counted} ${what}, and another told ${known.most[what]}`,
      );
    known.most[what] = Math.max(known.most[what], counted);
    if (isCut && (event.estimated || event[what] === undefined)) known.cut[what] += 1;
  }
}

/** Whoever was cut off has cost something as soon as anybody told what an agent costs. */
function checkSpending(world: World, state: RunState, { heard, cut }: Spending): void {
  for (const what of dimensions) {
    const told = heard.flatMap((one) =>
      one.kind === 'agent.ended' && one[what] !== undefined ? [one[what]] : [],
    );
    if (told.length === 0) continue;
    const least = told.reduce((sum, one) => sum + one, 0) + cut[what] * Math.min(...told);
    if ((state[what] ?? 0) < least - 1e-6)
      world.broken('I9', `${state[what]} ${what} are counted, and at least ${least} were used`);
  }
}

/** Nobody waits or works when the time is used, and an agent that is not there is not asked again at once. */
function checkPace(
  world: World,
  state: RunState,
  { decision, seq }: Extract<Event, { kind: 'decided' }>,
): void {
  const isUsed = state.spec && state.activeMs >= state.spec.limits.wallClock;
  if (isUsed && (decision.kind === 'wait' || decision.kind === 'start-iteration'))
    world.broken('I7', `${decision.kind} is decided at event ${seq} though the time is used`);
  const longestMs = state.spec?.limits.maxWait ?? 0;
  if (decision.kind === 'wait' && decision.forMs + state.waitedMs > longestMs)
    world.broken('I11', `a wait of ${decision.forMs} ms is decided after one of ${state.waitedMs} ms`);
  if (decision.kind === 'start-iteration' && state.away && !state.away.waited)
    world.broken('I2', `an agent that is not there is asked again at once, at event ${seq}`);
}

/** So long an agent may go on when the time is used: the moment in which it ends, and the sign of life after it. */
const cutMs = 2_000;

/** An agent is cut off when the time is used, whatever was used before it began. */
function checkCut(world: World, { spec, activeMs, iteration }: RunState): void {
  const overMs = activeMs - (spec?.limits.wallClock ?? Number.POSITIVE_INFINITY);
  if (overMs > cutMs + world.truth.frozenMs)
    world.broken('I7', `iteration ${iteration} is built for ${overMs} ms after the time is used`);
}

/** A decision is what its history makes of it. */
function checkDecision(
  world: World,
  state: RunState,
  { decision, seq }: Extract<Event, { kind: 'decided' }>,
): void {
  const again = decide(state);
  if (JSON.stringify(again) !== JSON.stringify(decision))
    world.broken('I20', `the decision at event ${seq} (${decision.kind}) comes out as ${again.kind} now`);
}

/** Only gates can say that a run has converged: their greens are on record, and nobody's word stands in for them. */
function checkWitnesses(
  world: World,
  state: RunState,
  { decision }: Extract<Event, { kind: 'decided' }>,
): void {
  if (decision.kind !== 'end-run' || decision.status !== 'converged') return;
  const { spec, current } = state;
  const { code } = decision.because;
  if (!code.startsWith('goal.')) world.broken('I19', `it converged for ${code}, which is no gate's word`);
  for (const { name, severity, baseline } of spec!.gates) {
    const verdict = current?.verdicts.get(name);
    // What passed when it was tried again is no failure. Which ones were there before is another question, and I1 asks it.
    const isExcused =
      verdict?.kind === 'failed' && (baseline === 'no-new' || verdict.findings.every((one) => one.flaky));
    if (severity === 'hard' && verdict?.kind !== 'passed' && !isExcused)
      world.broken('I19', `it converged, and gate ${name} is ${verdict?.kind}`);
  }
  if (code !== 'goal.met' || !current) return;
  const unsaid = decide({ ...state, current: { ...current, advice: null, answer: null } });
  if (unsaid.kind !== 'end-run' || unsaid.status !== 'converged')
    world.broken('I19', `it converged, and comes to ${unsaid.kind} where its strategy said nothing`);
}

/** What holds when a run has ended. `own` are the limits that it was begun with. */
export function checkEnd(world: World, state: RunState, own: RunSpec['limits']): void {
  const { ended, spec } = state;
  if (!ended || !spec) return world.broken('I14', 'a run is over without an end');
  if (world.processes.size > 0)
    world.broken('I10', `${[...world.processes][0]!.kind} is alive after the end`);
  checkLimits(world, spec, own);
  checkCount(world, state);
  checkTime(world, state);
  checkMoney(world, state);
  checkStop(world, state);
  checkBaseline(world, state);
  if (state.redirects.length > world.truth.redirects)
    world.broken(
      'I4',
      `${world.truth.redirects} redirects were sent, ${state.redirects.length} are recorded`,
    );
  if (ended.status === 'converged') checkConverged(world, state);
  checkSecrets(world);
}

/** Limits are what they were, and what persons added, each time once. */
function checkLimits({ added, broken }: World, { limits }: RunSpec, own: RunSpec['limits']): void {
  const sum = (what: keyof Added) => added.reduce((all, one) => all + (one[what] ?? 0), 0);
  const wanted = {
    ...own,
    iterations: own.iterations + sum('iterations'),
    wallClock: own.wallClock + sum('wallClockMs'),
    ...(own.tokens === undefined ? {} : { tokens: own.tokens + sum('tokens') }),
    ...(own.cost === undefined ? {} : { cost: own.cost + sum('costUsd') }),
  };
  if (!isDeepStrictEqual(limits, wanted))
    broken('I2', `the limits are ${JSON.stringify(limits)}, and ${JSON.stringify(wanted)} were given`);
}

function checkCount(world: World, state: RunState): void {
  const { limits, strategy } = state.spec!;
  const limit = limits.iterations;
  const own = 'max' in strategy ? strategy.max : 'iterations' in strategy ? strategy.iterations : limit;
  if (state.ended?.code === 'limit.iterations' && state.iteration < Math.min(limit, own + world.granted))
    world.broken('I7', `the run ended for its iterations after ${state.iteration}`);
  if (state.iteration > limit) world.broken('I2', `${state.iteration} iterations under a limit of ${limit}`);
  const worked = world.truth.begun.filter((one) => !one.away).length;
  const away = world.truth.begun.length - worked;
  if (worked > state.iteration)
    world.broken('I2', `${worked} agents worked, and ${state.iteration} iterations are counted`);
  // An agent that a crash kept from beginning may be counted only where a power cut made that unknowable.
  if (worked + away < state.iteration - world.truth.powerCuts - uncounted(state))
    world.broken('I2', `${worked} agents worked, and ${state.iteration} iterations are counted`);
}

/** Builds that were cut short before the agent began are iterations all the same. */
const uncounted = (state: RunState): number => state.history.filter((one) => one.build === 'aborted').length;

function checkTime(world: World, state: RunState): void {
  const { truth } = world;
  const really = unionMs(truth.worked);
  const slackMs = 1_100 * (truth.crashes + 1) + 11_000 * truth.powerCuts + truth.frozenMs;
  if (Math.abs(really - state.activeMs) > slackMs + 0.02 * really)
    world.broken('I7', `worked for ${really} ms, and ${Math.round(state.activeMs)} ms are counted`);
}

/** Whoever stops a run sees it ended within the grace that agents and gates get. */
function checkStop(world: World, { stop, ended }: RunState): void {
  const { stopMs, frozenMs } = world.truth;
  const tookMs = stopMs === null ? 0 : world.time.nowMs - stopMs;
  if (tookMs > 11_000 + frozenMs) world.broken('I7', `a stop took ${tookMs} ms`);
  if (!stop && ended?.status !== 'converged' && tookMs > 0)
    world.broken('I7', `a stop was heard and the run ended as ${ended?.code}`);
  world.truth.stopMs = null;
}

/** What the gates said before the run, they said about one tree. A file that moves every time is taken for a gate's. */
function checkBaseline(world: World, { baseTree, iteration }: RunState): void {
  const base = world.trees.get(baseTree ?? '');
  const edited = [...world.faults('edit'), ...world.faults('edit-under')].map((one) => one.file);
  const isOnce = new Set(edited).size === edited.length && edited.length < 5;
  if (!base || iteration === 0 || !isOnce || world.truth.undone) return;
  const tree = treeOf(withoutOutput(base));
  for (const [gate, seen] of world.truth.lookedFirst)
    if (seen !== tree) world.broken('I1c', `the baseline of gate ${gate} is of another tree`);
}

function unionMs(spans: readonly { fromMs: number; toMs: number }[]): number {
  let sum = 0;
  let end = 0;
  for (const { fromMs, toMs } of spans.toSorted((a, b) => a.fromMs - b.fromMs)) {
    sum += Math.max(0, toMs - Math.max(fromMs, end));
    end = Math.max(end, toMs);
  }
  return sum;
}

function checkMoney(world: World, state: RunState): void {
  for (const what of ['costUsd', 'tokens'] as const) {
    const told = world.truth.told.map((one) => one[what]);
    const sum = told.reduce((all, one) => all + one, 0);
    const unheard = state.unheard * Math.max(0, ...told);
    const counted = state[what] ?? 0;
    if (counted < sum - unheard - 1e-6 || counted > sum + unheard + 1e-6)
      world.broken('I9', `${sum.toFixed(2)} ${what} were used, and ${counted.toFixed(2)} are counted`);
  }
}

/** Converged means: on the tree that is handed over, every hard gate is really green. */
function checkConverged(world: World, state: RunState): void {
  const { spec, ended, baseTree } = state;
  const tree = world.trees.get(ended!.tree ?? '');
  const base = world.trees.get(baseTree ?? '');
  if (!tree || !base) return world.broken('I1', 'it converged on a tree that nobody has');
  const files = spec!.integrity.mode === 'off' ? tree : sealed(tree, base);
  const planned = new Map(Object.entries(world.plan.files));
  for (const gate of spec!.gates) {
    if (gate.severity !== 'hard') continue;
    const wrong = wrongIn(files, gate.name, planned);
    const before = gate.baseline === 'no-new' ? wrongIn(base, gate.name, planned) : [];
    const fresh = wrong.filter((path) => !before.includes(path));
    if (fresh.length > 0)
      world.broken('I1', `it converged, and gate ${gate.name} is really red: ${fresh.join(', ')}`);
  }
  checkSameTree(world, state, tree, base);
  const lay = world.truth.toldWith;
  if (lay !== treeOf(withoutOutput(tree)) && world.truth.crashes === 0)
    world.broken('I1b', 'it converged, and something else lies in the workspace');
  if (spec!.integrity.mode === 'strict') {
    const changed = [...base].filter(([path, text]) => path.startsWith('tests/') && tree.get(path) !== text);
    if (changed.length > 0) world.broken('I13', `it converged in strict mode with ${changed[0]![0]} changed`);
  }
}

/** Every hard gate has passed on exactly the tree that is handed over. */
function checkSameTree(world: World, { spec, baseline }: RunState, tree: Files, base: Files): void {
  const forms = [tree, sealed(tree, base), base].map((files) => treeOf(withoutOutput(files)));
  for (const gate of spec!.gates) {
    const looked = world.truth.looked.get(gate.name);
    if (gate.severity !== 'hard' || !looked || gate.baseline === 'no-new' || world.truth.undone) continue;
    // The last look may have been the control without the change, which is red where it was red before.
    const control = looked.tree === forms[2] && baseline.get(gate.name)?.kind === 'failed';
    if (!looked.passed && !control) world.broken('I1', `it converged though gate ${gate.name} last failed`);
    if (!forms.includes(looked.tree))
      world.broken('I1b', `it converged on another tree than gate ${gate.name} saw`);
  }
}

function checkSecrets(world: World): void {
  for (const [path, bytes] of world.disk.contents())
    if (bytes.includes(plantedSecret)) return world.broken('I24', `a secret was written to ${path}`);
}
