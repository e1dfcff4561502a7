import { type Assessment, assess, passedTests, pathShape, rankOf, recordOf } from './assess.ts';
import type { Decision } from './decision.ts';
import type { Event, EventOf } from './event.ts';
import { unreachable } from './fault.ts';
import { type BestTree, emptyState, newCurrent, type RunState } from './state.ts';

/** Folds a history into the state it describes. Any prefix of a history folds. */
export function fold(events: Iterable<Event>, from: RunState = emptyState()): RunState {
  let state = from;
  for (const event of events) state = evolve(state, event);
  return state;
}

/** Takes one event into the state. Extends the given state, which belongs to the caller's fold. */
export function evolve(state: RunState, event: Event): RunState {
  state.seq = event.seq;
  state.lastAt = event.at;
  switch (event.kind) {
    case 'run.started':
      started(state, event);
      break;
    case 'run.resumed':
      resumed(state, event);
      break;
    case 'decided':
      decided(state, event.decision);
      break;
    case 'agent.started':
      agentStarted(state, event);
      break;
    case 'agent.ended':
      agentEnded(state, event);
      break;
    case 'snapshot.taken':
      snapshotTaken(state, event);
      break;
    case 'gate.judged':
      gateJudged(state, event);
      break;
    case 'tree.confirmed':
      treeConfirmed(state, event);
      break;
    case 'wait.ended':
      waitEnded(state, event.waitedMs);
      break;
    case 'stop.requested':
      state.stop = event.note === undefined ? { by: event.by } : { by: event.by, note: event.note };
      break;
    case 'fault.raised':
      state.fault = { phase: event.phase, fault: event.fault };
      state.open = null;
      break;
    case 'run.ended':
      closeIteration(state, event.code);
      state.ended = event;
      break;
    default:
      return unreachable(event);
  }
  if (state.open && isPerformed(state, state.open, event)) state.open = null;
  return state;
}

/** A linked run is folded after its parent, so its first event reopens the state it inherits. */
function started(state: RunState, event: EventOf<'run.started'>): void {
  const before = state.ended;
  state.parentRunId = event.parent?.runId ?? null;
  state.runId = event.runId;
  state.root = event.root;
  state.nonce = event.nonce;
  state.spec = event.spec;
  state.open = null;
  state.ended = null;
  state.stop = null;
  state.fault = null;
  state.waitedMs = 0;
  const granted = event.added?.iterations ?? 0;
  state.granted += granted;
  if (granted > 0) state.grantedUntil = state.iteration + granted;
  if (state.iteration === 0) forgetBaseline(state);
  // A person who goes on after a verdict of no progress has seen it; the detectors begin anew from there.
  if (before?.status === 'stopped') reopenIteration(state, before.goalSatisfied);
  const wasStuck = before !== null && before.status !== 'stopped' && before.status !== 'suspended';
  if (wasStuck || granted > 0) {
    state.windowStart = state.iteration;
    state.attempts.clear();
  }
}

/** Nothing has been built yet, and whatever kept the baseline from being measured may be mended: it is measured anew. */
function forgetBaseline(state: RunState): void {
  state.current = null;
  state.baseTree = null;
  state.baseline.clear();
  state.gateWrites.clear();
}

/** A build that was done when a person stopped is judged when they go on, instead of paying for another one. */
function reopenIteration(state: RunState, satisfied: boolean): void {
  const { lastClosed, last } = state;
  const built = lastClosed?.build?.kind === 'finished' || lastClosed?.build?.kind === 'interrupted';
  if (!lastClosed || !built || (last?.judged && !satisfied)) return;
  state.current = { ...lastClosed, verdicts: new Map(), confirmed: null, movedBefore: [] };
  if (last?.judged) state.judged.pop();
  state.history.pop();
}

/** A run that was cut short goes on: what it was doing when it was last alive has cost time, and an old stop is over. */
function resumed(state: RunState, event: EventOf<'run.resumed'>): void {
  state.activeMs += event.lostMs;
  state.stop = null;
  if (state.current) state.current.tookMs += event.lostMs;
}

function decided(state: RunState, decision: Decision): void {
  state.open = decision;
  switch (decision.kind) {
    case 'measure-baseline':
      state.current ??= newCurrent(0);
      break;
    case 'start-iteration':
      closeIteration(state, decision.because.code);
      state.iteration = decision.iteration;
      state.current = newCurrent(decision.iteration);
      break;
    case 'judge':
      if (!state.current) break;
      state.current.attempt = decision.attempt;
      state.current.confirmed = null;
      for (const gate of decision.gates) state.current.verdicts.delete(gate);
      break;
    case 'confirm':
    case 'wait':
    case 'end-run':
      break;
    default:
      unreachable(decision);
  }
}

function agentStarted(state: RunState, event: EventOf<'agent.started'>): void {
  if (!state.current) return;
  state.current.marker = event.marker;
  state.current.startedAt = Date.parse(event.at);
}

function agentEnded(state: RunState, event: EventOf<'agent.ended'>): void {
  state.activeMs += event.tookMs;
  state.outputs = [...state.outputs.slice(-19), event.output];
  if (event.tokens !== undefined) state.tokens = (state.tokens ?? 0) + event.tokens;
  if (event.costUsd !== undefined) state.costUsd = (state.costUsd ?? 0) + event.costUsd;
  if (!state.current) return;
  state.current.build = event.end;
  state.current.claim = event.claim ?? null;
  state.current.giveUp = event.giveUp ?? null;
  state.current.similar = event.similar;
  state.current.outputBytes = event.outputBytes;
  state.current.tokens = event.tokens ?? null;
  state.current.costUsd = event.costUsd ?? null;
  state.current.tookMs += event.tookMs;
}

function snapshotTaken(state: RunState, event: EventOf<'snapshot.taken'>): void {
  state.activeMs += event.tookMs;
  if (!state.current) return;
  state.current.tree = event.tree;
  state.current.work = event.work;
  state.current.substance = event.substance;
  state.current.changed = event.changed;
  if (event.iteration > 0) return;
  state.baseTree = event.tree;
  state.baseWork = event.work;
  // Verdicts on an earlier tree, from before a crash, are no baseline of this one.
  state.baseline.clear();
  state.current.verdicts.clear();
}

function gateJudged(state: RunState, event: EventOf<'gate.judged'>): void {
  state.activeMs += event.tookMs;
  if (event.iteration === 0) {
    state.baseline.set(event.gate, event.verdict);
    state.gateMs.set(event.gate, event.tookMs);
  }
  if (!state.current) return;
  state.current.verdicts.set(event.gate, event.verdict);
  state.current.tookMs += event.tookMs;
}

function treeConfirmed(state: RunState, event: EventOf<'tree.confirmed'>): void {
  const { current } = state;
  if (!current) return;
  const before = new Set(current.movedBefore.map(pathShape));
  // Nothing but the gates runs here: a new file that appears before any agent has worked is theirs, and so is
  // one that appears with every judgement. A file of the user's never is, whoever rewrites it.
  const shaped =
    event.iteration === 0 ? event.fresh : event.fresh.filter((path) => before.has(pathShape(path)));
  for (const path of shaped) state.gateWrites.add(pathShape(path));
  const foreign = event.moved.filter((path) => !isGateWrite(state, path));
  current.movedBefore = event.moved;
  current.confirmed = { tree: event.tree, after: event.after, moved: foreign };
  if (event.iteration > 0) {
    if (foreign.length === 0) return;
    // Another tree than the one that was judged: its verdicts say nothing about this one.
    current.tree = event.after;
    current.work = event.work;
    current.substance = event.substance;
    current.verdicts.clear();
    current.attempt += 1;
    return;
  }
  state.baseTree = event.after;
  current.tree = event.after;
}

function waitEnded(state: RunState, waitedMs: number): void {
  state.waitedMs += waitedMs;
  if (state.current?.build?.kind === 'failed') state.current.paused = true;
  for (const [gate, verdict] of state.current?.verdicts ?? []) {
    if (verdict.kind === 'pending') state.current?.verdicts.delete(gate);
  }
}

function isPerformed(state: RunState, open: Decision, event: Event): boolean {
  const { current } = state;
  switch (open.kind) {
    case 'measure-baseline':
      return current?.iteration === 0 && current.confirmed !== null;
    case 'start-iteration':
      return current?.build != null && current.tree !== null;
    case 'judge':
      return open.gates.every((gate) => current?.verdicts.has(gate));
    case 'confirm':
      return event.kind === 'tree.confirmed';
    case 'wait':
      return event.kind === 'wait.ended';
    case 'end-run':
      return event.kind === 'run.ended';
    default:
      return unreachable(open);
  }
}

/** Takes the iteration that is over into what later ones are compared with. Runs once per iteration. */
function closeIteration(state: RunState, code: string): void {
  const { current } = state;
  if (!current || (current.build === null && current.iteration > 0)) {
    state.current = null;
    return;
  }
  const assessment = assess(state, current);
  state.last = assessment;
  state.lastClosed = current;
  const record = recordOf(assessment, code);
  if (current.iteration > 0) state.history.push(record);
  state.current = null;
  if (current.tree !== null) {
    state.seenWork.add(current.work);
    state.seenSubstance.add(current.substance);
  }
  if (!assessment.judged) return;
  if (current.iteration > 0) state.judged.push(record);
  state.lastJudged = assessment;
  state.lastJudgedWork = current.work;
  if (current.iteration === 0) state.baselineFailures = assessment.failures.size;
  state.seenFailures.add(`${assessment.failureKey}|${assessment.textKey}`);
  if (assessment.textKey !== null) state.seenText.add(assessment.textKey);
  if (assessment.progress === 'stand-in') state.standIns += 1;
  state.bestScore = Math.max(state.bestScore, assessment.score);
  rememberFindings(state, assessment);
  for (const { gate, passed, findings, verdict, level } of assessment.standings) {
    state.peaks.set(gate.name, Math.max(state.peaks.get(gate.name) ?? 0, findings.length));
    state.levels.set(gate.name, level);
    state.lastCounts.set(gate.name, { failures: findings.length, passed: passedTests(verdict) });
    if (current.iteration === 0) continue;
    const failed = verdict.kind === 'failed' || verdict.kind === 'timed-out';
    if (passed) state.attempts.set(gate.name, 0);
    else if (failed) state.attempts.set(gate.name, (state.attempts.get(gate.name) ?? 0) + 1);
    state.unableRow.set(gate.name, verdict.kind === 'unable' ? (state.unableRow.get(gate.name) ?? 0) + 1 : 0);
  }
  state.best = better(state.best, {
    iteration: current.iteration,
    tree: current.tree ?? '',
    rank: rankOf(assessment),
  });
}

function rememberFindings(state: RunState, { fixed, failures, loads, hidden, progress }: Assessment): void {
  if (progress === 'fixed') for (const key of fixed) state.counted.add(key);
  // What vanished from sight stays red until it is seen green.
  state.lastFailures = new Set([...failures, ...hidden]);
  state.lastLoads = new Set(loads);
}

/** Whether the gates write this path for themselves. */
export const isGateWrite = ({ gateWrites }: Pick<RunState, 'gateWrites'>, path: string): boolean =>
  gateWrites.has(pathShape(path));

/** The later of two equally good trees is the better one: it holds the newer work. */
export function better(before: BestTree | null, now: BestTree): BestTree {
  if (!before) return now;
  for (let at = 0; at < now.rank.length; at++) {
    const difference = now.rank[at]! - before.rank[at]!;
    if (difference !== 0) return difference < 0 ? now : before;
  }
  return now;
}
