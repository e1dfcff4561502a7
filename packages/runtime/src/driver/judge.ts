import { createHash } from 'node:crypto';
import { availableParallelism } from 'node:os';
import {
  type Clock,
  type EventBody,
  type GateRequest,
  type NamedGate,
  type RunState,
  sparedVerdict,
} from '@agentgate/core';
import { LiveText, safeText } from '../process/index.ts';
import type { Control } from './control.ts';
import { markerOf } from './marker.ts';
import type { Facts } from './perform.ts';
import type { Ports, Watcher } from './ports.ts';
import { runView } from './run-view.ts';
import { compareFact, isChanged, judgeSealed } from './sealed.ts';

/** A gate without a time-out of its own gets the larger of five minutes and three times its baseline. */
const leastTimeoutMs = 5 * 60_000;
const baselineTimeoutMs = 15 * 60_000;
const finishMs = 10_000;

/** What is judged: one tree, in one attempt. */
export interface Judged {
  iteration: number;
  attempt: number;
  tree: string;
  /** Neither a condition nor an earlier verdict spares a gate now. */
  unspared?: true | undefined;
  /** The second judgement for certainty: the runner itself is put to the test, too. */
  second?: boolean;
}

type JudgedFact = Extract<EventBody, { kind: 'gate.judged' }>;

/** Judges the gates in their order; those that may run beside each other do. */
export async function* judgeFacts(
  state: RunState,
  names: readonly string[],
  at: Judged,
  ports: Ports,
  control: Control,
  watcher: Watcher,
): Facts {
  const words =
    at.iteration === 0 ? (['stop.requested'] as const) : (['stop.requested', 'redirect.requested'] as const);
  const step = control.during(words);
  const open = (state.spec?.gates ?? []).filter(
    (gate) => names.includes(gate.name) && !state.current?.verdicts.has(gate.name),
  );
  try {
    const compared = await compareFact(state, at, ports);
    if (compared) yield compared;
    while (open.length > 0) {
      // Two forms of the tree are judged one after the other; no gate may be at work in the one meanwhile.
      const batch = open.splice(0, isChanged(state) ? 1 : batchSize(open));
      yield* asTheyCome(
        batch.map((gate) => judgeOne(state, gate, at, ports, step.signal, watcher)),
        ports.clock,
      );
    }
  } finally {
    step.done();
    await ports.seal?.rest();
  }
}

/** How many gates from the first on may run at once. A gate that decides about others runs alone. */
function batchSize(gates: readonly NamedGate[]): number {
  const width = Math.max(2, Math.min(4, availableParallelism()));
  let size = 0;
  while (size < width && size < gates.length && isIndependent(gates[size]!)) size++;
  return Math.max(1, size);
}

const quiet: readonly string[] = ['artifact', 'approval', 'convergence', 'http', 'ci'];

function isIndependent(gate: NamedGate): boolean {
  if (gate.skipIf !== undefined || gate.onSuccess === 'skip-remaining') return false;
  return gate.parallel ?? quiet.includes(gate.kind);
}

/** Each fact as soon as it is one, so that a crash loses no verdict that was there. */
async function* asTheyCome(work: Promise<JudgedFact>[], clock: Clock): AsyncGenerator<JudgedFact> {
  let fromMs = clock.monoMs();
  const running = new Map(work.map((one, at) => [at, one.then((fact) => ({ at, fact }))]));
  // A fault of one is thrown in its turn; the others are waited for, so that nothing runs on behind our back.
  const settled = Promise.allSettled(work);
  try {
    while (running.size > 0) {
      const { at, fact } = await Promise.race(running.values());
      running.delete(at);
      const nowMs = clock.monoMs();
      // Side by side their own times overlap; for the run only what passed counts.
      yield work.length === 1 ? fact : { ...fact, activeMs: Math.min(fact.tookMs, nowMs - fromMs) };
      fromMs = nowMs;
    }
  } finally {
    await settled;
  }
}

async function judgeOne(
  state: RunState,
  gate: NamedGate,
  at: Judged,
  ports: Ports,
  signal: AbortSignal,
  watcher: Watcher,
): Promise<JudgedFact> {
  const { iteration, attempt, tree } = at;
  const fact = { kind: 'gate.judged', iteration, attempt, gate: gate.name, tree } as const;
  const unjudged = { tookMs: 0, output: null } as const;
  if (signal.aborted) {
    return { ...fact, ...unjudged, verdict: { kind: 'skipped', why: 'the run was stopped' } };
  }
  const unspared = at.unspared === true || iteration === 0;
  const verdicts = state.current?.verdicts ?? new Map();
  const spared = sparedVerdict(gate, { spec: state.spec!, iteration, verdicts, unspared });
  if (spared) return { ...fact, ...unjudged, verdict: spared };
  const inputsKey = await keyOf(gate, state.current?.tree ?? tree, ports);
  const before = state.passes.get(gate.name);
  if (inputsKey !== null && before?.key === inputsKey && !unspared) {
    return { ...fact, ...unjudged, verdict: before.verdict, inputsKey, cached: true };
  }
  const isPushed = gate.kind === 'ci' && gate.ref === undefined && iteration > 0;
  const drafted = isPushed ? await ports.draft?.(state, tree, signal) : undefined;
  if (drafted?.kind === 'not') return { ...fact, ...unjudged, verdict: drafted.verdict };
  const asked: NamedGate = drafted && gate.kind === 'ci' ? { ...gate, ref: drafted.commit } : gate;
  const live = new LiveText((text) => watcher.onOutput?.({ kind: 'gate', gate: gate.name }, text));
  const request: GateRequest = {
    ...requestFor(state, asked, at, ports, signal),
    onOutput: (text) => live.take(text),
  };
  const { output, feedback, ...judged } = await judgeSealed(state, request, at, ports);
  live.end();
  return {
    ...fact,
    ...judged,
    output: output === '' ? null : ports.store.keep(state.runId, safeText(output)),
    ...(inputsKey === null ? {} : { inputsKey }),
    ...(feedback === undefined ? {} : { feedback: safeText(feedback) }),
  };
}

/** How the gates answer on the tree from before the run. */
export async function* controlFacts(
  state: RunState,
  { iteration, tree, gates }: { iteration: number; tree: string; gates: readonly string[] },
  ports: Ports,
  control: Control,
): Facts {
  const step = control.during(['stop.requested']);
  try {
    for (const gate of state.spec?.gates ?? []) {
      if (!gates.includes(gate.name) || state.current?.controls.has(gate.name)) continue;
      const request = requestFor(state, gate, { iteration, tree }, ports, step.signal);
      const rung = state.gateRungs.get(gate.name) ?? 'in-place';
      const runner = state.gateRunners.get(gate.name);
      const { verdict, tookMs } = await ports.seal!.judge(request, {
        tree,
        baseTree: tree,
        form: 'base',
        rung,
        // The same report as before, or its findings would have other names.
        ...(runner ? { runner } : {}),
      });
      yield { kind: 'control.judged', iteration, gate: gate.name, verdict, tookMs };
    }
  } finally {
    step.done();
    await ports.seal?.rest();
  }
}

function requestFor(
  state: RunState,
  gate: NamedGate,
  at: { iteration: number; tree: string },
  ports: Ports,
  signal: AbortSignal,
): GateRequest {
  return {
    gate,
    root: state.root,
    run: runView(state, gate.name, at, ports.workspace),
    timeoutMs: timeoutFor(state, gate, at.iteration),
    marker: markerOf(state.runId),
    signal,
    keepFds: ports.keepFds,
  };
}

/** A key of the gate itself and of all its inputs; null when it does not say what they are. */
async function keyOf(gate: NamedGate, tree: string, ports: Ports): Promise<string | null> {
  const patterns = gate.inputs ?? (gate.when === 'on-change' ? ['**'] : null);
  if (patterns === null) return null;
  const inputs = await ports.workspace.inputsKey(tree, patterns);
  if (inputs === '') return null;
  return createHash('sha256')
    .update(`${JSON.stringify(gate)}\n${inputs}`)
    .digest('hex')
    .slice(0, 40);
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
