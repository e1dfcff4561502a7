import type { BuildEnd, Changed, Event, EventBody, StrategyAnswer } from './event.ts';
import type { Decision } from './decision.ts';
import type { AgentSpec, NamedGate } from './spec.ts';
import type { RunState } from './state.ts';
import type { StrategyContext } from './strategies/strategy.ts';
import type { Verdict } from './verdict.ts';

/** The append-only history of runs. One writer per run; readers fold and never write. */
export interface EventLog {
  read(runId: string): Promise<readonly Event[]>;
  /** Durable when it resolves. Refuses when `afterSeq` is not the last event's number. */
  append(runId: string, afterSeq: number, bodies: readonly EventBody[]): Promise<readonly Event[]>;
}

export interface Clock {
  /** Milliseconds since the epoch, for display. */
  wallMs(): number;
  /** Milliseconds that only ever grow, for limits. */
  monoMs(): number;
  /** Resolves after so long, or as soon as the signal is aborted. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
  /** Calls once after so long, unless cancelled. */
  after(ms: number, call: () => void): { cancel(): void };
}

export interface Snapshot {
  /** The git tree, everything captured. */
  tree: string;
  /** A key of the work alone: equal when two trees differ only in what agents and gates write for themselves. */
  work: string;
  /** Like `work`, after removing white space and comments from every changed text file. */
  substance: string;
  /** Against the snapshot before it. */
  changed: Changed;
  /** Paths that are not captured, with the reason; restore never touches them. */
  leftOut: { path: string; why: string }[];
  /** Repositories inside the workspace; their files are captured, their git directories are not. */
  nested: string[];
}

export interface Workspace {
  readonly root: string;
  /** Captures the tree as it is and keeps it under `ref`. The work key leaves out what `ignores` says. */
  snapshot(request: {
    ref: string;
    ignores?: (path: string) => boolean;
    baseTree?: string;
  }): Promise<Snapshot>;
  /** Which paths differ between two captured trees. */
  changedPaths(
    from: string,
    to: string,
  ): Promise<{ path: string; status: 'added' | 'modified' | 'deleted' }[]>;
  /** Brings a captured tree back into the workspace; what is there is kept under `safetyRef` before. */
  restore(tree: string, safetyRef: string): Promise<unknown>;
  /** A key of the entries of a captured tree that match the patterns: equal when none of them differs. */
  inputsKey(tree: string, patterns: readonly string[]): Promise<string>;
  close(): Promise<void>;
}

/** An answer of a person to an approval gate, about one tree. */
export interface Approval {
  gate: string;
  tree: string;
  by: string;
  approved: boolean;
  note?: string;
}

/** What a gate may know of the run it judges in. */
export interface GateRun {
  iteration: number;
  /** The tree that is judged; empty outside of a run. */
  tree: string;
  /** Answers of persons to this gate on this tree. */
  approvals: readonly Approval[];
  /** The work keys of this and the earlier judged iterations, newest first. */
  works: readonly string[];
  /** How similar the agent's output was to the ones before it, newest first. */
  similar: readonly (number | null)[];
}

/** A gate that is judged by itself, outside of any run. */
export const noRun: GateRun = { iteration: 0, tree: '', approvals: [], works: [], similar: [] };

export interface GateRequest {
  gate: NamedGate;
  root: string;
  run: GateRun;
  timeoutMs: number;
  /** Marks every process the gate starts. */
  marker: string;
  signal: AbortSignal;
  /** Descriptors its processes inherit: the workspace stays locked while any of them lives. */
  keepFds?: readonly number[];
  onOutput?: (text: string) => void;
}

export interface Judgement {
  verdict: Verdict;
  tookMs: number;
  /** The bounded output, kept beside the log. */
  output: string;
  /** What the gate's own generator wants the agent to be told. */
  feedback?: string;
}

/** Judges one gate on one tree. Never throws for a failing gate. */
export type Gate = (request: GateRequest) => Promise<Judgement>;

export interface AgentRequest {
  spec: AgentSpec;
  runId: string;
  iteration: number;
  root: string;
  prompt: string;
  feedback: string;
  nonce: string;
  /** The session to go on in; without one the agent begins with a fresh context. */
  sessionId?: string;
  /** A directory for the files the agent may read and write; emptied afterwards. */
  scratch: string;
  marker: string;
  /** A file that comes into being when the agent really begins, so that a start cut short is known for one. */
  startMark: string;
  /** Aborted by a stop or by the wall clock; its reason says which. */
  signal: AbortSignal;
  /** Descriptors the agent's processes inherit: the workspace stays locked while any of them lives. */
  keepFds?: readonly number[];
  onOutput?: (text: string) => void;
}

export interface Built {
  end: BuildEnd;
  output: string;
  outputBytes: number;
  tookMs: number;
  /** What the agent wrote to its outcome file, if anything. */
  claimed?: boolean;
  giveUp?: string;
  tokens?: number;
  costUsd?: number;
  sessionId?: string;
}

/**
 * Lets an agent work once, and resolves when none of its processes lives: gates judge a tree at rest.
 * Never throws for an agent that fails; throws a fault when it cannot be started.
 */
export type Agent = (request: AgentRequest) => Promise<Built>;

export interface ConsultRequest {
  runId: string;
  root: string;
  context: StrategyContext;
  /** What the strategy left with its last answer; after a restart it goes on from there. */
  state: unknown;
}

export interface Consulted {
  answer: StrategyAnswer;
  tookMs: number;
  state?: unknown;
}

/**
 * Asks a strategy that lives outside of the core. Never throws for what the strategy does: that is a failed answer.
 * `end` is called exactly once, on every way out of a run.
 */
export interface Advisor {
  consult(request: ConsultRequest): Promise<Consulted>;
  end(ending: LoopEnd): Promise<void>;
}

/** What a strategy is told when its loop is over. */
export interface LoopEnd {
  runId: string;
  totalIterations: number;
  finalResult: 'success' | 'max_iterations' | 'timeout' | 'strategy_stop' | 'error';
  elapsedMs: number;
  status: string;
  code: string;
}

export interface NotifyRequest {
  about: 'end' | 'escalation' | 'waiting';
  runId: string;
  iteration: number;
  gates: readonly string[];
  text: string;
  /** For the end of a run. */
  outcome?: { status: string; code: string; reason: string; caveats: readonly string[] };
}

/** Tells people. Never throws: a message that could not be sent is told in the result. */
export type Notify = (
  request: NotifyRequest,
  signal?: AbortSignal,
) => Promise<{ way: string; ok: boolean; detail?: string }[]>;

export interface DeliverRequest {
  runId: string;
  tree: string;
  ending: Extract<Decision, { kind: 'end-run' }>;
  /** For the baseline, the verdicts and the receipt. */
  state: RunState;
}

/** Makes a good tree a commit or a branch, beside the user's checkout. Never throws. */
export type Deliver = (request: DeliverRequest) => Promise<Extract<EventBody, { kind: 'delivered' }> | null>;
