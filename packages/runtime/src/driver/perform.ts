import {
  composeFeedback,
  composePrompt,
  type Decision,
  type EventBody,
  type GateSpec,
  invariant,
  makeEnding,
  type RunState,
  unreachable,
} from '@agentgate/core';
import { cleanText } from '../process/index.ts';
import { buildFacts } from './build.ts';
import { markerOf } from './marker.ts';
import type { Control } from './control.ts';
import type { Ports, Watcher } from './ports.ts';
import { confirmTree, takeSnapshot } from './snapshot.ts';

type NamedGate = GateSpec & { name: string };
export type Facts = AsyncGenerator<EventBody>;

/** A gate without a time-out of its own gets the larger of five minutes and three times its baseline. */
const leastTimeoutMs = 5 * 60_000;
const baselineTimeoutMs = 15 * 60_000;
const finishMs = 10_000;

/**
 * Does what was decided and yields each fact as it becomes one. The caller records a fact before the next
 * step begins, so that after a crash only what is missing is done.
 */
export async function* perform(
  state: RunState,
  decision: Decision,
  ports: Ports,
  control: Control,
  watcher: Watcher,
): Facts {
  switch (decision.kind) {
    case 'measure-baseline':
      return yield* baselineFacts(state, ports, control, watcher);
    case 'start-iteration': {
      const feedback = composeFeedback(state);
      const prompt = composePrompt(state, feedback);
      yield* buildFacts(state, { feedback, prompt }, ports, control, watcher);
      if (state.current?.tree === null) yield await takeSnapshot(state, decision.iteration, ports);
      return;
    }
    case 'judge':
      return yield* judgeFacts(state, decision.gates, decision, ports, control, watcher);
    case 'confirm':
      yield await confirmTree(state, decision, ports);
      return;
    case 'wait': {
      const from = ports.clock.monoMs();
      await ports.clock.sleep(decision.forMs, control.signal);
      yield { kind: 'wait.ended', waitedMs: ports.clock.monoMs() - from };
      return;
    }
    case 'end-run':
      yield makeEnding(state, decision);
      return;
    default:
      unreachable(decision);
  }
}

async function* baselineFacts(state: RunState, ports: Ports, control: Control, watcher: Watcher): Facts {
  const { current, spec } = state;
  invariant(current && spec, 'the baseline is measured on an open iteration 0');
  // After a crash the tree may be another one than was recorded; a baseline is measured on one tree.
  const snapshot = await takeSnapshot(state, 0, ports);
  if (snapshot.tree !== current.tree) yield snapshot;
  const names = spec.gates.map((gate) => gate.name).filter((name) => !current.verdicts.has(name));
  const at = { iteration: 0, attempt: 1, tree: current.tree ?? '' };
  yield* judgeFacts(state, names, at, ports, control, watcher);
  yield await confirmTree(state, at, ports);
}

async function* judgeFacts(
  state: RunState,
  names: readonly string[],
  at: { iteration: number; attempt: number; tree: string },
  ports: Ports,
  control: Control,
  watcher: Watcher,
): Facts {
  for (const gate of state.spec?.gates ?? []) {
    if (!names.includes(gate.name) || state.current?.verdicts.has(gate.name)) continue;
    yield await judgeOne(state, gate, at, ports, control, watcher);
  }
}

async function judgeOne(
  state: RunState,
  gate: NamedGate,
  { iteration, attempt, tree }: { iteration: number; attempt: number; tree: string },
  ports: Ports,
  control: Control,
  watcher: Watcher,
): Promise<EventBody> {
  const fact = { kind: 'gate.judged', iteration, attempt, gate: gate.name, tree } as const;
  if (control.signal.aborted) {
    return { ...fact, verdict: { kind: 'skipped', why: 'the run was stopped' }, tookMs: 0, output: null };
  }
  const { verdict, tookMs, output } = await ports.judge({
    gate,
    root: state.root,
    timeoutMs: timeoutFor(state, gate, iteration),
    marker: markerOf(state.runId),
    signal: control.signal,
    keepFds: ports.keepFds,
    onOutput: (text) => watcher.onOutput?.({ kind: 'gate', gate: gate.name }, text),
  });
  return {
    ...fact,
    verdict,
    tookMs,
    output: output === '' ? null : ports.store.keep(state.runId, cleanText(output)),
  };
}

/**
 * The gate's own time-out, cut by the wall clock. A judgement that is under way when the time is used may still
 * finish, within three times what the gate took before anyone worked and a little more.
 */
function timeoutFor(state: RunState, gate: NamedGate, iteration: number): number {
  const left = (state.spec?.limits.wallClock ?? 0) - state.activeMs;
  if (iteration === 0) return Math.max(1, Math.min(gate.timeout ?? baselineTimeoutMs, left));
  const usualMs = 3 * (state.gateMs.get(gate.name) ?? 0);
  const own = gate.timeout ?? Math.max(leastTimeoutMs, usualMs);
  return Math.min(own, Math.max(left, usualMs + finishMs));
}
