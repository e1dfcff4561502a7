import type { BuildEnd, Changed, Event, EventBody } from './event.ts';
import type { AgentSpec, GateSpec } from './spec.ts';
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
  close(): Promise<void>;
}

export interface GateRequest {
  gate: GateSpec & { name: string };
  root: string;
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
