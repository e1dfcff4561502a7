import { decide } from './decide.ts';
import type { Decision } from './decision.ts';
import { makeEnding } from './ending.ts';
import type { Event, EventOf } from './event.ts';
import { evolve } from './evolve.ts';
import { sameJson } from './same-json.ts';
import { emptyState, type RunState } from './state.ts';
import { strategies } from './strategies/index.ts';
import type { StrategyRegistry } from './strategies/registry.ts';
import { suspendedByRedirect } from './suspended.ts';

/** A recorded decision or ending that does not follow from the events before it. */
export interface Difference {
  runId: string;
  seq: number;
  what: 'decision' | 'ending';
  recorded: string;
  /** What follows now; why nothing does, when nothing does. */
  recomputed: string;
  /** The version that recorded it. */
  version: string;
}

/** A history lived through once more. */
export interface Replay {
  state: RunState;
  decisions: number;
  endings: number;
  differences: Difference[];
}

export interface ReplayOptions {
  registry?: StrategyRegistry;
  /** What the store did to an event before it wrote it down, such as hiding secrets. */
  clean?: <T>(value: T) => T;
}

/** Decides every recorded decision again on the events before it, and makes every ending again. */
export function replay(
  events: Iterable<Event>,
  { registry = strategies, clean = (value) => value }: ReplayOptions = {},
): Replay {
  const told: Replay = { state: emptyState(), decisions: 0, endings: 0, differences: [] };
  let version = '';
  let before: Event | null = null;
  for (const event of events) {
    if (event.kind === 'run.started' || event.kind === 'run.resumed') version = event.version ?? version;
    const made = madeAgain(told.state, event, before, registry);
    if (made) {
      told[`${made.what}s`] += 1;
      const isSame = sameJson(made.recorded, made.again) || sameJson(made.recorded, clean(made.again));
      if (!isSame) told.differences.push(differenceOf(told.state, event.seq, made, version));
    }
    told.state = evolve(told.state, event);
    before = event;
  }
  return told;
}

type Ending = ReturnType<typeof makeEnding>;
type Again =
  | { what: 'decision'; recorded: Decision; again: Decision | Error }
  | { what: 'ending'; recorded: Ending; again: Ending | Error };

function madeAgain(
  state: RunState,
  event: Event,
  before: Event | null,
  registry: StrategyRegistry,
): Again | null {
  if (event.kind === 'decided') {
    const { decision } = event;
    const byPerson = before?.kind === 'redirect.requested' && sameJson(decision, suspendedByRedirect);
    const again = byPerson ? suspendedByRedirect : attempt(() => decide(state, registry));
    return { what: 'decision', recorded: decision, again };
  }
  if (event.kind !== 'run.ended') return null;
  const recorded = bodyOf(event);
  const { open } = state;
  if (open?.kind === 'end-run')
    return { what: 'ending', recorded, again: attempt(() => makeEnding(state, open)) };
  return { what: 'ending', recorded, again: new Error('nothing was decided that ends the run') };
}

function bodyOf(event: EventOf<'run.ended'>): Ending {
  const { v: _, seq: __, at: ___, ...body } = event;
  return body;
}

/** A history that no run can have lived through leads nowhere; that is a difference and not a bug. */
function attempt<T>(make: () => T): T | Error {
  try {
    return make();
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

function differenceOf({ runId }: RunState, seq: number, made: Again, version: string): Difference {
  const { what, recorded, again } = made;
  return {
    runId,
    seq,
    what,
    recorded: nameOf(recorded),
    recomputed: again instanceof Error ? `nothing (${again.message})` : nameOf(again),
    version,
  };
}

const nameOf = (made: Decision | Ending): string =>
  made.kind === 'run.ended' ? `${made.status} (${made.code})` : `${made.kind} (${made.because.code})`;
