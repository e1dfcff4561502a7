import { decidePlan } from '../decide-plan.ts';
import { foldPlan } from '../evolve-plan.ts';
import { parsePlan } from '../parse-plan.ts';
import type { PlanDecision, PlanDecisionOf } from '../plan-decision.ts';
import type { GateWords, ItemOutcome, PlanEvent, PlanEventBody } from '../plan-event.ts';
import { isDone, type PlanState } from '../plan-state.ts';
import type { Plan } from '../work-item.ts';

/** What happens when the outer loop does something. Whatever is not said goes well. */
export interface PlanWorld {
  run?(decision: PlanDecisionOf<'run-item'>, state: PlanState): Partial<ItemOutcome>;
  judge?(item: string, state: PlanState): boolean;
  /** Soft gates that fail where the hard ones pass, and why one could not judge at all. */
  soft?(item: string): string[];
  unable?(item: string): string | null;
  /** The paths that do not fit. The same ones are the same conflict, until `sides` says otherwise. */
  merge?(decision: PlanDecisionOf<'merge-item'>, state: PlanState): string[] | null;
  sides?(): string;
  /** What gates find that fail. */
  said?(): GateWords[];
  probe?(decision: PlanDecisionOf<'probe'>, state: PlanState): object;
  /** Which of those under way ends first. */
  pick?(running: readonly PlanDecision[]): number;
  /** Words of persons, before the decision with this number. */
  say?(at: number, state: PlanState): PlanEventBody[];
}

export interface PlayedPlan {
  events: PlanEvent[];
  decisions: PlanDecision[];
  state: PlanState;
}

export function planOf(value: unknown): Plan {
  const parsed = parsePlan(value);
  if (parsed.kind === 'invalid')
    throw new Error(parsed.problems.map((one) => `${one.path.join('.')}: ${one.message}`).join('\n'));
  return parsed.plan;
}

const good: ItemOutcome = {
  status: 'converged',
  code: 'goal.met',
  reason: 'gates met',
  iterations: 1,
  activeMs: 1_000,
  tokens: null,
  costUsd: null,
  tests: 3,
  tree: 'good',
  before: 'start',
  left: 'good',
  commit: null,
  failures: [0],
  failureKey: '',
  work: 'good',
  failing: [],
  soft: [],
  paths: [],
  summary: '',
  gaveUp: null,
};

/** An attempt that used all it was given and left failures behind. */
export const failing = (over: Partial<ItemOutcome> = {}): Partial<ItemOutcome> => ({
  status: 'diverged',
  code: 'loop.failure-set-repeat',
  reason: 'the same failures twice',
  iterations: 2,
  failures: [2, 2],
  failureKey: 'a',
  work: 'w',
  failing: ['tests'],
  tree: 'bad',
  ...over,
});

/** Drives the shipped fold and decision through a session, in a world that is made of values. */
export function playPlan(plan: Plan, world: PlanWorld = {}, before: readonly PlanEvent[] = []): PlayedPlan {
  const events: PlanEvent[] = [];
  const decisions: PlanDecision[] = [];
  let state: PlanState | undefined = before.length > 0 ? foldPlan(before) : undefined;
  const tell = (body: PlanEventBody): PlanState => {
    const seq = (state?.seq ?? 0) + 1;
    const event = { v: 1, seq, at: new Date(seq * 1_000).toISOString(), ...body } as PlanEvent;
    events.push(event);
    state = foldPlan([event], state);
    return state;
  };
  if (!state)
    tell({ kind: 'plan.started', planId: 'p', version: '0', root: '/w', file: 'plan.yaml', plan, hash: 'h' });
  const goesOn = state?.session && !state.session.ended;
  if (goesOn) tell({ kind: 'session.resumed', pid: 2, version: '0' });
  else tell({ kind: 'session.started', session: state!.sessions + 1, pid: 1, version: '0', proves: true });
  // What was decided before a crash and has no fact yet is done first.
  const running = [...state!.inFlight].map((id) => state!.records.get(id)!.open!);
  for (const one of running.splice(0)) tell(factOf(one, state!, world));
  for (let at = 0; at < 5_000; at++) {
    for (const body of world.say?.(at, state!) ?? []) tell(body);
    // Whatever is under way when a person says so is ended first.
    if (state!.stop || state!.redirects.length > 0)
      for (const one of running.splice(0)) tell(factOf(one, state!, world, { stopped: true }));
    const decision = decidePlan(state!, `r${state!.seq}`);
    decisions.push(decision);
    if (decision.kind === 'wait') {
      if (running.length === 0) throw new Error(`waits for nothing: ${decision.because.reason}`);
      const [one] = running.splice(world.pick?.(running) ?? 0, 1);
      tell(factOf(one!, state!, world));
      continue;
    }
    tell({ kind: 'plan.decided', decision });
    if (decision.kind === 'end-session') {
      const { code, reason } = decision.because;
      const others = decision.also ? { also: decision.also } : {};
      tell({ kind: 'session.ended', status: decision.status, code, reason, ...others, activeMs: 0 });
      return { events: [...before, ...events], decisions, state: state! };
    }
    if (decision.kind === 'run-item' && decision.place === 'worktree') running.push(decision);
    else if (isDeed(decision)) tell(factOf(decision, state!, world));
  }
  throw new Error('the session does not end');
}

const isDeed = ({ kind }: PlanDecision): boolean =>
  ['run-item', 'judge-item', 'merge-item', 'revert-item', 'probe'].includes(kind);

function factOf(
  decision: PlanDecision,
  state: PlanState,
  world: PlanWorld,
  { stopped = false } = {},
): PlanEventBody {
  switch (decision.kind) {
    case 'run-item': {
      const told = stopped ? { status: 'stopped' as const, code: 'user.stop' } : world.run?.(decision, state);
      const { item, attempt, runId } = decision;
      const wanted = told?.iterations ?? 1;
      const iterations = Math.min(wanted, decision.iterations);
      const isCut = iterations < wanted;
      const cut = isCut ? { status: 'diverged' as const, code: 'limit.iterations' } : {};
      return { kind: 'item.ended', item, attempt, runId, outcome: { ...good, ...told, ...cut, iterations } };
    }
    case 'judge-item': {
      const passed = world.judge?.(decision.item, state) ?? isDone(state.records.get(decision.item)!.status);
      const soft = world.soft?.(decision.item) ?? [];
      const unable = world.unable?.(decision.item) ?? null;
      const { item } = decision;
      if (unable !== null)
        return { kind: 'item.judged', item, passed: false, failing: [], tree: 't', unable };
      return { kind: 'item.judged', item, passed, failing: passed ? [] : ['all'], soft, tree: 't' };
    }
    case 'merge-item': {
      const { item, attempt } = decision;
      const paths = world.merge?.(decision, state) ?? null;
      if (!paths) return { kind: 'item.merged', item, attempt, before: 'b', tree: 'm' };
      const fingerprint = `${paths.join(' ')} ${world.sides?.() ?? ''}`;
      const trees = { base: 'a', before: 'b', theirs: 't' };
      const said = world.said?.() ?? [];
      const failing = said.map(({ gate }) => gate);
      return { kind: 'item.conflicted', item, attempt, ...trees, paths, failing, fingerprint, said };
    }
    case 'revert-item':
      return { kind: 'item.reverted', item: decision.item, from: 'x', to: 'start' };
    case 'probe':
      return {
        kind: 'probe.ended',
        item: decision.item,
        findings: 'found out',
        iterations: 1,
        tokens: null,
        costUsd: null,
        activeMs: 0,
        ...world.probe?.(decision, state),
      };
    default:
      throw new Error(`not a deed: ${decision.kind}`);
  }
}

/** The items in the order in which they began, each attempt once. */
export const begun = ({ decisions }: PlayedPlan): string[] =>
  decisions.flatMap((one) => (one.kind === 'run-item' ? [one.item] : []));

export const endOf = ({ state }: PlayedPlan): string => state.session!.ended!.status;

export const statusesOf = ({ state }: PlayedPlan): Record<string, string> =>
  Object.fromEntries([...state.records].map(([id, { status }]) => [id, status]));
