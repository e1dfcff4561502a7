import {
  assess,
  type Because,
  type Assessment,
  type BuildEnd,
  type Changed,
  type Decision,
  emptyState,
  type Event,
  type EventOf,
  evolve,
  explainDecision,
  type FindingClass,
  findingClasses,
  type RunState,
  Story,
  type Verdict,
} from '@agentgate/core';
import { Findings } from './findings.ts';
import { type Mark, markOf } from './gate-mark.ts';
import { cut, mark, type Span } from './span.ts';

/** A text that lies beside the log of a run. */
export interface TextRef {
  runId: string;
  ref: string;
}

/** What one gate said in one iteration. */
export interface Judged {
  gate: string;
  verdict: Verdict;
  tookMs: number;
  output: TextRef | null;
  rung: string | null;
  cached: boolean;
}

/** One iteration: what went in, what came out, and why it went on. Number 0 is the baseline. */
export interface Chapter {
  iteration: number;
  runId: string;
  at: string;
  tree: string | null;
  /** The agent's part; absent for the baseline. */
  prompt: TextRef | null;
  feedback: TextRef | null;
  output: TextRef | null;
  outputBytes: number;
  build: BuildEnd | null;
  claim: string | null;
  changed: Changed | null;
  judged: Map<string, Judged>;
  marks: Map<string, { mark: Mark; findings: number }>;
  /** Set when the iteration is over. */
  closed: boolean;
  wasJudged: boolean;
  failures: number;
  score: number;
  isProgress: boolean;
  counts: Record<FindingClass, number>;
  because: { code: string; reason: string } | null;
  told: string[];
  tookMs: number;
  /** Used by the run when the iteration was over. */
  used: { activeMs: number; tokens: number | null; costUsd: number | null };
}

/** One decision with everything it used. */
export interface Decided {
  seq: number;
  at: string;
  runId: string;
  /** The iteration it was made after. */
  iteration: number;
  decision: Decision;
  because: Because;
  told: string[];
}

/** Follows a run event by event and keeps what the pages show of it. The same for live runs, old ones and files. */
export class Chronicle {
  state: RunState = emptyState();
  readonly story = new Story();
  readonly findings = new Findings();
  readonly chapters: Chapter[] = [];
  readonly decided: Decided[] = [];
  /** By gate: how it stood over the iterations that are over. */
  readonly gates = new Map<string, Span<Mark>[]>();
  /** The newest event. */
  last: Event | null = null;
  #closed: unknown = null;
  /** The clock of the log when the step under way began. */
  since = '';

  take(event: Event): void {
    if (event.kind === 'decided') this.#decided(event);
    this.state = evolve(this.state, event);
    this.story.take(event, this.state);
    this.last = event;
    this.#note(event);
    if (this.state.last !== null && this.state.last !== this.#closed) this.#close();
    this.#closed = this.state.last;
  }

  /**
   * Brings the iteration under way up to what its gates have said so far. Asked for before something is drawn, and not
   * after each event, since most of what came between is never seen.
   */
  settle(): void {
    const { current } = this.state;
    const chapter = current && this.chapter(current.iteration);
    if (!chapter || chapter.closed || chapter.judged.size === 0) return;
    const now = assess(this.state, current);
    this.#mark(chapter, now);
    if (now.judged) this.#count(chapter, now);
  }

  chapter(iteration: number): Chapter | null {
    return this.chapters[this.#indexOf(iteration)] ?? null;
  }

  /** The newest iteration that is there, closed or not. */
  get newest(): number {
    return this.chapters.at(-1)?.iteration ?? 0;
  }

  #indexOf(iteration: number): number {
    const first = this.chapters[0]?.iteration ?? 0;
    const direct = iteration - first;
    if (this.chapters[direct]?.iteration === iteration) return direct;
    return this.chapters.findIndex((one) => one.iteration === iteration);
  }

  #decided({ decision, at, seq }: EventOf<'decided'>): void {
    const { state } = this;
    const told = explainDecision(state, decision)?.sentences ?? [];
    const iteration = decision.kind === 'start-iteration' ? decision.iteration - 1 : state.iteration;
    this.decided.push({ seq, at, runId: state.runId, iteration, decision, because: decision.because, told });
    const chapter = this.chapter(iteration);
    if (chapter && told.length > 0 && (decision.kind === 'start-iteration' || decision.kind === 'end-run'))
      chapter.told = told;
  }

  #note(event: Event): void {
    const { state } = this;
    switch (event.kind) {
      case 'decided':
        if (event.decision.kind === 'measure-baseline') this.#open(0, event.at);
        if (event.decision.kind === 'start-iteration') this.#open(event.decision.iteration, event.at);
        break;
      case 'agent.started': {
        const chapter = this.#open(event.iteration, event.at);
        chapter.prompt = { runId: state.runId, ref: event.prompt };
        chapter.feedback = event.feedback === undefined ? null : { runId: state.runId, ref: event.feedback };
        break;
      }
      case 'agent.ended': {
        const chapter = this.#open(event.iteration, event.at);
        chapter.build = event.end;
        chapter.output = event.output === null ? null : { runId: state.runId, ref: event.output };
        chapter.outputBytes = event.outputBytes;
        chapter.claim = event.claim?.signal ?? null;
        break;
      }
      case 'snapshot.taken': {
        const chapter = this.#open(event.iteration, event.at);
        chapter.tree = event.tree;
        chapter.changed = event.changed;
        break;
      }
      case 'gate.judged':
        this.#judged(event);
        break;
      default:
        break;
    }
    if (startsStep(event)) this.since = event.at;
  }

  #judged(event: EventOf<'gate.judged'>): void {
    const { runId } = this.state;
    this.#open(event.iteration, event.at).judged.set(event.gate, {
      gate: event.gate,
      verdict: event.verdict,
      tookMs: event.tookMs,
      output: event.output === null ? null : { runId, ref: event.output },
      rung: event.rung ?? null,
      cached: event.cached ?? false,
    });
  }

  /** The chapter of an iteration. One that is begun again, by a fork or a retry, is written anew from there. */
  #open(iteration: number, at: string): Chapter {
    const index = this.#indexOf(iteration);
    const known = this.chapters[index];
    if (known && !known.closed) return known;
    if (known && this.state.current?.iteration !== iteration) return known;
    if (known) this.chapters.length = index;
    const chapter = newChapter(iteration, this.state.runId, at);
    this.chapters.push(chapter);
    return chapter;
  }

  #close(): void {
    const { state } = this;
    const now = state.last!;
    const { current } = now;
    const chapter = this.chapter(current.iteration) ?? this.#open(current.iteration, current.at);
    const row = this.story.rows.at(-1);
    chapter.closed = true;
    chapter.at = current.at;
    chapter.tree = current.tree;
    chapter.because = row?.iteration === current.iteration ? row.because : null;
    chapter.tookMs = current.tookMs;
    chapter.used = { activeMs: state.activeMs, tokens: state.tokens, costUsd: state.costUsd };
    this.#mark(chapter, now);
    this.#count(chapter, now);
  }

  #mark(chapter: Chapter, now: Assessment): void {
    const { iteration, cached } = now.current;
    for (const standing of now.standings) {
      const { name } = standing.gate;
      const found = markOf(standing, cached.has(name));
      chapter.marks.set(name, { mark: found, findings: standing.findings.length });
      const spans = this.gates.get(name) ?? [];
      this.gates.set(name, spans);
      cut(spans, iteration);
      mark(spans, iteration, found);
    }
  }

  #count(chapter: Chapter, now: Assessment): void {
    chapter.wasJudged = now.judged;
    chapter.failures = now.failures.size;
    chapter.score = now.score;
    chapter.isProgress = now.progress !== null;
    chapter.counts = noCounts();
    if (!now.judged) return;
    for (const one of this.findings.take(now, this.state).values()) chapter.counts[one] += 1;
  }
}

const startsStep = ({ kind }: Event): boolean =>
  ['decided', 'agent.started', 'agent.ended', 'gate.judged', 'run.ended', 'run.paused'].includes(kind);

const noCounts = (): Record<FindingClass, number> =>
  Object.fromEntries(findingClasses.map((one) => [one, 0])) as Record<FindingClass, number>;

const newChapter = (iteration: number, runId: string, at: string): Chapter => ({
  iteration,
  runId,
  at,
  tree: null,
  prompt: null,
  feedback: null,
  output: null,
  outputBytes: 0,
  build: null,
  claim: null,
  changed: null,
  judged: new Map(),
  marks: new Map(),
  closed: false,
  wasJudged: false,
  failures: 0,
  score: 0,
  isProgress: false,
  counts: noCounts(),
  because: null,
  told: [],
  tookMs: 0,
  used: { activeMs: 0, tokens: null, costUsd: null },
});
