import { unreachable } from '../fault.ts';
import type { Agenda } from './agenda.ts';
import { changedBy, findRedirectProblem } from './apply-redirect.ts';
import type { PlanDecision } from './plan-decision.ts';
import type { PlanEvent, PlanEventOf } from './plan-event.ts';
import { isDone, type ItemRecord, missing, newRecord, type PlanState } from './plan-state.ts';
import { changePlan, deriveAbove, reopenAbove, replan, setStatus } from './regraph.ts';
import { parted, reintegrated, withoutDependency } from './replan.ts';
import { shareOf } from './share.ts';

/** The state of a plan after all of these events. */
export function foldPlan(events: readonly PlanEvent[], before?: PlanState): PlanState {
  let state = before;
  for (const event of events) state = evolvePlan(state, event);
  if (!state) throw new Error('a plan begins with an event');
  return state;
}

/** Extends the state by one event, in place. */
export function evolvePlan(before: PlanState | undefined, event: PlanEvent): PlanState {
  if (event.kind === 'plan.started') return begun(event);
  const state = before!;
  state.seq = event.seq;
  state.lastAt = event.at;
  const letter = 'letter' in event ? event.letter : undefined;
  if (letter !== undefined) state.letters.add(letter);
  apply(state, event);
  return state;
}

function begun(event: PlanEventOf<'plan.started'>): PlanState {
  const { plan } = event;
  const records = new Map(plan.items.map((item) => [item.id, newRecord(item)]));
  const state: PlanState = {
    seq: event.seq,
    lastAt: event.at,
    planId: event.planId,
    root: event.root,
    file: event.file,
    hash: event.hash,
    plan,
    written: plan,
    records,
    choices: new Map(),
    failed: new Set(),
    agenda: null as unknown as Agenda,
    session: null,
    sessions: 0,
    inFlight: new Set(),
    unheeded: new Set(),
    inProgress: new Set(),
    rejudged: new Set(),
    base: null,
    tree: null,
    changedAt: 0,
    proposing: new Set(),
    trail: [],
    corrections: [],
    constraints: [],
    redirects: [],
    stop: null,
    letters: new Set(),
    potential: null,
    grace: false,
    trend: null,
    switches: 0,
    iterations: 0,
    tests: 0,
  };
  replan(state, plan);
  return state;
}

function apply(state: PlanState, event: Exclude<PlanEvent, { kind: 'plan.started' }>): void {
  switch (event.kind) {
    case 'plan.changed':
      state.hash = event.hash;
      if (event.written) state.written = event.written;
      changePlan(state, event.plan);
      state.potential = null;
      break;
    case 'session.started':
      startSession(state, event);
      break;
    case 'session.resumed':
      // Whoever comes back wants it to go on.
      state.stop = null;
      break;
    case 'plan.decided':
      decided(state, event.decision);
      break;
    case 'item.ended':
      ended(state, event);
      break;
    case 'item.judged':
      judged(state, event);
      break;
    case 'item.merged': {
      const record = close(state, event.item);
      if (!record) break;
      record.merge = { kind: 'merged', tree: event.tree };
      record.conflict = null;
      record.conflicts = [];
      record.lying.push({ before: event.before, left: event.tree });
      touch(state, event.tree);
      record.proven = { at: state.seq, tree: event.tree };
      state.unheeded.add(event.item);
      break;
    }
    case 'item.conflicted': {
      const record = close(state, event.item);
      if (!record) break;
      record.merge = event;
      record.conflict = event;
      if (event.fingerprint !== undefined) record.conflicts.push(event.fingerprint);
      state.unheeded.add(event.item);
      break;
    }
    case 'item.reverted': {
      const open = state.records.get(event.item)?.open;
      const record = close(state, event.item);
      if (event.to !== '') touch(state, event.to);
      if (!record) break;
      const gone = open?.kind === 'revert-item' ? open.works.length : Infinity;
      if (open?.because.code === 'item.set-aside') record.aside.push(...record.lying.slice(-gone));
      else record.kept = [...new Set([...record.kept, ...(event.kept ?? [])])];
      record.lying = record.lying.slice(0, -gone);
      break;
    }
    case 'item.left': {
      const record = state.records.get(event.item);
      if (record?.open?.kind === 'probe') state.session!.reserved -= 1;
      close(state, event.item);
      break;
    }
    case 'probe.ended':
      probed(state, event);
      break;
    case 'item.ticked':
      ticked(state, event);
      break;
    case 'stop.requested':
      state.stop = { by: event.by, note: event.note };
      break;
    case 'redirect.requested':
      state.redirects.push(event.redirect);
      break;
    case 'session.ended':
      if (state.session) {
        const { status, code, reason, also, activeMs } = event;
        state.session.activeMs = Math.max(state.session.activeMs, activeMs);
        state.session.ended = { status, code, reason, ...(also ? { also } : {}) };
      }
      state.stop = null;
      break;
    default:
      unreachable(event);
  }
}

/** The workspace is another than when whatever is done was judged. */
function touch(state: PlanState, tree: string): void {
  if (tree === state.tree) return;
  state.tree = tree;
  state.changedAt = state.seq;
  // What was found out about the tree before says nothing about this one.
  for (const id of state.rejudged) state.records.get(id)!.judged = null;
  state.rejudged.clear();
}

function judged(state: PlanState, event: PlanEventOf<'item.judged'>): void {
  const { item, passed, failing, soft = [], said = [], unable = null, tree } = event;
  const record = close(state, item);
  if (!record) return;
  record.judged = { passed, failing, soft, said, unable };
  if (passed) record.proven = { at: state.seq, tree };
  if (!isDone(record.status)) return;
  if (passed && (soft.length === 0 || record.status === 'done-with-caveats')) record.judged = null;
  else state.rejudged.add(item);
}

/** What was done but for a person's word is done with it, and without it no longer. */
function ticked(state: PlanState, { item, criterion, met }: PlanEventOf<'item.ticked'>): void {
  const record = state.records.get(item);
  if (!record) return;
  if (met) record.ticks.add(criterion);
  else record.ticks.delete(criterion);
  if (state.agenda.item(item).resolvedBy !== null) return replan(state, state.plan);
  const last = record.attempts.at(-1)?.outcome;
  if (!isDone(record.status) || last?.status !== 'converged') return;
  const open = missing(state, item);
  record.reason = open.length === 0 ? last.reason : open.join('; ');
  setStatus(state, item, open.length === 0 && last.code === 'goal.met' ? 'done' : 'done-with-caveats');
  deriveAbove(state, item);
}

function startSession(state: PlanState, { session, at, proves }: PlanEventOf<'session.started'>): void {
  state.sessions = session;
  state.session = {
    number: session,
    startedAt: at,
    spent: 0,
    reserved: 0,
    activeMs: 0,
    tokens: null,
    costUsd: null,
    touched: new Set(),
    moves: [],
    dropped: [],
    stalls: 0,
    errors: 0,
    proves: proves ?? false,
    ended: null,
  };
  state.stop = null;
  state.rejudged.clear();
  for (const [id, record] of state.records) {
    // A question that nobody has answered is still one.
    if (record.attempts.at(-1)?.outcome.code !== 'awaiting-answer') record.waiting = null;
    // What the gates said is of another day, and what kept an agent from working may be mended.
    record.judged = null;
    record.mends = 0;
    if (record.unheeded?.outcome.status === 'error') unheed(state, id);
  }
}

/** The deed of this item is done. An item that is no longer in the plan has no record. */
function close(state: PlanState, id: string): ItemRecord | null {
  const record = state.records.get(id);
  state.inFlight.delete(id);
  if (!record) return null;
  record.open = null;
  record.share = null;
  return record;
}

/** The first of what persons said. What no longer fits to the plan is told, and changes nothing. */
function follow(state: PlanState): void {
  const redirect = state.redirects.shift();
  if (!redirect) return;
  const problem = findRedirectProblem(state, redirect);
  if (problem === null) return changedBy(state, redirect);
  const text = `not followed: ${problem}`;
  state.corrections.push({ at: state.lastAt, kind: redirect.kind, text, trailCleared: false });
}

function open(state: PlanState, id: string, decision: PlanDecision): ItemRecord {
  const record = state.records.get(id)!;
  record.open = decision;
  state.inFlight.add(id);
  return record;
}

function decided(state: PlanState, decision: PlanDecision): void {
  const { session } = state;
  switch (decision.kind) {
    case 'run-item': {
      const share = shareOf(state, decision.place);
      const record = open(state, decision.item, decision);
      record.share = share;
      record.unheeded = null;
      record.judged = null;
      record.merge = null;
      if (decision.approach !== 'resolve' && decision.from === null) record.conflict = null;
      state.unheeded.delete(decision.item);
      setStatus(state, decision.item, 'in-progress');
      session!.reserved += decision.iterations;
      session!.touched.add(decision.item);
      break;
    }
    case 'probe':
      open(state, decision.item, decision);
      session!.reserved += 1;
      break;
    case 'judge-item':
    case 'merge-item':
    case 'revert-item':
      open(state, decision.item, decision);
      break;
    case 'settle':
      settle(state, decision);
      break;
    case 'reopen':
      reopened(state, decision.item);
      break;
    case 'choose':
      chosen(state, decision);
      break;
    case 'split':
      state.grace = true;
      replan(state, parted(state, decision.item));
      unheed(state, decision.item);
      break;
    case 'drop-proposal':
      dropped(state, decision);
      break;
    case 'reintegrate':
      replan(state, reintegrated(state, decision.item));
      state.records.get(decision.item)!.reintegrated = true;
      state.potential = null;
      break;
    case 'move-budget':
      if (decision.from !== null) state.records.get(decision.from)!.moved -= decision.iterations;
      state.records.get(decision.to)!.moved += decision.iterations;
      session!.moves.push({ ...decision, reason: decision.because.reason });
      break;
    case 'drop-dependency':
      replan(state, withoutDependency(state, decision.item, decision.dependency));
      forgetDrops(state, decision.dependency, [decision.item]);
      break;
    case 'redirect':
      follow(state);
      state.potential = null;
      if (session) session.stalls = 0;
      break;
    case 'wait':
    case 'end-session':
      break;
    default:
      unreachable(decision);
  }
}

/** What nobody can take is told once, and forgotten. */
function dropped(
  state: PlanState,
  { item, parts, drop, because }: Extract<PlanDecision, { kind: 'drop-proposal' }>,
): void {
  const record = state.records.get(item)!;
  if (parts && record.unheeded?.outcome.split) {
    const { split: _, ...outcome } = record.unheeded.outcome;
    record.unheeded = { ...record.unheeded, outcome };
  } else if (parts) record.proposed = { ...record.proposed, split: [] };
  forgetDrops(state, item, drop);
  state.session!.dropped.push({ item, reason: because.reason });
}

function forgetDrops(state: PlanState, id: string, drop: readonly string[]): void {
  const record = state.records.get(id)!;
  const left = record.proposed.drop.filter((one) => !drop.includes(one));
  record.proposed = { ...record.proposed, drop: left };
}

function unheed(state: PlanState, id: string): void {
  const record = state.records.get(id);
  if (record) record.unheeded = null;
  state.unheeded.delete(id);
}

function ended(state: PlanState, { item, attempt, runId, outcome }: PlanEventOf<'item.ended'>): void {
  const record = state.records.get(item);
  if (!record) return void state.inFlight.delete(item);
  const decision = record.open;
  close(state, item);
  spend(state, item, outcome, decision?.kind === 'run-item' ? decision.iterations : 0);
  const made = {
    attempt,
    runId,
    from: decision?.kind === 'run-item' ? decision.from : null,
    approach: decision?.kind === 'run-item' ? decision.approach : 'first',
    place: decision?.kind === 'run-item' ? decision.place : 'workspace',
    outcome,
  } as const;
  record.attempts.push(made);
  record.aside = [];
  const { before, left } = outcome;
  state.base ??= before;
  if (made.place === 'workspace' && before !== null && left !== null && left !== before)
    record.lying.push({ before, left });
  if (made.place === 'workspace' && left !== null) {
    touch(state, left);
    // A run that mends takes what is broken for its baseline; what it came to is judged by that of the item.
    if (outcome.status === 'converged' && record.broken === null)
      record.proven = { at: state.seq, tree: left };
  }
  if (outcome.status === 'error') state.session!.errors += 1;
  else state.session!.errors = 0;
  // One that was stopped is as it was, and goes on when somebody comes back to it.
  if (outcome.status === 'stopped') {
    // Whoever stops the run of an item does not want it to begin again at once.
    const isOthers = outcome.code === 'user.stop' && !state.stop && state.redirects.length === 0;
    if (isOthers) state.stop = { by: `the stop of run ${runId} of ${item}` };
    return;
  }
  if (outcome.status === 'suspended') {
    record.waiting = outcome.reason;
    return;
  }
  record.unheeded = made;
  state.unheeded.add(item);
  if (outcome.split) state.proposing.add(item);
}

/** What was set aside for it is free again, and what it used is counted. */
function spend(
  state: PlanState,
  item: string | null,
  used: { iterations: number; tokens: number | null; costUsd: number | null; activeMs: number },
  reserved: number,
): void {
  const session = state.session!;
  // A look at the graph is for all of it: no item pays for it.
  if (item !== null) state.records.get(item)!.used += used.iterations;
  session.reserved -= reserved;
  session.spent += used.iterations;
  session.activeMs += used.activeMs;
  if (used.tokens !== null) session.tokens = (session.tokens ?? 0) + used.tokens;
  if (used.costUsd !== null) session.costUsd = (session.costUsd ?? 0) + used.costUsd;
  state.iterations += used.iterations;
}

function probed(state: PlanState, event: PlanEventOf<'probe.ended'>): void {
  const record = state.records.get(event.item);
  if (!record) return void state.inFlight.delete(event.item);
  const about = record.open?.kind === 'probe' ? record.open.about : 'information';
  close(state, event.item);
  spend(state, about === 'information' ? event.item : null, event, 1);
  if (event.cut) return;
  record.notes.push(event.findings);
  if (about === 'information') record.probed = true;
  else record.rethought = true;
  record.proposed = { split: event.split ?? [], drop: event.drop ?? [] };
  state.proposing.add(event.item);
}

/** An item has come to rest: what it is a part of, and what waited for it, is looked at again. */
function settle(
  state: PlanState,
  { item, status, because }: Extract<PlanDecision, { kind: 'settle' }>,
): void {
  const record = state.records.get(item)!;
  record.code = because.code;
  record.reason = status === 'stuck' ? stuckWords(record, because.reason) : because.reason;
  // Its gates alone, or else its run, were judged last.
  record.soft = isDone(status) ? (record.judged?.soft ?? record.attempts.at(-1)?.outcome.soft ?? []) : [];
  record.merge = null;
  record.judged = null;
  record.broken = null;
  state.rejudged.delete(item);
  if (isDone(status) && !isDone(record.status)) {
    state.tests += record.attempts.at(-1)?.outcome.tests ?? 0;
  }
  unheed(state, item);
  setStatus(state, item, status);
  deriveAbove(state, item);
  evaluate(state, isDone(status));
}

/** It was done and is broken: what it left stays, since others build upon it, and whatever it is in is open again. */
function reopened(state: PlanState, item: string): void {
  const record = state.records.get(item)!;
  record.broken = { failing: record.judged?.failing ?? [], said: record.judged?.said ?? [] };
  record.mends += 1;
  record.built = record.lying.length;
  record.status = 'in-progress';
  record.code = null;
  record.reason = null;
  // Of one whose parts are there it is known that its gates fail.
  if (state.agenda.item(item).resolvedBy === null) record.judged = null;
  state.tests -= record.attempts.at(-1)?.outcome.tests ?? 0;
  state.rejudged.delete(item);
  state.inProgress.add(item);
  reopenAbove(state, item);
  replan(state, state.plan);
  state.potential = null;
}

/** Why it ended, and what still stood in its way: a limit alone says nothing about the work. */
function stuckWords({ attempts, conflict, kept }: ItemRecord, reason: string): string {
  const failing = attempts.at(-1)?.outcome.failing ?? [];
  const paths = conflict?.paths ?? [];
  const still = [
    ...(failing.length > 0 ? [`still failing: ${failing.slice(0, 5).join(', ')}`] : []),
    ...(paths.length > 0 ? [`conflicts with the others in ${paths.slice(0, 5).join(', ')}`] : []),
    ...keptWords(kept),
  ].filter((one) => !reason.includes(one));
  return [reason, ...still].join('; ');
}

const keptWords = (kept: readonly string[]): string[] =>
  kept.length > 0
    ? [`not taken back, since others changed them as well: ${kept.slice(0, 5).join(', ')}`]
    : [];

function chosen(
  state: PlanState,
  { group, from, to, because }: Extract<PlanDecision, { kind: 'choose' }>,
): void {
  state.failed.add(from);
  const record = state.records.get(from)!;
  const within = state.agenda.items.filter(({ id }) => isWithin(state, id, from));
  const kept = within.flatMap(({ id }) => state.records.get(id)!.kept);
  record.code = because.code;
  record.reason = [because.reason, ...keptWords(kept)].join('; ');
  for (const { id } of within) {
    unheed(state, id);
    const one = state.records.get(id)!;
    // Nothing inside of what was given up is gone on with, and what was done there was taken back.
    if (one.status === 'deferred' || (isDone(one.status) && one.code === 'item.before')) continue;
    if (isDone(one.status)) state.tests -= one.attempts.at(-1)?.outcome.tests ?? 0;
    if (id !== from) one.reason = `it was given up with ${from}`;
    setStatus(state, id, 'stuck');
  }
  setStatus(state, from, 'stuck');
  state.trail.push({ group, from, to, reason: because.reason, at: state.lastAt });
  if (to !== null) {
    state.choices.set(group, to);
    state.switches += 1;
  }
  replan(state, state.plan);
  if (to !== null) return;
  const whole = state.records.get(group)!;
  whole.code = 'item.exhausted';
  whole.reason = because.reason;
  deriveAbove(state, group);
  evaluate(state);
}

function isWithin({ agenda }: PlanState, id: string, group: string): boolean {
  for (let one: string | null = id; one !== null; one = agenda.item(one).parent)
    if (one === group) return true;
  return false;
}

const hair = 1e-9;

/** Three-valued: less work left, as much, or more than before. A decomposition has one time to grow free. */
function evaluate(state: PlanState, isNearer = false): void {
  const now = state.agenda.potential;
  const before = state.potential;
  state.potential = now;
  const { grace } = state;
  state.grace = false;
  // Without anything to compare with nothing is judged.
  if (before === null) {
    state.trend = null;
    return;
  }
  state.trend = now > before + hair ? 'expansion' : isNearer || now < before - hair ? 'progress' : 'stall';
  if (!state.session) return;
  if (state.trend === 'progress') state.session.stalls = 0;
  else if (!grace) state.session.stalls += 1;
}
