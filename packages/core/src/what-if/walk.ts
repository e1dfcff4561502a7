import { decide } from '../decide.ts';
import type { Decision } from '../decision.ts';
import { type Event, type EventBody, type EventKind, type EventOf, eventVersion } from '../event.ts';
import { evolve } from '../evolve.ts';
import { moveNames } from '../ladder.ts';
import { sameJson } from '../same-json.ts';
import type { MoveKind, StrategySpec } from '../spec.ts';
import { emptyState, type RunState } from '../state.ts';
import type { StrategyRegistry } from '../strategies/registry.ts';
import { suspendedByRedirect } from '../suspended.ts';
import { keepStep, type Step, stepOf } from './step.ts';

type EndRun = Extract<Decision, { kind: 'end-run' }>;

/** A record walked through under another strategy, up to where that one ends it or the record does. */
interface Walked {
  /** As it stands when the walk ends. */
  state: RunState;
  steps: Step[];
  ends: 'earlier' | 'same' | 'beyond';
  end: EndRun | null;
  assumptions: string[];
}

interface Options {
  registry: StrategyRegistry;
  begun: (event: EventOf<'run.started'>) => EventOf<'run.started'>;
}

/** What follows a decision as its fact, and is left out with it. */
const factsOf: Record<Decision['kind'], readonly EventKind[]> = {
  'measure-baseline': [],
  'start-iteration': ['agent.started', 'agent.ended', 'snapshot.taken'],
  judge: ['integrity.checked', 'gate.judged'],
  confirm: ['tree.confirmed'],
  control: ['control.judged'],
  consult: ['strategy.answered'],
  ask: ['person.answered'],
  'make-move': ['move.made'],
  notify: ['notified'],
  wait: ['wait.ended'],
  'end-run': ['delivered', 'notified', 'run.ended'],
};

/** Steps between two iterations that no fact of the next one depends on. */
const between: readonly Decision['kind'][] = ['make-move', 'notify', 'wait', 'consult', 'ask'];

/** More steps than this between two recorded ones is no walk any more. */
const mostBetween = 20;

/** Lives through the recorded facts, each decision made anew. */
export function walk(events: readonly Event[], strategy: StrategySpec, options: Options): Walked {
  const lastEnd = events.findLastIndex((one) => one.kind === 'decided' && one.decision.kind === 'end-run');
  const walker = makeWalker(options.registry);
  let left: readonly EventKind[] = [];
  for (const [at, event] of events.entries()) {
    if (event.kind !== 'decided') {
      if (left.includes(event.kind)) walker.leaveOut(event);
      else walker.take(event.kind === 'run.started' ? under(strategy, options.begun(event)) : event);
      continue;
    }
    const { decision } = event;
    const isGoneOnFrom = decision.kind === 'end-run' && at < lastEnd;
    const came = isGoneOnFrom || isWordOfPerson(decision) ? walker.follow(event) : walker.meet(event);
    if (came === 'over') return walker.told();
    left = came === 'left' ? factsOf[decision.kind] : [];
  }
  return walker.told();
}

const under = (strategy: StrategySpec, event: EventOf<'run.started'>): EventOf<'run.started'> => ({
  ...event,
  spec: { ...event.spec, strategy },
});

/** Whoever gave new words while nobody drove the run has ended it; no strategy was asked. */
const isWordOfPerson = (decision: Decision): boolean => sameJson(decision, suspendedByRedirect);

/** `took`: the recorded facts follow. `left`: they are left out. `over`: nothing more is known or wanted. */
type Came = 'took' | 'left' | 'over';

function makeWalker(registry: StrategyRegistry) {
  let state = emptyState();
  let move: MoveKind | null = null;
  let ends: Walked['ends'] = 'beyond';
  let end: EndRun | null = null;
  const steps: Step[] = [];
  const assumptions: string[] = [];

  const take = (event: Event): void => {
    state = evolve(state, event);
  };
  const insert = (body: EventBody): void =>
    take({ ...body, v: eventVersion, seq: state.seq, at: state.lastAt });
  const told = (): Walked => ({ state, steps, ends, end, assumptions });

  /** The decision is made as on the record, with the reason of this strategy. */
  function follow(event: EventOf<'decided'>, decision: Decision = event.decision): Came {
    note(decision);
    take({ ...event, decision });
    return 'took';
  }

  function note(decision: Decision): void {
    if (decision.kind === 'make-move') move = decision.move;
    const step = stepOf(decision, state.iteration, move);
    if (!step) return;
    keepStep(steps, step);
    move = null;
  }

  function finish(how: Walked['ends'], decision: EndRun | null): Came {
    ends = how;
    end = decision;
    if (decision) note(decision);
    return 'over';
  }

  /** What the other strategy does where the record has this decision. */
  function meet(event: EventOf<'decided'>): Came {
    const recorded = event.decision;
    for (let times = 0; times < mostBetween; times++) {
      const other = decide(state, registry);
      if (isSameStep(other, recorded)) {
        if (other.kind === 'end-run') return finish('same', other);
        return follow(
          event,
          'gates' in recorded && other.kind === 'judge' ? { ...recorded, because: other.because } : other,
        );
      }
      if (other.kind === 'end-run') return finish('earlier', other);
      if (between.includes(recorded.kind)) return leave(recorded);
      const went = other.kind === 'confirm' || between.includes(other.kind) ? stepBetween(other) : 'differs';
      if (went === 'asks') return asks();
      if (went === 'differs') return differ(other, recorded);
    }
    return finish('beyond', null);
  }

  /** Neither a step between two iterations nor the same: one of them judges, goes on or ends where the other does not. */
  function differ(other: Decision, recorded: Decision): Came {
    if (recorded.kind === 'end-run') return finish('beyond', null);
    // What it would have ended on was never judged, or not once more.
    if (other.kind === 'judge' || other.kind === 'control') return unjudged();
    // The record looked once more before it ended; this one goes on without.
    return 'left';
  }

  function unjudged(): Came {
    assumptions.push(
      `it would have judged once more what iteration ${state.iteration} left before it ended; that is taken not to have passed`,
    );
    return finish(
      'earlier',
      endAt('strategy.unjudged', 'it would have ended here, after one more judgement'),
    );
  }

  function asks(): Came {
    assumptions.push(
      `it would have asked a person after iteration ${state.iteration}; nobody is taken to answer`,
    );
    return finish('earlier', endAt('user.no-answer', 'it would have asked a person here'));
  }

  function leave(recorded: Decision): Came {
    if (recorded.kind === 'make-move')
      assumptions.push(
        `the recorded run made a move after iteration ${state.iteration} (${moveNames[recorded.move]}), which it would not have made there; what came of it is taken as it was`,
      );
    return 'left';
  }

  /** A step of its own that the record does not have there. */
  function stepBetween(decision: Decision): 'went' | 'asks' | 'differs' {
    const { iteration } = state;
    if (decision.kind === 'ask' || decision.kind === 'consult') return 'asks';
    insert({ kind: 'decided', decision });
    note(decision);
    switch (decision.kind) {
      case 'make-move':
        assumptions.push(
          `after iteration ${iteration} it would have made a move (${moveNames[decision.move]}); the recorded iteration ${iteration + 1} stands in for what would have come of it`,
        );
        insert({ kind: 'move.made', iteration, move: decision.move });
        return 'went';
      case 'wait':
        insert({ kind: 'wait.ended', waitedMs: decision.forMs });
        return 'went';
      case 'notify':
        insert({ kind: 'notified', about: decision.about, iteration, gates: decision.gates, ways: [] });
        return 'went';
      case 'confirm':
        insert(confirmed(state, decision));
        return 'went';
      default:
        return 'differs';
    }
  }

  /** A tree that a recorded move brought back is where the next iteration began, whoever would have made that move. */
  function leaveOut(event: Event): void {
    if (event.kind !== 'move.made' || event.tree === undefined || event.work === undefined) return;
    state.atHand = event.tree;
    if (state.current) state.current.backTo = { tree: event.tree, work: event.work };
  }

  return { take, follow, meet, leaveOut, told };
}

const endAt = (code: string, reason: string): EndRun => ({
  kind: 'end-run',
  status: 'diverged',
  caveats: [],
  goalSatisfied: false,
  because: { code, reason, confidence: 1, evidence: {}, action: 'fail', also: [] },
});

/** The tree that only soft gates keep from green is taken to have stayed as it was judged. */
function confirmed(
  { current }: RunState,
  { iteration, attempt, tree }: Extract<Decision, { kind: 'confirm' }>,
): EventBody {
  const { work = '', substance = '' } = current ?? {};
  const still = { tree, after: tree, work, substance, moved: [], fresh: [] };
  return { kind: 'tree.confirmed', iteration, attempt, ...still };
}

function isSameStep(one: Decision, other: Decision): boolean {
  if (one.kind !== other.kind) return false;
  if (one.kind === 'make-move' && other.kind === 'make-move')
    return one.move === other.move && one.to === other.to;
  if (one.kind === 'wait' || one.kind === 'notify') return one.because.code === other.because.code;
  return true;
}
