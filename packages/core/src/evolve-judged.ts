import { pathShape } from './assess.ts';
import type { EventOf } from './event.ts';
import type { RunState } from './state.ts';

/** The tree that an iteration left. */
export function snapshotTaken(state: RunState, event: EventOf<'snapshot.taken'>): void {
  state.activeMs += event.tookMs;
  state.atHand = event.tree;
  if (!state.current) return;
  state.current.tree = event.tree;
  state.current.work = event.work;
  state.current.substance = event.substance;
  state.current.changed = event.changed;
  if (event.iteration > 0) return;
  state.baseTree = event.tree;
  state.firstTree ??= event.tree;
  state.baseWork = event.work;
  // Verdicts on an earlier tree, from before a crash, are no baseline of this one.
  state.baseline.clear();
  state.current.verdicts.clear();
}

/** What a gate said about it. */
export function gateJudged(state: RunState, event: EventOf<'gate.judged'>): void {
  state.activeMs += event.activeMs ?? event.tookMs;
  if (event.iteration === 0) {
    state.baseline.set(event.gate, event.verdict);
    state.gateMs.set(event.gate, event.tookMs);
    if (event.blind) state.blind.add(event.gate);
    if (event.runner !== undefined) state.gateRunners.set(event.gate, event.runner);
    if (event.cases !== undefined) state.baseCases.set(event.gate, event.cases);
    if (event.scope !== undefined) state.baseScopes.set(event.gate, event.scope);
    if (event.coverage !== undefined) state.baseCoverage.set(event.gate, event.coverage);
  }
  rememberPass(state, event);
  if (!state.current) return;
  state.current.verdicts.set(event.gate, event.verdict);
  if (event.cached) state.current.cached.add(event.gate);
  if (event.feedback !== undefined) state.current.gateWords.set(event.gate, event.feedback);
  if (event.unsealed !== undefined) state.current.unsealed.set(event.gate, event.unsealed);
  if (!event.cached) state.current.times.set(event.gate, (state.current.times.get(event.gate) ?? 0) + 1);
  put(state.current.unchecked, event.gate, event.unchecked);
  put(state.current.coverage, event.gate, event.coverage);
  if (event.rung !== undefined) state.gateRungs.set(event.gate, event.rung);
  state.current.tookMs += event.tookMs;
}

function put<T>(map: Map<string, T>, key: string, value: T | undefined): void {
  if (value === undefined) map.delete(key);
  else map.set(key, value);
}

/** Only a green verdict on inputs that were never red may be used again. */
function rememberPass(state: RunState, { gate, inputsKey, verdict, cached }: EventOf<'gate.judged'>): void {
  if (inputsKey === undefined || cached) return;
  const inputs = `${gate}\u0000${inputsKey}`;
  if (verdict.kind === 'failed' || verdict.kind === 'timed-out') state.redInputs.add(inputs);
  if (verdict.kind === 'passed' && !state.redInputs.has(inputs))
    state.passes.set(gate, { key: inputsKey, verdict });
  else if (verdict.kind !== 'skipped') state.passes.delete(gate);
}

/** Whoever edits on and on gets a baseline all the same. */
const mostBaselines = 5;

/** What lies there after the gates have run. */
export function treeConfirmed(state: RunState, event: EventOf<'tree.confirmed'>): void {
  const { current } = state;
  state.atHand = event.after;
  if (!current) return;
  const { movedBefore } = current;
  const before = new Set(movedBefore.map(pathShape));
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
    current.cached.clear();
    current.unsealed.clear();
    current.unchecked.clear();
    current.times.clear();
    current.controls.clear();
    current.integrity = null;
    current.second = false;
    current.answer = null;
    current.advice = null;
    current.toldWaiting = false;
    current.attempt += 1;
    return;
  }
  state.baseTree = event.after;
  current.tree = event.after;
  // Somebody wrote to the user's own files meanwhile: what the gates said is not about this tree. What moves with
  // every judgement, the gates write themselves.
  const isEdited = event.moved.some((path) => !event.fresh.includes(path) && !movedBefore.includes(path));
  if (!isEdited || current.attempt >= mostBaselines) return;
  current.attempt += 1;
  current.confirmed = null;
  current.verdicts.clear();
  state.baseline.clear();
}

/** Whether the gates write this path for themselves. */
export const isGateWrite = ({ gateWrites }: Pick<RunState, 'gateWrites'>, path: string): boolean =>
  gateWrites.has(pathShape(path));
