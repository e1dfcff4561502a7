import { Agenda } from './agenda.ts';
import type { ProposedPart } from '../event.ts';
import type { GateWords, ItemOutcome, PlanEventOf } from './plan-event.ts';
import type { ItemStatus, PlanDecision, PlanDecisionOf } from './plan-decision.ts';
import type { Redirect } from './redirect.ts';
import type { ItemShare } from './share.ts';
import type { Plan, WorkItem } from './work-item.ts';

/** One attempt at an item that has ended. */
export interface Attempt {
  attempt: number;
  runId: string;
  /** The run that it went on from. */
  from: string | null;
  approach: PlanDecisionOf<'run-item'>['approach'];
  place: 'workspace' | 'worktree';
  outcome: ItemOutcome;
}

/** What is known of one item beside what the plan says. */
export interface ItemRecord {
  status: ItemStatus;
  code: string | null;
  reason: string | null;
  /** Iterations that were used for it, probes included. */
  used: number;
  /** Iterations that came from others, or went to them. */
  moved: number;
  attempts: Attempt[];
  /** Decided, but its fact is not in yet: after a crash this is what goes on. */
  open: PlanDecision | null;
  /** What was set aside for the attempt that is under way. */
  share: ItemShare | null;
  /** The newest attempt has ended, and nobody has decided what comes of it. */
  unheeded: Attempt | null;
  /** What the gates said when they were judged without an agent. */
  judged: {
    passed: boolean;
    failing: readonly string[];
    soft: readonly string[];
    said: readonly GateWords[];
    unable: string | null;
  } | null;
  /** The event at which its gates were green in the workspace last, and the tree where that is known. */
  proven: { at: number; tree: string | null } | null;
  /** The gates that failed when it was judged once more, after it had been done. */
  broken: { failing: readonly string[]; said: readonly GateWords[] } | null;
  /** How often it was opened again in this session because others had broken it. */
  mends: number;
  /** Its work that lies in the workspace: the trees before and after each piece of it, oldest first. */
  lying: { before: string; left: string }[];
  /** Files of its that were not taken back, since others had changed them as well. */
  kept: string[];
  /** So many of these pieces were judged good before, and others build upon them: they stay. */
  built: number;
  /** The same, of work that was set aside for the turn of another: it comes back with the next attempt. */
  aside: { before: string; left: string }[];
  /** What was merged, or could not be, of the newest attempt. */
  merge: { kind: 'merged'; tree: string } | PlanEventOf<'item.conflicted'> | null;
  /** Why the newest merge did not work, for whoever resolves it. */
  conflict: PlanEventOf<'item.conflicted'> | null;
  /** What names each merge that did not work: the same twice is the same conflict twice. */
  conflicts: string[];
  /** It waits for a person, and this session does not come back to it. */
  waiting: string | null;
  /** What agents found out about it. */
  notes: string[];
  probed: boolean;
  rethought: boolean;
  /** What an agent proposed and nobody has taken yet. */
  proposed: { split: readonly ProposedPart[]; drop: readonly string[] };
  reintegrated: boolean;
  /** What the parts were told that it was ever taken apart into. */
  parts: Set<string>;
  /** How deep it lies in splits that agents made. */
  depth: number;
  /** Criteria that a person ticked, by their number. */
  ticks: Set<number>;
  /** The soft gates that failed when it was done. */
  soft: readonly string[];
}

/** One choice between alternatives. */
export interface TrailEntry {
  group: string;
  from: string;
  to: string | null;
  reason: string;
  at: string;
}

export interface Correction {
  at: string;
  kind: Redirect['kind'];
  text: string;
  trailCleared: boolean;
}

export interface BudgetMove {
  /** Null: what the session had left. */
  from: string | null;
  to: string;
  iterations: number;
  reason: string;
}

/** One sitting with a plan: it has a budget of its own. */
export interface PlanSession {
  number: number;
  startedAt: string;
  /** Iterations that are used, and those that are set aside for what is under way. */
  spent: number;
  reserved: number;
  activeMs: number;
  tokens: number | null;
  costUsd: number | null;
  /** Items that were worked on, in the order of their beginning. */
  touched: Set<string>;
  moves: BudgetMove[];
  /** What agents proposed and nobody could take. */
  dropped: { item: string; reason: string }[];
  /** Settled items in a row that brought nothing. */
  stalls: number;
  /** Errors in a row. */
  errors: number;
  /** Whether what is done is judged once more before the plan may be complete. */
  proves: boolean;
  ended: Pick<PlanEventOf<'session.ended'>, 'status' | 'code' | 'reason' | 'also'> | null;
}

/** Everything that a decision about a plan needs, folded from its events. `evolvePlan` extends it in place. */
export interface PlanState {
  seq: number;
  lastAt: string;
  planId: string;
  root: string;
  file: string;
  hash: string;
  plan: Plan;
  /** The plan as its file said it last; redirects and agents have changed the other since. */
  written: Plan;
  records: Map<string, ItemRecord>;
  /** The alternative that is tried, of each group. */
  choices: Map<string, string>;
  /** Alternatives that failed. */
  failed: Set<string>;
  agenda: Agenda;
  session: PlanSession | null;
  sessions: number;
  /** Items under way, and whatever else was decided and is not done. */
  inFlight: Set<string>;
  unheeded: Set<string>;
  inProgress: Set<string>;
  /** Done items that were judged once more and did not pass as they had: nobody has decided what comes of it. */
  rejudged: Set<string>;
  /** The tree that the first item found. */
  base: string | null;
  /** The newest tree of the workspace that an item left, and the event at which it became another. */
  tree: string | null;
  changedAt: number;
  /** Items about which agents proposed something that was not looked at, or taken, yet. */
  proposing: Set<string>;
  trail: TrailEntry[];
  corrections: Correction[];
  /** Words of persons for every agent to come. */
  constraints: string[];
  /** What persons said and nobody has followed yet, oldest first. */
  redirects: Redirect[];
  stop: { by: string; note?: string | undefined } | null;
  /** Requests of other processes that were taken. */
  letters: Set<string>;
  /** The potential when an item was settled last; null before. */
  potential: number | null;
  /** A decomposition since then: growing by it is no expansion. */
  grace: boolean;
  /** `progress`, `stall` or `expansion`, when an item was settled last. */
  trend: 'progress' | 'stall' | 'expansion' | null;
  switches: number;
  iterations: number;
  tests: number;
}

export function newRecord(item: WorkItem, depth = 0): ItemRecord {
  return {
    status: item.done ? 'done' : item.deferred ? 'deferred' : 'not-started',
    code: item.done ? 'item.before' : null,
    reason: item.done ? 'it was done before the plan began' : null,
    used: 0,
    moved: 0,
    attempts: [],
    open: null,
    share: null,
    unheeded: null,
    judged: null,
    proven: null,
    broken: null,
    mends: 0,
    lying: [],
    built: 0,
    aside: [],
    kept: [],
    merge: null,
    conflict: null,
    conflicts: [],
    waiting: null,
    notes: [],
    probed: false,
    rethought: false,
    proposed: { split: [], drop: [] },
    reintegrated: false,
    parts: new Set(),
    depth,
    ticks: new Set(),
    soft: [],
  };
}

/** How many iterations an item may still use. */
export function remaining({ plan, agenda, records }: PlanState, id: string): number {
  const record = records.get(id)!;
  return (agenda.item(id).limits.iterations ?? plan.limits.item) + record.moved - record.used;
}

/** What is missing of an item although it is done: soft gates that fail, and ticks of persons. */
export const missing = (state: PlanState, id: string): string[] => [
  ...state.records.get(id)!.soft.map((gate) => `${gate} fails`),
  ...unticked(state, id),
];

/** What only a person can judge of an item, and nobody has ticked. */
export const unticked = ({ agenda, records }: PlanState, id: string): string[] =>
  agenda
    .item(id)
    .acceptance.flatMap((one, at) =>
      'person' in one && !records.get(id)!.ticks.has(at) ? [`not ticked: ${one.person}`] : [],
    );

/** How many iterations of the session nobody has used or set aside. */
export const freeIterations = ({ plan, session }: PlanState): number =>
  plan.limits.session - (session?.spent ?? 0) - (session?.reserved ?? 0);

export const isResolved = (status: ItemStatus): boolean =>
  status === 'done' || status === 'done-with-caveats' || status === 'deferred';

export const isDone = (status: ItemStatus): boolean => status === 'done' || status === 'done-with-caveats';

/** Leaves that count: those of alternatives that were not chosen, and below what is settled as a whole, do not. */
export function leavesOf({ agenda, choices, records }: PlanState): WorkItem[] {
  const hidden = new Set<string>();
  return agenda.items.filter((item) => {
    const { parent } = item;
    const isHidden =
      parent !== null &&
      (hidden.has(parent) ||
        agenda.item(parent).deferred ||
        (agenda.item(parent).resolvedBy === 'any' && choices.get(parent) !== item.id) ||
        (isDone(records.get(parent)!.status) && !isResolved(records.get(item.id)!.status)));
    if (isHidden) hidden.add(item.id);
    // A group that was put off as a whole stands for what is in it.
    return !isHidden && (item.resolvedBy === null || item.deferred);
  });
}
