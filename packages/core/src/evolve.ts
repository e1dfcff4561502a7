import { closeIteration, settleMove } from './close-iteration.ts';
import type { Decision } from './decision.ts';
import type { BuildEnd, Event, EventOf } from './event.ts';
import { gateJudged, snapshotTaken, treeConfirmed } from './evolve-judged.ts';
import { unreachable } from './fault.ts';
import { beginWindow, isUndecided, neverBegan, resumed, started } from './go-on.ts';
import { countSession, countSpending, enterSession } from './spending.ts';
import { newCurrent } from './current.ts';
import { emptyState, type RunState } from './state.ts';

/** Folds a history into the state it describes. Any prefix of a history folds. */
export function fold(events: Iterable<Event>, from: RunState = emptyState()): RunState {
  let state = from;
  for (const event of events) state = evolve(state, event);
  return state;
}

/** What persons say; it takes no time of the run. */
const words: ReadonlySet<string> = new Set([
  'stop.requested',
  'redirect.requested',
  'approval.given',
  'grant.given',
]);

/** Takes one event into the state. Extends the given state, which belongs to the caller's fold. */
export function evolve(state: RunState, event: Event): RunState {
  state.seq = event.seq;
  state.lastAt = event.at;
  if (state.current) state.current.at = event.at;
  if ('letter' in event && event.letter !== undefined) state.letters.add(event.letter);
  state.wordsSince = words.has(event.kind) ? state.wordsSince + 1 : 0;
  switch (event.kind) {
    case 'run.started':
      started(state, event);
      break;
    case 'run.resumed':
      state.isLeft = false;
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
    case 'integrity.checked':
      state.activeMs += event.tookMs;
      if (state.current) state.current.integrity = event;
      break;
    case 'control.judged':
      state.activeMs += event.tookMs;
      state.current?.controls.set(event.gate, event.verdict);
      break;
    case 'grant.given':
      state.grants = [...state.grants, ...event.files];
      break;
    case 'tree.confirmed':
      treeConfirmed(state, event);
      break;
    case 'session.held':
      state.held = {
        host: event.host,
        sessionId: event.sessionId,
        ...(event.moves === undefined ? {} : { moves: event.moves }),
        ...(event.unheard ? { unheard: event.unheard } : {}),
      };
      state.isLeft = false;
      break;
    case 'session.left':
      state.held = null;
      state.isLeft = true;
      if (event.unbegun && state.open?.kind === 'start-iteration') {
        neverBegan(state);
        state.open = null;
      }
      break;
    case 'run.paused':
      state.paused = true;
      break;
    case 'wait.ended':
      waitEnded(state, event.waitedMs);
      break;
    case 'stop.requested':
      state.stop = {
        by: event.by,
        ...(event.who === undefined ? {} : { who: event.who }),
        ...(event.note === undefined ? {} : { note: event.note }),
      };
      break;
    case 'redirect.requested':
      state.redirect = event.text;
      state.redirects.push(event.text);
      // Whatever the run waited for, it has its answer.
      if (state.open?.kind === 'ask' || state.open?.kind === 'wait') state.open = null;
      break;
    case 'approval.given':
      approvalGiven(state, event);
      break;
    case 'person.answered':
      personAnswered(state, event);
      break;
    case 'strategy.answered':
      strategyAnswered(state, event);
      break;
    case 'move.made':
      moveMade(state, event);
      break;
    case 'notified':
      notified(state, event);
      break;
    case 'delivered':
      state.delivered = true;
      break;
    case 'fault.raised':
      state.fault = { phase: event.phase, fault: event.fault };
      if (isBeforeBuild(state, event)) neverBegan(state);
      state.open = null;
      break;
    case 'run.ended':
      state.undo = isUndecided(state, event) ? structuredClone({ ...state, undo: null }) : null;
      closeIteration(state, event.code);
      state.ended = event;
      break;
    default:
      return unreachable(event);
  }
  if (state.open && isPerformed(state, state.open, event)) state.open = null;
  return state;
}

function decided(state: RunState, decision: Decision): void {
  state.open = decision;
  switch (decision.kind) {
    case 'measure-baseline':
      state.current ??= newCurrent(0);
      // What a stop cut short is measured to its end now, and until then it is under way.
      state.current.confirmed = null;
      break;
    case 'start-iteration':
      closeIteration(state, decision.because.code);
      if (state.redirect !== null) beginWindow(state);
      state.redirect = null;
      state.iteration = decision.iteration;
      state.current = newCurrent(decision.iteration);
      break;
    case 'judge':
      if (!state.current) break;
      state.current.attempt = decision.attempt;
      state.current.confirmed = null;
      if (decision.because.code === 'judge.again') state.current.again = true;
      for (const gate of decision.gates) {
        state.current.verdicts.delete(gate);
        state.current.cached.delete(gate);
        state.current.unsealed.delete(gate);
      }
      if (decision.because.code === 'judge.second') state.current.second = true;
      break;
    case 'make-move':
    case 'consult':
    case 'ask':
    case 'notify':
    case 'confirm':
    case 'control':
    case 'wait':
    case 'end-run':
      break;
    default:
      unreachable(decision);
  }
}

function agentStarted(state: RunState, event: EventOf<'agent.started'>): void {
  state.touched = true;
  // One that begins anew leaves the session before it for good.
  if (event.sessionId !== state.sessionId) enterSession(state, event.sessionId ?? null);
  if (!state.current) return;
  state.current.marker = event.marker;
  state.current.boot = event.boot ?? null;
  // The words were in the prompt; those that came too late for it end this build.
  if ((event.redirects ?? 0) >= state.redirects.length) state.redirect = null;
  state.current.startedAt = Date.parse(event.at);
}

function agentEnded(state: RunState, event: EventOf<'agent.ended'>): void {
  state.activeMs += event.tookMs;
  countSpending(state, event);
  countSession(state, event);
  if (event.windows) state.windows = event.windows;
  if (event.end.kind === 'unavailable') return agentAway(state, event.end);
  state.outputs = [...state.outputs.slice(-19), event.output];
  state.away = null;
  state.waitedMs = 0;
  state.strategyWords = null;
  if (!state.current) return;
  state.current.build = event.end;
  state.current.claim = event.claim ?? null;
  state.current.giveUp = event.giveUp ?? null;
  state.current.asks = event.asks ?? null;
  state.current.denied = event.denied ?? null;
  state.current.similar = event.similar;
  state.current.outputBytes = event.outputBytes;
  state.current.tokens = event.tokens ?? null;
  state.current.costUsd = event.costUsd ?? null;
  state.current.tookMs += event.tookMs;
}

/** An agent whose work was done is recorded even on a full disk, so one that is not had not begun. */
function isBeforeBuild({ open, current }: RunState, { fault }: EventOf<'fault.raised'>): boolean {
  return fault.code === 'state.full' && open?.kind === 'start-iteration' && !current?.build;
}

function agentAway(state: RunState, end: Extract<BuildEnd, { kind: 'unavailable' }>): void {
  state.away = {
    why: end.why,
    detail: end.detail,
    retryAfterMs: end.retryAfterMs ?? null,
    times: (state.away?.times ?? 0) + 1,
    waited: false,
  };
  neverBegan(state);
  state.open = null;
}

function approvalGiven(state: RunState, { gate, tree, by, approved, note }: EventOf<'approval.given'>): void {
  // The newest word of a person is the one that counts.
  const others = state.approvals.filter((one) => one.gate !== gate || one.tree !== tree || one.by !== by);
  state.approvals = [...others, { gate, tree, by, approved, ...(note === undefined ? {} : { note }) }];
}

function personAnswered(state: RunState, event: EventOf<'person.answered'>): void {
  if (event.answer === 'redirect' && event.text !== undefined) {
    state.redirect = event.text;
    state.redirects.push(event.text);
  }
  if (state.current) state.current.answer = { answer: event.answer, byPerson: event.by !== 'timeout' };
}

function strategyAnswered(state: RunState, event: EventOf<'strategy.answered'>): void {
  state.activeMs += event.tookMs;
  if (event.state !== undefined) state.strategyState = event.state;
  if (state.current) state.current.advice = event.answer;
  state.strategyWords = event.answer.kind === 'advice' ? (event.answer.feedback ?? null) : null;
}

function moveMade(state: RunState, event: EventOf<'move.made'>): void {
  const { open, current } = state;
  settleMove(state, 'none');
  if (current && event.problem === undefined) current.move = event.move;
  const because = open?.kind === 'make-move' ? open.because.code : '';
  const to = open?.kind === 'make-move' ? open.to : undefined;
  state.moves.push({
    move: event.move,
    after: event.iteration,
    because,
    effect: event.problem === undefined ? null : 'none',
    ...(to === undefined ? {} : { to }),
  });
  state.tried = [...state.tried, event.move];
  // What could not be done changed nothing; the next move is taken at once.
  if (event.problem !== undefined) return;
  state.windowStart = state.iteration;
  if (event.move === 'fresh' || event.move === 'escalate') enterSession(state, null);
  if (event.move === 'escalate') {
    state.rung += 1;
    // Another agent may have another account.
    state.windows = [];
  }
  if (event.tree !== undefined) state.atHand = event.tree;
  if (current && event.tree !== undefined && event.work !== undefined)
    current.backTo = { tree: event.tree, work: event.work };
}

function notified(state: RunState, event: EventOf<'notified'>): void {
  if (event.about === 'escalation') for (const gate of event.gates) state.escalated.add(gate);
  if (event.about === 'end') state.endTold = true;
  if (event.about === 'waiting' && state.current) state.current.toldWaiting = true;
}

function waitEnded(state: RunState, waitedMs: number): void {
  state.waitedMs += waitedMs;
  if (state.away) state.away.waited = true;
  const code = state.open?.because.code;
  if ((code === 'pause' || code === 'back-off') && state.current) state.current.paused = true;
  // Who stops while a gate is pending has seen that it is.
  if (code !== 'wait' || state.stop) return;
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
    case 'consult':
      return event.kind === 'strategy.answered';
    case 'ask':
      return event.kind === 'person.answered';
    case 'make-move':
      return event.kind === 'move.made';
    case 'notify':
      return event.kind === 'notified';
    case 'judge':
      return open.gates.every((gate) => current?.verdicts.has(gate));
    case 'confirm':
      return event.kind === 'tree.confirmed';
    case 'control':
      return open.gates.every((gate) => current?.controls.has(gate));
    case 'wait':
      return event.kind === 'wait.ended';
    case 'end-run':
      return event.kind === 'run.ended';
    default:
      return unreachable(open);
  }
}
