import {
  type Added,
  type Event,
  type EventBody,
  FaultError,
  fault,
  fold,
  type Learned,
  type RunSpec,
  type RunState,
  type ShutIn,
  type StrategySpec,
  withGrant,
} from '@agentgate/core';
import { specHash } from '../spec/hash.ts';
import { type RunStore, readHistory } from '../store/index.ts';
import { forgetStops } from './inbox.ts';
import { resumption } from './resumption.ts';

/** What a run needs of the world in order to begin or to go on. */
export interface Threshold {
  store: RunStore;
  root: string;
  version: string;
  pid: number;
  /** The id of a run that goes on from another; without it the store finds one. */
  newId?(): string;
  /** What was learned from earlier runs, for strategies that ask. */
  learned?(strategy: StrategySpec, runId: string): Learned | undefined;
  /** A word that nobody can know beforehand. */
  nonce(): string;
  /** Ends whatever the processes of a run left behind when it was cut short. */
  endLeftovers(runId: string): Promise<unknown>;
}

/** What a session drives: a run that has just been written down, or one that goes on. */
export interface Begun<S> {
  runId: string;
  spec: RunSpec;
  sandbox: S;
  /** What has just been recorded. */
  events: readonly Event[];
  /** All of its history, folded. */
  state: RunState;
}

/** How the agent and the gates are shut in, as far as the log is concerned. */
interface Shut {
  shutIn: ShutIn;
}

/** What a person says when going on with a run. */
export interface Said {
  redirect?: string;
  grant?: Omit<Extract<EventBody, { kind: 'grant.given' }>, 'kind'>;
}

/** Writes down the first event of a run. */
export async function beginRun<S extends Shut>(
  threshold: Threshold,
  runId: string,
  { spec, hash, source, sandbox }: { spec: RunSpec; hash: string; source: string; sandbox: S },
): Promise<Begun<S>> {
  const { store } = threshold;
  store.reserve();
  store.create(runId);
  const first = firstEvent(threshold, runId, { spec, specHash: hash, source, sandbox: sandbox.shutIn });
  const learned = threshold.learned?.(spec.strategy, runId);
  const events = await store.append(runId, 0, [learned ? { ...first, learned } : first]);
  return { runId, spec, sandbox, events, state: fold(events) };
}

/** How a run goes on. */
export interface GoOn<S> {
  added: Added;
  said: Said;
  shut: (spec: RunSpec) => Promise<S>;
  /** The last event that counts: a new run goes on from there, whatever came after it. */
  fromEvent?: number | undefined;
}

/** Goes on with a run: one that was cut short where it stood, an ended or forked one as a new run linked to it. */
export async function goOnWith<S extends Shut>(
  threshold: Threshold,
  runId: string,
  { added, said, shut, fromEvent }: GoOn<S>,
): Promise<Begun<S>> {
  const { store } = threshold;
  forgetStops(store, runId);
  store.reserve();
  store.settle(runId, fromEvent);
  const state = fold(await readHistory(store, runId, fromEvent));
  const isFork = fromEvent !== undefined;
  const spec = resumable(state, runId, isFork ? null : { last: await lastOf(store, state) }, added);
  const sandbox = await shut(spec);
  if (isFork) await threshold.endLeftovers(runId);
  const begun =
    state.ended || isFork
      ? await link(threshold, state, { added, isFork, sandbox })
      : await goOn(threshold, state, { spec, sandbox });
  const words = wordsOf(said);
  if (words.length === 0) return begun;
  const heard = await store.append(begun.runId, begun.state.seq, words);
  return { ...begun, events: [...begun.events, ...heard], state: fold(heard, begun.state) };
}

function wordsOf({ redirect, grant }: Said): EventBody[] {
  return [
    ...(redirect === undefined
      ? []
      : [{ kind: 'redirect.requested', by: 'command', text: redirect } as const]),
    ...(grant === undefined ? [] : [{ kind: 'grant.given', ...grant } as const]),
  ];
}

/** The run at the end of all those that a run went on as; null where it did not go on. */
async function lastOf(store: RunStore, state: RunState): Promise<RunState | null> {
  let last: RunState | null = null;
  for (let at = state; at.ended; at = last) {
    const next = store.childOf(at.runId, at.seq);
    if (next === null) return last;
    last = fold(await readHistory(store, next));
  }
  return last;
}

/** The spec that a run goes on with. `known` is null for a fork, which a person makes on purpose. */
function resumable(
  state: RunState,
  runId: string,
  known: { last: RunState | null } | null,
  added: Added,
): RunSpec {
  const refuse = (code: string, why: string) => new FaultError(fault(code, `run ${runId} ${why}`));
  if (!state.spec) throw refuse('run.empty', 'never started; begin a new one with agentgate run');
  if (known?.last) {
    const { runId: last, ended } = known.last;
    const next =
      ended?.status === 'converged'
        ? ', which has converged; begin a new one with agentgate run'
        : `; resume that one: agentgate resume ${last}`;
    throw refuse('run.linked', `went on as run ${last}${next}`);
  }
  if (state.ended?.status === 'converged') {
    throw refuse('run.converged', 'has converged already; begin a new one with agentgate run');
  }
  if (known && !state.ended && Object.keys(added).length > 0) {
    throw refuse('run.open', 'was cut short; resume it first without adding to its limits');
  }
  const { tokens, cost } = state.spec.limits;
  if (added.tokens !== undefined && tokens === undefined)
    throw refuse('usage', 'has no limit on tokens to add to');
  if (added.costUsd !== undefined && cost === undefined)
    throw refuse('usage', 'has no limit on money to add to');
  return state.spec;
}

/** Where the run stood when it was cut short: its leftovers are ended, and the time it was alive is counted. */
async function goOn<S extends Shut>(
  { store, endLeftovers, pid, version }: Threshold,
  state: RunState,
  { spec, sandbox }: { spec: RunSpec; sandbox: S },
): Promise<Begun<S>> {
  await endLeftovers(state.runId);
  const resumed = { ...resumption(store, state, { pid, version }), sandbox: sandbox.shutIn };
  const events = await store.append(state.runId, state.seq, [resumed]);
  return { runId: state.runId, spec, sandbox, events, state: fold(events, state) };
}

async function link<S extends Shut>(
  threshold: Threshold,
  state: RunState,
  { added, isFork, sandbox }: { added: Added; isFork: boolean; sandbox: S },
): Promise<Begun<S>> {
  const { store } = threshold;
  const runId = threshold.newId?.() ?? store.newId();
  const spec = withGrant(state.spec!, added);
  store.create(runId);
  const first = firstEvent(threshold, runId, {
    spec,
    specHash: specHash(spec),
    source: `run ${state.runId}`,
    sandbox: sandbox.shutIn,
  });
  const granted = Object.keys(added).length > 0 ? { added } : {};
  const hash = store.chainHash(state.runId, state.seq);
  const parent = { runId: state.runId, seq: state.seq, hash, ...(isFork ? { fork: true as const } : {}) };
  const events = await store.append(runId, 0, [{ ...first, nonce: state.nonce, parent, ...granted }]);
  return { runId, spec, sandbox, events, state: fold(events, state) };
}

function firstEvent(
  { root, version, nonce, store }: Threshold,
  runId: string,
  rest: { spec: RunSpec; specHash: string; source: string; sandbox: ShutIn },
): Extract<EventBody, { kind: 'run.started' }> {
  const number = store.nextNumber();
  return { kind: 'run.started', number, runId, version, root, nonce: nonce(), ...rest };
}
