import { completeSpec } from './aliases/complete-spec.ts';
import { assess } from './assess.ts';
import { closeIteration, settleMove } from './close-iteration.ts';
import type { Decision } from './decision.ts';
import type { EventOf } from './event.ts';
import { countUnheard, enterSession } from './spending.ts';
import { newCurrent } from './current.ts';
import { emptyState, type RunState } from './state.ts';
import type { Verdict } from './verdict.ts';

/** A linked run is folded after its parent, so its first event reopens the state it inherits. */
export function started(state: RunState, event: EventOf<'run.started'>): void {
  const before = state.ended;
  const isFork = event.parent !== undefined && before === null;
  const reopened = state.undo !== null || (isFork && isUnfinished(state));
  if (state.undo) reopenIteration(state, state.undo);
  else if (isFork) fork(state);
  state.parentRunId = event.parent?.runId ?? null;
  state.inPlaceOf = event.parent?.fork ? null : state.parentRunId;
  state.lineage = [...state.lineage, event.runId];
  state.begunAt ??= event.at;
  state.runId = event.runId;
  state.root = event.root;
  state.nonce = event.nonce;
  state.spec = completeSpec(event.spec);
  state.shutIn = event.sandbox ?? null;
  state.learned = event.learned ?? state.learned;
  state.open = null;
  state.ended = null;
  state.stop = null;
  state.held = null;
  state.paused = false;
  state.fault = null;
  state.waitedMs = 0;
  state.away = null;
  state.delivered = false;
  state.endTold = false;
  const granted = event.added?.iterations ?? 0;
  state.granted += granted;
  if (granted > 0) state.grantedUntil = state.iteration + granted;
  if (state.iteration === 0 && !state.touched) forgetBaseline(state);
  // A person who goes on after a verdict of no progress has seen it; the detectors begin anew from there.
  const wasStuck = before !== null && before.status !== 'stopped' && before.status !== 'suspended';
  if (wasStuck || granted > 0) beginWindow(state);
  if (reopened && state.current) state.open = reopening(state.current.iteration);
  state.undo = null;
}

/**
 * The run goes on from the middle of its parent. What was open there is over: an iteration whose agent had not begun is
 * given back, one whose agent was at work is used up, one that was built is judged anew. The agent's session knows of
 * what came later, so the next one begins without it.
 */
function fork(state: RunState): void {
  const { current } = state;
  enterSession(state, null);
  if (!current || current.iteration === 0) return;
  if (current.move !== null) closeIteration(state, `move.${current.move}`);
  else if (current.build !== null) reopenIteration(state, { ...state });
  else if (current.marker === null) neverBegan(state);
  else dropIteration(state);
}

/** Whether an iteration was built, and nothing was decided upon it yet. */
const isUnfinished = ({ current }: RunState): boolean =>
  current !== null && current.iteration > 0 && current.build !== null && current.move === null;

/** Nobody will hear what the agent used. */
function dropIteration(state: RunState): void {
  countUnheard(state);
  state.current = null;
}

/** An iteration that never took place: its number is free again, and what the agent left belongs to the next one. */
export function neverBegan(state: RunState): void {
  state.iteration -= 1;
  state.current = null;
}

/** Like the intent of an iteration that a crash cut short: what is missing of it is its snapshot. */
const reopening = (iteration: number): Decision => ({
  kind: 'start-iteration',
  iteration,
  because: {
    code: 'reopen',
    reason: 'the build was done before; it is judged now',
    confidence: 1,
    evidence: {},
    action: 'continue',
    also: [],
  },
});

/** A person changed something: detectors, strategies, the ladder and the gates' attempts begin anew. */
export function beginWindow(state: RunState): void {
  state.windowStart = state.iteration;
  state.attempts.clear();
  settleMove(state, 'none');
  state.tried = [];
}

/** Nothing has been built yet, and the workspace may be another one: nothing of the old baseline remains. */
function forgetBaseline(state: RunState): void {
  const { seq, lastAt, runId, root, nonce, spec, parentRunId, inPlaceOf, lineage, begunAt } = state;
  const { granted, grantedUntil } = state;
  // What the gates wrote lies there still, and is no work of anybody's.
  const { activeMs, redirect, redirects, shutIn, letters, gateWrites, learned } = state;
  const kept = {
    seq,
    lastAt,
    runId,
    root,
    nonce,
    spec,
    parentRunId,
    inPlaceOf,
    lineage,
    begunAt,
    granted,
    grantedUntil,
  };
  Object.assign(state, emptyState(), kept, {
    activeMs,
    redirect,
    redirects,
    shutIn,
    letters,
    gateWrites,
    learned,
  });
}

/** Whether the last iteration was done but not decided on: a person stopped, is waited for, or something failed. */
export function isUndecided(state: RunState, { status, code, goalSatisfied }: EventOf<'run.ended'>): boolean {
  const { current } = state;
  const built = current?.build?.kind === 'finished' || current?.build?.kind === 'interrupted';
  if (!current || !built || current.iteration === 0) return false;
  if (code.startsWith('awaiting-') || code === 'integrity.needs-grant') return true;
  // Something outside failed before anything was made of it: what was built is not paid for twice.
  if (status === 'error' || code === 'suspended.disk-full') return true;
  if (status !== 'stopped') return false;
  const pending = [...current.verdicts.values()].some((one) => one.kind === 'pending');
  return goalSatisfied || pending || !assess(state, current).judged;
}

/**
 * The iteration is as if it had not been closed; its tree is captured anew, since the workspace may be another
 * one by now, and its gates are judged, instead of paying for another build.
 */
function reopenIteration(state: RunState, before: RunState): void {
  const { seq, lastAt, ended } = state;
  Object.assign(state, before, { seq, lastAt, ended });
  const { current } = state;
  if (!current) return;
  const { iteration, build, claim, giveUp, similar } = current;
  const { outputBytes, tokens, costUsd, tookMs, at } = current;
  const done = { build, claim, giveUp, similar, outputBytes, tokens, costUsd, tookMs, at };
  state.current = { ...newCurrent(iteration), ...done };
}

const isCutOff = (verdict: Verdict): boolean => verdict.kind === 'skipped' && verdict.by === undefined;

/** A run that was cut short goes on: what it was doing when it was last alive has cost time, and an old stop is over. */
export function resumed(state: RunState, event: EventOf<'run.resumed'>): void {
  // Whoever goes on takes the work over.
  state.held = null;
  state.paused = false;
  state.activeMs += event.lostMs;
  state.waitedMs += event.waitedMs ?? 0;
  state.shutIn = event.sandbox ?? state.shutIn;
  state.stop = null;
  // Who resumes after a full disk has made room; the end that could not be written is not the end.
  if (state.fault?.fault.code === 'state.full') {
    state.fault = null;
    const { current } = state;
    state.open = current?.build && current.tree === null ? reopening(current.iteration) : null;
  }
  if (state.current) state.current.tookMs += event.lostMs;
  // What was cut off by a stop that is over has no verdict.
  for (const verdicts of [state.baseline, state.current?.verdicts ?? state.baseline])
    for (const [gate, verdict] of verdicts) if (isCutOff(verdict)) verdicts.delete(gate);
}
