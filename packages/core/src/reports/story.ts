import type { Decision } from '../decision.ts';
import type { Added, Event, EventOf } from '../event.ts';
import { measure } from '../progress.ts';
import { emptyFooting, type RunState } from '../state.ts';
import { makeRow, type Row, type Spent } from './row.ts';

/** A decision with its reason, for people. */
export interface Told {
  at: string;
  kind: Decision['kind'];
  /** The iteration it was made after. */
  iteration: number;
  code: string;
  reason: string;
  action: Decision['because']['action'];
  confidence: number;
  /** Codes of what held as well. */
  also: string[];
}

/** What a person, or somebody in a person's place, had to say. */
export type Said =
  | EventOf<'redirect.requested' | 'approval.given' | 'grant.given' | 'person.answered' | 'stop.requested'>
  | { kind: 'went-on'; at: string; from: string; added: Added };

type Before = Pick<RunState, 'judged' | 'footing'>;

/**
 * Follows a run event by event and keeps what reports tell. Each event costs the same, however long the run is;
 * with `keep` only the newest rows and decisions stay.
 */
export class Story {
  readonly rows: Row[] = [];
  readonly decisions: Told[] = [];
  readonly said: Said[] = [];
  readonly advice: EventOf<'strategy.answered'>[] = [];
  readonly faults: EventOf<'fault.raised'>[] = [];
  readonly notices: EventOf<'notified'>[] = [];
  delivered: EventOf<'delivered'> | null = null;
  startedAt = '';
  waits = { times: 0, ms: 0 };
  /** Failures of the baseline, or of the first judgement where there was none. */
  firstFailures: ReadonlySet<string> | null = null;
  /** What the newest five judged iterations came to (R-002-15), and how often three in a row came to the same. */
  readonly contents: string[] = [];
  loops = 0;
  /** Rows that were left out because of `keep`. */
  omitted = 0;
  readonly #keep: number;
  #closed = '';
  #before: Before = { judged: [], footing: emptyFooting() };
  #spent: Spent = { buildMs: 0, gatesMs: 0 };

  constructor(keep = Number.POSITIVE_INFINITY) {
    this.#keep = keep;
  }

  /** Takes one event in, with the state after it. */
  take(event: Event, state: RunState): void {
    this.#note(event, state);
    const closed = closingOf(state);
    // A person who goes on may reopen the last iteration; the one before it was told already.
    const older = (state.last?.current.iteration ?? 0) < (this.rows.at(-1)?.iteration ?? 0);
    if (closed !== '' && closed !== this.#closed && !older) this.#close(event, state);
    this.#closed = closed;
    this.#before = { judged: state.judged.slice(-2), footing: state.footing };
  }

  #note(event: Event, state: RunState): void {
    switch (event.kind) {
      case 'run.started':
        this.startedAt = event.at;
        if (event.parent)
          this.said.push({
            kind: 'went-on',
            at: event.at,
            from: event.parent.runId,
            added: event.added ?? {},
          });
        if (state.iteration === 0) this.firstFailures = null;
        break;
      case 'decided':
        this.#told(event, state.iteration);
        break;
      case 'agent.ended':
        this.#spent.buildMs += event.tookMs;
        break;
      case 'gate.judged':
        this.#spent.gatesMs += event.tookMs;
        break;
      case 'wait.ended':
        this.waits = { times: this.waits.times + 1, ms: this.waits.ms + event.waitedMs };
        break;
      case 'redirect.requested':
      case 'approval.given':
      case 'grant.given':
      case 'person.answered':
      case 'stop.requested':
        this.said.push(event);
        break;
      case 'strategy.answered':
        keepNewest(this.advice, event, this.#keep);
        break;
      case 'fault.raised':
        keepNewest(this.faults, event, this.#keep);
        break;
      case 'notified':
        keepNewest(this.notices, event, this.#keep);
        break;
      case 'delivered':
        this.delivered = event;
        break;
      default:
        // The rest is in the state, or in the row that closes its iteration.
        break;
    }
  }

  #told({ decision, at }: EventOf<'decided'>, current: number): void {
    const { code, reason, action, confidence, also } = decision.because;
    const iteration = decision.kind === 'start-iteration' ? decision.iteration - 1 : current;
    const told = { at, kind: decision.kind, iteration, code, reason, action, confidence };
    keepNewest(this.decisions, { ...told, also: also.map((one) => one.code) }, this.#keep);
  }

  #close(event: Event, state: RunState): void {
    const now = state.last!;
    const row = makeRow(now, measure(this.#before, now), this.#spent, becauseOf(event));
    this.#spent = { buildMs: 0, gatesMs: 0 };
    if (now.judged) this.firstFailures ??= now.failures;
    // An iteration that a person went on with is closed twice; its last word counts.
    if (this.rows.at(-1)?.iteration === row.iteration) this.rows.pop();
    this.omitted += keepNewest(this.rows, row, this.#keep);
    if (row.judged && row.iteration > 0) this.#compare(row);
  }

  #compare(row: Row): void {
    keepNewest(this.contents, contentOf(row), 5);
    const window = this.contents.slice(-3);
    if (window.length === 3 && new Set(window).size === 1) this.loops += 1;
  }
}

/** Names the iteration that was closed last; another fold of the same events gives the same name. */
function closingOf({ last }: RunState): string {
  return last === null ? '' : `${last.current.iteration}|${last.current.at}|${last.standings.length}`;
}

/** What an iteration came to: the verdicts and the snapshot (R-002-16). */
const contentOf = ({ gates, tree }: Row): string =>
  `${tree}|${Object.entries(gates)
    .map(([name, cell]) => `${name}=${cell.verdict}:${cell.findings}`)
    .join('|')}`;

function becauseOf(event: Event): Row['because'] {
  if (event.kind === 'decided') {
    const { code, reason } = event.decision.because;
    return { code, reason };
  }
  return event.kind === 'run.ended'
    ? { code: event.code, reason: event.reason }
    : { code: event.kind, reason: '' };
}

/** Adds one and drops the oldest beyond `keep`; gives how many were dropped. */
function keepNewest<T>(list: T[], one: T, keep: number): number {
  list.push(one);
  if (list.length <= keep) return 0;
  list.shift();
  return 1;
}
