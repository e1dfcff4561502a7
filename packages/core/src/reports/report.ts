import { effectiveLimit } from '../effective-limit.ts';
import { failureKeyFor, isNamed } from '../failure.ts';
import type { Event, EventOf, Move } from '../event.ts';
import { emptyState, type RunState } from '../state.ts';
import { evolve } from '../evolve.ts';
import type { Finding } from '../finding.ts';
import { classesOf, countClasses, type FindingClass } from '../finding-class.ts';
import { type Mapped, mapOutcome } from '../outcome.ts';
import { labels, type Row } from './row.ts';
import { nextCommands } from './next.ts';
import { type Said, Story, type Told } from './story.ts';

/** A gate that has not passed when the run was last judged. */
export interface Red {
  gate: string;
  severity: 'hard' | 'soft';
  verdict: string;
  /** What the gate says about itself where it names no finding. */
  detail: string;
  findings: readonly (Finding & { class: FindingClass })[];
}

/** A used amount of a limit; null where there is none. */
interface Use {
  used: number | null;
  limit: number | null;
}

/** How the run ended. */
type Outcome = Pick<EventOf<'run.ended'>, (typeof outcomeFields)[number]>;

const outcomeFields = [
  'status',
  'code',
  'reason',
  'iterations',
  'tree',
  'best',
  'caveats',
  'costUsd',
  'tokens',
  'goalSatisfied',
  'activeMs',
  'at',
] as const;

/** Everything a report tells, as data: the machine twin of the page. */
export interface RunReport {
  kind: 'report';
  v: 1;
  runId: string;
  parentRunId: string | null;
  task: string;
  strategy: string;
  startedAt: string;
  updatedAt: string;
  outcome: Outcome | null;
  /** The ending in the words of the older designs. */
  elsewhere: Mapped | null;
  gates: { name: string; kind: string; severity: 'hard' | 'soft' }[];
  iterations: readonly Row[];
  /** How many of the earliest iterations are not listed. */
  omitted: number;
  /** Red before the run, green now; and the other way round. At most 50 names each. */
  fixed: string[];
  broken: string[];
  fixedCount: number;
  brokenCount: number;
  failing: readonly Red[];
  /** How many findings of each class the newest judgement has, also those that no gate counts. */
  classes: Record<FindingClass, number>;
  /** The iteration that `failing` was seen in; null when none was judged. */
  judgedIn: number | null;
  moves: readonly Move[];
  said: readonly Said[];
  decisions: readonly Told[];
  advice: readonly EventOf<'strategy.answered'>[];
  waits: { times: number; ms: number };
  faults: readonly EventOf<'fault.raised'>[];
  budget: { iterations: Use & { bound: string }; activeMs: Use; tokens: Use; costUsd: Use };
  delivered: EventOf<'delivered'> | null;
  notices: readonly EventOf<'notified'>[];
  next: string[];
}

/** The report of a run as data, from its events. */
export function reportJson(events: Iterable<Event>): RunReport {
  return makeReport(...tell(events));
}

/** Follows a whole history at once. */
export function tell(events: Iterable<Event>): [Story, RunState] {
  const story = new Story();
  let state = emptyState();
  for (const event of events) {
    state = evolve(state, event);
    story.take(event, state);
  }
  return [story, state];
}

export function makeReport(story: Story, state: RunState): RunReport {
  const { spec, ended } = state;
  return {
    kind: 'report',
    v: 1,
    runId: state.runId,
    parentRunId: state.parentRunId,
    task: spec?.task ?? '',
    strategy: spec?.strategy.kind ?? '',
    startedAt: story.startedAt,
    updatedAt: state.lastAt,
    outcome: ended && outcomeOf(ended),
    elsewhere: ended && mapOutcome(ended.status, ended.code),
    gates: (spec?.gates ?? []).map(({ name, kind, severity }) => ({ name, kind, severity })),
    iterations: story.rows,
    omitted: story.omitted,
    ...movement(story, state),
    failing: redGates(state),
    classes: countClasses(state),
    judgedIn: state.lastJudged?.current.iteration ?? null,
    moves: ended?.moves ?? state.moves,
    said: story.said,
    decisions: story.decisions,
    advice: story.advice,
    waits: story.waits,
    faults: story.faults,
    budget: budgetOf(state),
    delivered: story.delivered,
    notices: story.notices,
    next: nextCommands(state, story.delivered),
  };
}

const outcomeOf = (ended: EventOf<'run.ended'>): Outcome =>
  Object.fromEntries(outcomeFields.map((field) => [field, ended[field]])) as Outcome;

/** What the run changed for good: the first judgement against the newest. */
function movement(story: Story, { lastJudged }: RunState) {
  const first = story.firstFailures ?? new Set<string>();
  const now = lastJudged?.failures ?? first;
  const out = new Set(lastJudged?.hidden ?? []);
  const fixed = [...first].filter((key) => !now.has(key) && !out.has(key) && isNamed(key));
  const broken = [...now].filter((key) => !first.has(key) && isNamed(key));
  return {
    fixed: labels(fixed, 50),
    broken: labels(broken, 50),
    fixedCount: fixed.length,
    brokenCount: broken.length,
  };
}

export function redGates(state: RunState): Red[] {
  const { lastJudged } = state;
  if (!lastJudged) return [];
  const red = lastJudged.standings.filter((one) => !one.passed && !one.spared);
  const classes = classesOf(lastJudged, state);
  return red.map(({ gate, verdict, findings }) => ({
    gate: gate.name,
    severity: gate.severity,
    verdict: verdict.kind,
    detail: verdict.kind === 'unable' ? verdict.fault.message : '',
    findings: findings.map((one) => ({ ...one, class: classes.get(failureKeyFor(gate.name, one.id))! })),
  }));
}

function budgetOf(state: RunState): RunReport['budget'] {
  const limits = state.spec?.limits;
  const { limit, bound } = effectiveLimit(state);
  return {
    iterations: { used: state.iteration, limit, bound },
    activeMs: { used: state.activeMs, limit: limits?.wallClock ?? null },
    tokens: { used: state.tokens, limit: limits?.tokens ?? null },
    costUsd: { used: state.costUsd, limit: limits?.cost ?? null },
  };
}
