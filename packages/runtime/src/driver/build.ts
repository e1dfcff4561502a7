import {
  agentOf,
  type BuildEnd,
  type Built,
  type Claim,
  defaultSignals,
  type EventBody,
  FaultError,
  findClaim,
  findGiveUp,
  invariant,
  jaccard,
  levenshteinRatio,
  type NamedGate,
  type RunState,
  sessionFor,
  similarity,
  similarityWindow,
  sketch,
  usedSince,
} from '@agentgate/core';
import { LiveText, safeText } from '../process/index.ts';
import type { Control } from './control.ts';
import { markerOf } from './marker.ts';
import type { Facts } from './perform.ts';
import type { Ports, Watcher } from './ports.ts';
import { takeSnapshot } from './snapshot.ts';

interface Words {
  prompt: string;
  feedback: string;
  /** How many redirects the prompt knows of. */
  redirects: number;
}

/** Lets the agent work once; an agent that a crash of ours cut short is ended and its work kept. */
export async function* buildFacts(
  state: RunState,
  words: Words,
  ports: Ports,
  control: Control,
  watcher: Watcher,
): Facts {
  const { current, runId } = state;
  invariant(current, 'an iteration is open while its agent works');
  if (current.build) return;
  const returned = current.marker === null ? null : (ports.returned?.(state) ?? null);
  if (returned) {
    yield builtFact(state, words, returned, ports);
    return;
  }
  // On a resume: an agent that had begun is over, and one that never came so far begins now.
  if (current.marker !== null && hasBegun(state, ports)) {
    yield interrupted(state);
    return;
  }
  const marker = markerOf(runId);
  // Words that come from here on are not in the prompt.
  const redirects = words.redirects;
  if (current.marker === null) {
    yield {
      kind: 'agent.started',
      iteration: current.iteration,
      marker,
      ...(ports.boot === undefined ? {} : { boot: ports.boot }),
      prompt: ports.store.keep(runId, words.prompt),
      ...(words.feedback === '' ? {} : { feedback: ports.store.keep(runId, words.feedback) }),
      redirects,
      ...sessionOf(state),
      ...(state.rung === 0 ? {} : { rung: state.rung }),
      ...(state.away === null ? {} : { start: state.away.times }),
    };
  }
  const built = await work(state, words, marker, ports, control, watcher);
  yield builtFact(state, words, await afterAll(state, built, ports), ports);
}

/** A machine that went down may have forgotten the mark of an agent; one that may have begun counts as begun. */
function hasBegun(state: RunState, { store, boot }: Ports): boolean {
  const before = state.current?.boot ?? null;
  const isOtherBoot = before !== null && boot !== undefined && before !== boot;
  return isOtherBoot || store.hasStarted(state.runId, startOf(state));
}

/** What the agent may run because it is judged by it. */
const commandsOf = (gate: NamedGate): string[] =>
  'run' in gate && gate.run !== undefined
    ? [typeof gate.run === 'string' ? gate.run : gate.run.join(' ')]
    : [];

const sessionOf = (state: RunState): { sessionId?: string } => {
  const sessionId = sessionFor(state);
  return sessionId === null ? {} : { sessionId };
};

async function work(
  state: RunState,
  words: Words,
  marker: string,
  ports: Ports,
  control: Control,
  watcher: Watcher,
): Promise<Built> {
  const { spec } = state;
  invariant(spec, 'a run starts with its spec');
  // Before the clock is set: a place that cannot be made leaves no timer behind that keeps the process.
  const scratch = ports.scratch();
  const abort = new AbortController();
  const step = control.during(['stop.requested', 'redirect.requested']);
  const onCut = () => abort.abort(step.signal.reason);
  step.signal.addEventListener('abort', onCut, { once: true });
  if (step.signal.aborted) onCut();
  if (state.redirect !== null) abort.abort('redirect');
  const deadline = ports.clock.after(spec.limits.wallClock - state.activeMs, () => abort.abort('wall-clock'));
  const live = new LiveText((text) => watcher.onOutput?.({ kind: 'agent' }, text));
  try {
    return await ports.build({
      spec: agentOf(spec.agent, state.rung),
      runId: state.runId,
      iteration: state.iteration,
      root: state.root,
      prompt: words.prompt,
      feedback: words.feedback,
      nonce: state.nonce,
      ...sessionOf(state),
      commands: spec.gates.flatMap(commandsOf),
      scratch: scratch.path,
      startMark: ports.store.startMark(state.runId, startOf(state)),
      marker,
      signal: abort.signal,
      keepFds: ports.keepFds,
      ...(ports.agentSandbox === undefined ? {} : { sandbox: ports.agentSandbox }),
      onOutput: (text) => live.take(text),
      onActivity: (activity) => watcher.onActivity?.(state.iteration, activity),
    });
  } finally {
    deadline.cancel();
    step.done();
    scratch.remove();
    live.end();
  }
}

/**
 * An agent that has changed something was there: what it left is an iteration's work and will be judged, whatever
 * it says about its quota. Only one that left everything as it was has not been available.
 */
async function afterAll(state: RunState, built: Built, ports: Ports): Promise<Built> {
  if (built.end.kind !== 'unavailable') return built;
  const before = state.startWork ?? state.history.at(-1)?.work ?? state.baseWork;
  if ((await workAt(state, ports)) === before) return built;
  return { ...built, end: { kind: 'failed', detail: `it stopped midway (${built.end.detail})` } };
}

/** What lies in the workspace; as before where the disk is too full to look, so that the word of the agent counts. */
async function workAt(state: RunState, ports: Ports): Promise<string> {
  try {
    return (await takeSnapshot(state, state.iteration, ports, '-away')).work;
  } catch (error) {
    if (!(error instanceof FaultError) || error.fault.code !== 'state.full') throw error;
    return state.startWork ?? state.history.at(-1)?.work ?? state.baseWork;
  }
}

/** Names one start of the agent: an iteration whose agent was not available is started again. */
const startOf = ({ iteration, away }: RunState): string =>
  away === null ? String(iteration) : `${iteration}.${away.times}`;

function builtFact(state: RunState, { prompt }: Words, built: Built, ports: Ports): EventBody {
  const output = safeText(built.output);
  const giveUp = built.giveUp ?? findGiveUp(output, { nonce: state.nonce, prompt })?.reason;
  const claim = claimOf(state, prompt, output, built);
  return {
    kind: 'agent.ended',
    iteration: state.iteration,
    end: withLastWords(built.end, output),
    tookMs: built.tookMs,
    output: keptOutput(state, output, ports),
    outputBytes: output.trim() === '' ? 0 : built.outputBytes,
    similar: similarToEarlier(state, output, ports),
    ...(claim ? { claim } : {}),
    ...(giveUp === undefined ? {} : { giveUp }),
    ...(built.asks === undefined ? {} : { asks: built.asks }),
    ...(built.proposal === undefined ? {} : { proposal: built.proposal }),
    ...spent(state, built),
    ...(built.sessionId === undefined ? {} : { sessionId: built.sessionId }),
    ...(built.total === undefined ? {} : { total: built.total }),
    ...(built.windows === undefined ? {} : { windows: [...built.windows] }),
    ...denials(built.denied ?? []),
  };
}

const mostDenials = 5;

function denials(denied: NonNullable<Built['denied']>): Pick<AgentEnded, 'denied'> {
  if (denied.length === 0) return {};
  const first = denied.slice(0, mostDenials).map(({ tool, what }) => ({
    tool: safeText(tool).slice(0, 80),
    what: safeText(what).slice(0, 200),
  }));
  return { denied: { times: denied.length, first } };
}

/** An agent that was stopped may not have come to telling what it used; it counts as the dearest one that told. */
function spent(state: RunState, built: Built): Partial<Spent> {
  const { end, tookMs, tokens, costUsd } = built;
  const told = {
    ...usedSince(state, built),
    ...(tokens === undefined ? {} : { tokens }),
    ...(costUsd === undefined ? {} : { costUsd }),
    ...(built.atLeast ? { atLeast: built.atLeast } : {}),
  };
  if (end.kind !== 'aborted' || tookMs === 0) return told;
  const guessed = guess(state.dearest);
  const isGuess = Object.keys(guessed).some((what) => !(what in told));
  return isGuess ? { ...guessed, ...told, estimated: true } : told;
}

const guess = ({ tokens, costUsd }: RunState['dearest']): Omit<Spent, 'estimated'> => ({
  ...(tokens === null ? {} : { tokens }),
  ...(costUsd === null ? {} : { costUsd }),
});

type AgentEnded = Extract<EventBody, { kind: 'agent.ended' }>;
type Spent = Pick<AgentEnded, 'tokens' | 'costUsd' | 'estimated' | 'atLeast'>;

/** That an agent has worked is recorded in any case, if need be without its words. */
function keptOutput({ runId }: RunState, output: string, { store }: Ports): string | null {
  if (output === '') return null;
  try {
    return store.keep(runId, output);
  } catch (error) {
    if (error instanceof FaultError && error.fault.code === 'state.full') return null;
    throw error;
  }
}

/** A failed agent's last line tells most of why it failed. */
function withLastWords(end: BuildEnd, output: string): BuildEnd {
  if (end.kind !== 'failed') return end;
  const line = output.trimEnd().split('\n').at(-1)?.trim() ?? '';
  return line === '' ? end : { ...end, detail: `${end.detail}: ${line.slice(0, 160)}` };
}

function claimOf(state: RunState, prompt: string, output: string, built: Built): Claim | null {
  if (built.claimed) {
    const proof = built.evidence === undefined ? {} : { evidence: built.evidence };
    return { signal: 'claim in the outcome file', channel: 'file', ...proof };
  }
  const strategy = state.spec?.strategy;
  const signals = strategy?.kind === 'ralph' ? strategy.signals : defaultSignals;
  const found = findClaim(output, { signals, prompt, nonce: state.nonce });
  return found ? { signal: found.signal, line: found.line, channel: found.channel } : null;
}

function similarToEarlier(state: RunState, output: string, ports: Ports): (number | null)[] {
  const { spec } = state;
  if (!spec || output.trim() === '') return [];
  const score = measureOf(spec.detectors['output-similarity']?.measure ?? 'shingles', output);
  const earlier = state.outputs.slice(-(similarityWindow(spec) - 1)).reverse();
  return earlier.map((ref) => {
    const text = ref === null ? null : ports.store.recall(state.runId, ref);
    return text === null || text.trim() === '' ? null : Math.round(score(text) * 10_000) / 10_000;
  });
}

function measureOf(
  measure: 'shingles' | 'jaccard' | 'levenshtein',
  output: string,
): (text: string) => number {
  if (measure === 'jaccard') return (text) => jaccard(output, text);
  if (measure === 'levenshtein') return (text) => levenshteinRatio(output, text);
  const mine = sketch(output);
  return (text) => similarity(mine, sketch(text));
}

/**
 * Its time was counted when the run went on. What it cost nobody can tell any more: it is taken to have cost as much as
 * the dearest one that told, so that no crash makes room under a limit.
 */
function interrupted(state: RunState): EventBody {
  const guessed = guess(state.dearest);
  return {
    kind: 'agent.ended',
    iteration: state.iteration,
    end: { kind: 'interrupted' },
    tookMs: 0,
    output: null,
    outputBytes: 0,
    similar: [],
    ...guessed,
    ...(Object.keys(guessed).length === 0 ? {} : { estimated: true }),
  };
}
