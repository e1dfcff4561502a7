import { type NextStep, nextStep, type PlanEnding } from './plan-ending.ts';
import type { ItemStatus, PlanDecision } from './plan-decision.ts';
import { isDone, leavesOf, type PlanState, unticked } from './plan-state.ts';
import type { WorkItem } from './work-item.ts';

/** One item in the report of a session. */
export interface ItemLine {
  id: string;
  /** As reports have it; FORCE_STOP where a stop left it without a better one. */
  status: 'DONE' | 'DONE_WITH_CAVEATS' | 'STUCK' | 'DEFERRED' | 'FORCE_STOP' | 'IN_PROGRESS' | 'NOT_STARTED';
  iterations: number;
  tests: number;
  commit: string | null;
}

export interface SessionReport {
  session: number;
  items: ItemLine[];
  done: number;
  attempted: number;
  iterations: number;
  tests: number;
  stuck: number;
  next: NextStep;
  budget: { used: number; max: number };
  status: PlanEnding | null;
  code: string | null;
  reason: string | null;
  /** Reasons that held as well. */
  also: string[];
  /** From another item, or from what the session had left (null). */
  moves: { from: string | null; to: string; iterations: number; reason: string }[];
  /** What agents proposed and nobody could take. */
  dropped: { item: string; reason: string }[];
}

/** Whether an item is done or goes on, after one of its attempts. */
export interface CheckReport {
  id: string;
  hard: { passed: boolean; details: string };
  soft: { passed: boolean; details: string };
  iterations: { used: number; max: number };
  decision: 'DONE' | 'ANOTHER_ITERATION' | 'FORCE_STOP';
  plan: { done: number; total: number };
  session: { used: number; max: number };
}

const statusWords: Record<ItemStatus, ItemLine['status']> = {
  done: 'DONE',
  'done-with-caveats': 'DONE_WITH_CAVEATS',
  stuck: 'STUCK',
  deferred: 'DEFERRED',
  'in-progress': 'IN_PROGRESS',
  'not-started': 'NOT_STARTED',
};

/** The newest session, or the one under way, as a value. */
export function sessionReport(state: PlanState): SessionReport {
  const { session } = state;
  const touched = [...(session?.touched ?? [])].filter((id) => state.records.has(id));
  const items = touched.map((id) => itemLine(state, id));
  // What has parts is counted by its parts, as everywhere; but one that is stuck itself, when they are there, is told.
  const counted = items.filter(
    ({ id, status }) => status === 'STUCK' || state.agenda.item(id).resolvedBy === null,
  );
  const count = (...statuses: ItemLine['status'][]) =>
    counted.filter((one) => statuses.includes(one.status)).length;
  return {
    session: session?.number ?? 0,
    items,
    done: count('DONE', 'DONE_WITH_CAVEATS'),
    attempted: counted.length,
    iterations: session?.spent ?? 0,
    tests: items.reduce((sum, { tests }) => sum + tests, 0),
    stuck: count('STUCK'),
    next: nextStep(session?.ended?.status ?? null),
    budget: { used: session?.spent ?? 0, max: state.plan.limits.session },
    status: session?.ended?.status ?? null,
    code: session?.ended?.code ?? null,
    reason: session?.ended?.reason ?? null,
    also: (session?.ended?.also ?? []).map(({ reason }) => reason),
    moves: (session?.moves ?? []).map(({ from, to, iterations, reason }) => ({
      from,
      to,
      iterations,
      reason,
    })),
    dropped: (session?.dropped ?? []).map((one) => ({ ...one })),
  };
}

function itemLine(state: PlanState, id: string): ItemLine {
  const { status, used, attempts } = state.records.get(id)!;
  const last = attempts.at(-1)?.outcome;
  const isCut = status === 'in-progress' && state.session?.ended?.status === 'budget';
  return {
    id,
    status: isCut ? 'FORCE_STOP' : statusWords[status],
    iterations: used,
    tests: isDone(status) ? (last?.tests ?? 0) : 0,
    commit: isDone(status) ? (last?.commit?.slice(0, 7) ?? null) : null,
  };
}

/** `parser: DONE in 1 iteration  (12 tests) [a41c9f0]`; several lines stand in columns. */
export function itemLinesText(items: readonly ItemLine[]): string[] {
  const head = (one: ItemLine) => `${one.id}:`;
  const width = (text: (one: ItemLine) => string) => Math.max(0, ...items.map((one) => text(one).length));
  const many = items.length > 1;
  const [heads, statuses, counts] = [width(head), width(({ status }) => status), width(countText)];
  const pad = (text: string, to: number) => (many ? text.padEnd(to) : text);
  return items.map((one) =>
    [
      pad(head(one), heads),
      pad(one.status, statuses),
      'in',
      pad(countText(one), counts),
      `(${plural(one.tests, 'test')})`,
      `[${one.commit ?? '-'}]`,
    ].join(' '),
  );
}

const countText = ({ iterations }: ItemLine): string => plural(iterations, 'iteration');

/** The lines of the items, what budget moved and why, then what the session came to and what follows. */
export function sessionText(report: SessionReport): string {
  const { done, attempted, iterations, tests, stuck, next, budget } = report;
  return [
    ...itemLinesText(report.items),
    ...report.moves.map(
      (one) =>
        `Budget: ${plural(one.iterations, 'iteration')} of ${one.from ?? 'the session'} to ${one.to}: ${one.reason}`,
    ),
    ...report.dropped.map(({ reason }) => `Not taken: ${reason}`),
    `Session: ${done}/${attempted} done, ${plural(iterations, 'inner iteration')}, ${plural(tests, 'test')}, ${stuck} stuck`,
    `Next: ${next} (budget: ${budget.used}/${budget.max} iterations used)`,
  ].join('\n');
}

/**
 * What the gates of an item said after its newest attempt, and what was decided by that. Work that does not fit to that
 * of the others fails, whatever its own gates say. Without a decision nothing has been decided since it was reopened.
 */
export function checkReport(state: PlanState, id: string, decision: PlanDecision | null): CheckReport {
  const item = state.agenda.item(id);
  const record = state.records.get(id)!;
  const outcome = record.attempts.at(-1)?.outcome;
  const { conflict, broken } = record;
  const clash =
    conflict === null
      ? []
      : conflict.paths.length > 0
        ? [`conflicts in ${conflict.paths.join(', ')}`]
        : conflict.failing;
  // What is done passed them, be it without an agent: what its newest attempt left may be of before.
  const settled = isDone(record.status);
  const failing = [...(outcome?.failing ?? []), ...clash, ...(broken?.failing ?? [])];
  const hard = settled ? [] : [...new Set(failing)];
  const soft = [...(settled ? record.soft : (outcome?.soft ?? [])), ...unticked(state, id)];
  const passed = settled || (hard.length === 0 && outcome?.status === 'converged');
  const leaves = leavesOf(state);
  return {
    id,
    hard: { passed, details: hard.join(', ') || (passed ? 'none fails' : (outcome?.reason ?? 'not judged')) },
    soft: { passed: soft.length === 0, details: soft.join(', ') || 'none fails' },
    iterations: { used: record.used, max: limitOf(state, item) },
    decision: wordFor(state, id, decision),
    plan: {
      done: leaves.filter((one) => isDone(state.records.get(one.id)!.status)).length,
      total: leaves.length,
    },
    session: { used: state.session?.spent ?? 0, max: state.plan.limits.session },
  };
}

const limitOf = ({ plan, records }: PlanState, { id, limits }: WorkItem): number =>
  (limits.iterations ?? plan.limits.item) + records.get(id)!.moved;

function wordFor(state: PlanState, id: string, decision: PlanDecision | null): CheckReport['decision'] {
  const { status } = itemLine(state, id);
  if (status === 'DONE') return 'DONE';
  if (status !== 'IN_PROGRESS' && status !== 'NOT_STARTED') return 'FORCE_STOP';
  switch (decision?.kind) {
    // Its end, or that of this approach, is decided and not yet carried out.
    case 'choose':
    case 'revert-item':
    case 'reintegrate':
    case 'split':
    case 'end-session':
      return 'FORCE_STOP';
    default:
      return 'ANOTHER_ITERATION';
  }
}

export function checkText(report: CheckReport): string {
  const word = (passed: boolean) => (passed ? 'PASS' : 'FAIL');
  return [
    `Convergence check: ${report.id}`,
    `Hard gates: ${word(report.hard.passed)} (${report.hard.details})`,
    `Soft gates: ${word(report.soft.passed)} (${report.soft.details})`,
    `Inner iterations: ${report.iterations.used}/${report.iterations.max}`,
    `Decision: ${report.decision}`,
    '',
    `Plan progress: ${report.plan.done}/${report.plan.total} tasks DONE`,
    `Session budget: ${report.session.used}/${report.session.max}`,
  ].join('\n');
}

const plural = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** Where a plan stands: numbers for machines, and whether somebody should look. */
export interface PlanMetrics {
  iteration: number;
  pending: number;
  resolved: number;
  stalls: number;
  switches: number;
  potential: number;
}

export function planMetrics(state: PlanState): PlanMetrics {
  const leaves = leavesOf(state);
  const resolved = leaves.filter(({ id }) => {
    const { status } = state.records.get(id)!;
    return isDone(status) || status === 'deferred';
  }).length;
  return {
    iteration: state.iterations,
    pending: leaves.length - resolved,
    resolved,
    stalls: state.session?.stalls ?? 0,
    switches: state.switches,
    potential: Math.round(state.agenda.potential * 1_000) / 1_000,
  };
}

export interface PlanHealth {
  healthy: boolean;
  reasons: string[];
}

/**
 * Healthy: less and less is left, stalls and iterations are below their limits, nothing fails over and over, nothing is
 * stuck or waits for it. A plan that is complete is healthy, and one that ended for a reason that a person must mend is
 * not, whatever the numbers say.
 */
export function planHealth(state: PlanState): PlanHealth {
  const ended = state.session?.ended ?? null;
  if (ended?.status === 'complete' || ended?.status === 'complete-with-caveats')
    return { healthy: true, reasons: [] };
  const { limits } = state.plan;
  const stalls = state.session?.stalls ?? 0;
  const spent = state.session?.spent ?? 0;
  const reasons = [
    ...(state.trend === 'expansion' ? ['more is left than before the last item was settled'] : []),
    ...(stalls > 0 && stalls >= limits.stalls - 1
      ? [`${plural(stalls, 'item')} in a row brought nothing; the limit is ${limits.stalls}`]
      : []),
    ...(spent >= limits.session && state.agenda.potential > 0
      ? [`all ${limits.session} iterations of the session are used, and work is left`]
      : []),
    ...[...state.records].flatMap(([id, { attempts, status }]) =>
      attempts.length >= 3 && !isDone(status) ? [`${id} failed ${attempts.length} times`] : [],
    ),
    ...openReasons(state),
    ...(ended !== null && isSerious(ended) ? [`the session ended as ${ended.status}: ${ended.reason}`] : []),
  ];
  return { healthy: reasons.length === 0, reasons };
}

/** What nobody works on any more, and what nobody can begin because of that. */
function openReasons(state: PlanState): string[] {
  const named = (items: readonly WorkItem[]) =>
    `${items
      .slice(0, 5)
      .map(({ id }) => id)
      .join(', ')}${items.length > 5 ? ` and ${items.length - 5} more` : ''}`;
  const verb = (items: readonly WorkItem[], one: string, many: string) => (items.length === 1 ? one : many);
  const leaves = leavesOf(state);
  const stuckLeaves = leaves.filter(({ id }) => state.records.get(id)!.status === 'stuck');
  // One that is stuck when its parts are there has no leaf that tells it.
  const stuck =
    stuckLeaves.length > 0
      ? stuckLeaves
      : state.agenda.items.filter(
          ({ id, parent }) => parent === null && state.records.get(id)!.status === 'stuck',
        );
  const held = stuck.length === 0 ? [] : leaves.filter((item) => isBlocked(state, item));
  const asked = leaves.filter(({ id }) => state.records.get(id)!.waiting !== null);
  return [
    ...(stuck.length > 0 ? [`${named(stuck)} ${verb(stuck, 'is', 'are')} stuck`] : []),
    ...(held.length > 0 ? [`${named(held)} cannot begin`] : []),
    ...(asked.length > 0 ? [`${named(asked)} ${verb(asked, 'waits', 'wait')} for a person`] : []),
  ];
}

/** Neither complete, nor what a person asked for; that the iterations are used is told already. */
const isSerious = ({ status, code }: { status: PlanEnding; code: string }): boolean =>
  status === 'stuck' ||
  status === 'blocked' ||
  status === 'error' ||
  (status === 'budget' && code !== 'budget.session');

/** Whether an item is neither settled nor able to begin (the derived BLOCKED). */
export function isBlocked(state: PlanState, { id }: WorkItem): boolean {
  const { status } = state.records.get(id)!;
  return status === 'not-started' && !state.agenda.isOpen(id);
}
