import {
  assess,
  type Consulted,
  composeFeedback,
  composePrompt,
  contextFor,
  type Decision,
  type EventBody,
  FaultError,
  fault,
  invariant,
  makeEnding,
  type RunState,
  unreachable,
} from '@agentgate/core';
import { buildFacts } from './build.ts';
import type { Control } from './control.ts';
import { controlFacts, judgeFacts } from './judge.ts';
import { openParting, type Parting } from './parting.ts';
import type { Ports, Watcher } from './ports.ts';
import { confirmTree, takeSnapshot } from './snapshot.ts';

export type Facts = AsyncGenerator<EventBody>;

/** A strategy outside of the core is given so much of the agent's newest output. */
const shownOutput = 100_000;

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
      const composed = composeFeedback(state);
      const feedback = ports.feedback ? await ports.feedback(state, composed) : composed;
      const prompt = composePrompt(state, feedback);
      const redirects = state.redirects.length;
      yield* buildFacts(state, { feedback, prompt, redirects }, ports, control, watcher);
      if (state.current?.build && state.current.tree === null)
        yield await takeSnapshot(state, decision.iteration, ports);
      return;
    }
    case 'judge': {
      const at = { ...decision, second: decision.because.code === 'judge.second' };
      return yield* judgeFacts(state, decision.gates, at, ports, control, watcher);
    }
    case 'control':
      return yield* controlFacts(state, decision, ports, control);
    case 'confirm':
      yield await confirmTree(state, decision, ports);
      return;
    case 'consult':
      yield await consulted(state, decision.iteration, ports, control);
      return;
    case 'ask':
      yield await answered(decision, ports, control);
      return;
    case 'make-move':
      yield await moved(state, decision, ports);
      return;
    case 'notify':
      yield await notified(state, decision, ports, control);
      return;
    case 'wait':
      yield await waited(waitMs(decision, ports), ports, control);
      return;
    case 'end-run':
      return yield* endFacts(state, decision, ports, control);
    default:
      unreachable(decision);
  }
}

async function* baselineFacts(state: RunState, ports: Ports, control: Control, watcher: Watcher): Facts {
  const { current, spec } = state;
  invariant(current && spec, 'the baseline is measured on an open iteration 0');
  // After a crash the tree may be another one than was recorded; a baseline is measured on one tree.
  const snapshot = await takeSnapshot(state, 0, ports);
  if (await isOther(current.tree, snapshot.tree, ports)) yield snapshot;
  const names = spec.gates.map((gate) => gate.name).filter((name) => !current.verdicts.has(name));
  const at = { iteration: 0, attempt: 1, tree: current.tree ?? '' };
  yield* judgeFacts(state, names, at, ports, control, watcher);
  yield await confirmTree(state, at, ports);
}

/** A file that was not there is what a gate wrote before the crash: nobody else was at work. */
async function isOther(before: string | null, now: string, { workspace }: Ports): Promise<boolean> {
  if (before === null) return true;
  return (await workspace.changedPaths(before, now)).some(({ status }) => status !== 'added');
}

async function consulted(
  state: RunState,
  iteration: number,
  { advisor, store, clock }: Ports,
  control: Control,
): Promise<EventBody> {
  invariant(advisor && state.current, 'a strategy outside of the core is asked about an iteration');
  const ref = state.outputs.at(-1) ?? null;
  const output = ref === null ? null : (store.recall(state.runId, ref)?.slice(-shownOutput) ?? null);
  const context = contextFor(state, assess(state, state.current), output);
  const fromMs = clock.monoMs();
  const asked = advisor.consult({
    runId: state.runId,
    root: state.root,
    context,
    state: state.strategyState,
  });
  const {
    answer,
    tookMs,
    state: left,
  } = await Promise.race([asked, stopped(control, () => clock.monoMs() - fromMs)]);
  const fact = { kind: 'strategy.answered', iteration, answer, tookMs } as const;
  return left === undefined ? fact : { ...fact, state: left };
}

/** A stop does not wait for a strategy to think. */
function stopped({ signal }: Control, tookMs: () => number): Promise<Consulted> {
  const answer = { kind: 'failed', fault: fault('strategy.stopped', 'the run was stopped') } as const;
  return new Promise((done) => {
    const stop = () => done({ answer, tookMs: tookMs() });
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });
}

/** Waits for a person; a stop or a redirect is an answer too, and silence means the default. */
async function answered(
  decision: Extract<Decision, { kind: 'ask' }>,
  { clock }: Ports,
  control: Control,
): Promise<EventBody> {
  const fact = { kind: 'person.answered', iteration: decision.iteration } as const;
  const untilMs = clock.monoMs() + decision.forMs;
  for (;;) {
    const step = control.during(['stop.requested', 'redirect.requested', 'answer']);
    try {
      await clock.sleep(Math.max(0, untilMs - clock.monoMs()), step.signal);
      const said = control.takeAnswer();
      if (said && (said.iteration ?? decision.iteration) === decision.iteration) {
        const { iteration: _, ...answer } = said;
        return { ...fact, ...answer };
      }
      // An answer to an earlier question is none to this one.
      if (said) continue;
      if (!step.signal.aborted) return { ...fact, answer: decision.default, by: 'timeout' };
      return { ...fact, answer: step.signal.reason === 'redirect' ? 'redirect' : 'stop', by: 'command' };
    } finally {
      step.done();
    }
  }
}

/** Only going back changes the world; the other moves are words for the next iteration. */
async function moved(
  state: RunState,
  { iteration, move, tree }: Extract<Decision, { kind: 'make-move' }>,
  ports: Ports,
): Promise<EventBody> {
  const fact = { kind: 'move.made', iteration, move } as const;
  if (tree === undefined) return fact;
  // A revert that a crash cut short is made again; what was kept before the first one stays kept.
  const kept = `runs/${state.runId}/${iteration}-before-revert-${ports.clock.wallMs()}`;
  try {
    const before = await ports.workspace.restore(tree, kept);
    const at = await takeSnapshot(state, iteration, ports, '-reverted');
    const safety = (before as { safety?: string } | undefined)?.safety;
    const found = { tree: at.tree, work: at.work, substance: at.substance };
    return { ...fact, ...found, ...(safety === undefined ? {} : { before: safety }) };
  } catch (error) {
    // A way that is blocked is no reason to give up the others.
    if (!(error instanceof FaultError) || error.fault.code === 'state.unwritable') throw error;
    return { ...fact, problem: error.fault.message };
  }
}

async function notified(
  state: RunState,
  { about, iteration, gates, because }: Extract<Decision, { kind: 'notify' }>,
  ports: Ports,
  control: Control,
): Promise<EventBody> {
  const request = { about, runId: state.runId, iteration, gates, text: because.reason };
  const ways = await ports.notify(request, control.signal);
  return { kind: 'notified', about, iteration, gates, ways };
}

/** The pause after a failed build is a door's to shorten; every other wait is as long as was decided. */
function waitMs({ forMs, because }: Extract<Decision, { kind: 'wait' }>, { longestPauseMs }: Ports): number {
  return because.code === 'pause' ? Math.min(forMs, longestPauseMs ?? forMs) : forMs;
}

/** Any word of a person ends a wait: it may be what was waited for. */
async function waited(forMs: number, { clock }: Ports, control: Control): Promise<EventBody> {
  const step = control.during(['stop.requested', 'redirect.requested', 'approval.given']);
  const from = clock.monoMs();
  try {
    await clock.sleep(forMs, step.signal);
    return { kind: 'wait.ended', waitedMs: clock.monoMs() - from };
  } finally {
    step.done();
  }
}

/** What the end of a run brings along comes before it, since nothing follows it. */
async function* endFacts(
  state: RunState,
  decision: Extract<Decision, { kind: 'end-run' }>,
  ports: Ports,
  control: Control,
): Facts {
  const ending = makeEnding(state, decision);
  const parting = openParting(control, ports.clock);
  try {
    yield* partingFacts(state, decision, ending, ports, parting);
  } finally {
    parting.close();
  }
  yield ending;
}

async function* partingFacts(
  state: RunState,
  decision: Extract<Decision, { kind: 'end-run' }>,
  ending: ReturnType<typeof makeEnding>,
  ports: Ports,
  until: Parting,
): Facts {
  const { runId, iteration } = state;
  // What is not done is handed on as the best of it.
  const tree = ending.status === 'converged' ? ending.tree : (ending.best?.tree ?? ending.tree);
  if (tree !== null && !state.delivered) {
    const delivered = await ports.deliver({ runId, tree, ending: decision, state }, until.delivery);
    if (delivered) yield delivered;
  }
  if (state.endTold) return;
  const { status, code, reason, caveats } = ending;
  const outcome = { status, code, reason, caveats };
  const text = `${status}: ${reason}`;
  const ways = await ports.notify({ about: 'end', runId, iteration, gates: [], text, outcome }, until.notice);
  if (ways.length > 0) yield { kind: 'notified', about: 'end', iteration, gates: [], ways };
}
