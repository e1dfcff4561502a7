import type { BuildEnd, Changed, Event, EventBody, Proposal, StrategyAnswer, UsageWindow } from './event.ts';
import type { Decision } from './decision.ts';
import type { Fault } from './fault.ts';
import type { Finding, TestCase } from './finding.ts';
import type { NamedGate, PlainAgent } from './spec.ts';
import type { RunState } from './state.ts';
import type { StrategyContext } from './strategies/strategy.ts';
import type { ProtectedChange, Ratchet, Runner, Rung } from './tampering.ts';
import type { Verdict } from './verdict.ts';

/** The append-only history of runs. One writer per run; readers fold and never write. */
export interface EventLog {
  /** All events, or those up to `upTo`: what stands behind that one is not looked at. */
  read(runId: string, upTo?: number): Promise<readonly Event[]>;
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
    /** The tree that changes are told against; without it, whatever was captured last. */
    since?: string;
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
  /** The patch between two captured trees, and no more of it than `mostBytes`. */
  diff?(from: string, to: string, options: { mostBytes: number }): Promise<string>;
  close(): Promise<void>;
}

/** What the agent changed since before it began. */
export interface Change {
  files: { path: string; status: 'added' | 'modified' | 'deleted' }[];
  /** The beginning of the patch. */
  diff: string;
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
  /** The user's own workspace, whose repository tells of commits and remotes; the root where it is not told. */
  home?: string;
  /** How long the run has waited since the agent ended. */
  waitedMs?: number;
  /** What the agent was asked for. */
  task?: string;
  /** Reads what the agent changed, and no more of the patch than so many bytes. */
  change?(mostBytes: number): Promise<Change>;
}

/** A gate that is judged by itself, outside of any run. */
export const noRun: GateRun = { iteration: 0, tree: '', approvals: [], works: [], similar: [] };

/** Where a gate judges when that is not the workspace itself: the same paths, with the judged tree behind them. */
export interface GateRoom {
  /** The command line that runs these words in the room; `cwd` is a path as the room sees it. */
  argv(argv: readonly string[], cwd?: string): readonly [string, ...string[]];
  /** Where a path of the room, relative to the root or absolute, can be read from outside. */
  resolve(path: string): string;
  /** Why the last command could not be run as it should have been; null when it was. */
  trouble(): Fault | null;
}

export interface GateRequest {
  gate: NamedGate;
  root: string;
  /** Absent where gates judge in place. */
  room?: GateRoom;
  /** Where a report that we asked for ourselves is written, outside of the workspace; the gate's report names its format. */
  ownReport?: string;
  /** Where a checker that we asked to do so lists the files it looked at. */
  ownScope?: string;
  /** Only these are asked about, where the gate's runner can pick them. */
  only?: readonly Finding[];
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
  /** Every test that the gate's report names, at most 50,000. */
  cases?: readonly TestCase[];
  /** Every file of the project that the gate looked at, where it tells. */
  scope?: readonly string[];
  /** How much of the code its tests ran, in per cent, where it measures that. */
  coverage?: number;
}

/** A judgement, and how well the gate was kept from the agent. */
export interface Sealed extends Judgement {
  /** Absent for a gate that starts nothing and reads no file: there is nothing to seal. */
  rung?: Rung;
  /** The runner that was asked for a report of ours. */
  runner?: Runner;
  /** One line for a person where the gate could not be sealed, or could not be told apart from chance. */
  line?: string;
  /** Only what was asked about was judged. */
  picked?: true;
  /** On an empty tree the gate says exactly the same: it may not look at the workspace at all. */
  blind?: true;
}

/** What of a tree is judged: as the agent left it, with the protected files of the baseline, or the baseline itself. */
export type Form = 'as-is' | 'sealed' | 'base';

export interface SealedAt {
  tree: string;
  baseTree: string;
  form: Form;
  rung: Rung;
  runner?: Runner;
  /** Tests that must fail and must pass are run along, to see whether the runner still tells the truth. */
  canaries?: true;
}

export interface Comparison {
  sealed: boolean;
  changed: ProtectedChange[];
  ratchets: Ratchet[];
  dependencies: string[];
}

/** Keeps what the gates judge by out of the agent's reach. */
export interface Seal {
  /** Before any token: judges in place and in the room, and takes the first rung on which the two agree. */
  rehearse(request: GateRequest, tree: string): Promise<Sealed>;
  /** Compares a tree with the baseline. */
  compare(
    at: { tree: string; baseTree: string },
    known: {
      grants: readonly { path: string; oid: string | null }[];
      /** Where the gates judge. */
      rungs: readonly Rung[];
    },
  ): Promise<Comparison>;
  judge(request: GateRequest, at: SealedAt): Promise<Sealed>;
  /** Where files of the baseline are in a tree that was compared with it; a file that is gone is left out. */
  whereabouts(
    at: { tree: string; baseTree: string },
    paths: readonly string[],
  ): Promise<readonly { was: string; path: string; oid: string }[]>;
  /** A round of judging is over; what the gates wrote in their room is thrown away. */
  rest(): Promise<void>;
  close(): Promise<void>;
}

/** Judges one gate on one tree. Never throws for a failing gate. */
export type Gate = (request: GateRequest) => Promise<Judgement>;

/** One thing that a working agent does, as it is seen from outside. */
export type Activity =
  | { kind: 'text'; text: string }
  | { kind: 'tool'; tool: string; what: string }
  /** A tool that it was not allowed to use. */
  | { kind: 'denied'; tool: string; what: string }
  /** Its model did not answer, and it tries again by itself. */
  | { kind: 'retry'; what: string };

export interface AgentRequest {
  spec: PlainAgent;
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
  /** Commands that it may run where it may not do everything: those of the gates. */
  commands?: readonly string[];
  /** The program that shuts the agent in, and host paths that it must not see. */
  sandbox?: { bwrap: string; hide: readonly string[] };
  /** Descriptors the agent's processes inherit: the workspace stays locked while any of them lives. */
  keepFds?: readonly number[];
  onOutput?: (text: string) => void;
  onActivity?: (activity: Activity) => void;
}

export interface Built {
  end: BuildEnd;
  output: string;
  outputBytes: number;
  tookMs: number;
  /** What the agent wrote to its outcome file, if anything. */
  claimed?: boolean;
  /** What it names as proof of its claim. */
  evidence?: string;
  giveUp?: string;
  /** What it asks a person. */
  asks?: string;
  /** How it would change the plan that its task is an item of. */
  proposal?: Proposal;
  /** What was used: input that came out of no cache, and output. */
  tokens?: number;
  /** The agent tells only a part of its tokens: it has used at least these. */
  atLeast?: true;
  costUsd?: number;
  /** The same for the whole session, where that is all the agent tells. */
  total?: { tokens?: number; costUsd?: number };
  sessionId?: string;
  /** How full the usage windows of its account are, where it tells. */
  windows?: readonly UsageWindow[];
  /** Tools that it was not allowed to use. */
  denied?: readonly { tool: string; what: string }[];
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

/** Makes a good tree a commit or a branch, beside the user's checkout. Never throws; what could not be done is told. */
export type Deliver = (
  request: DeliverRequest,
  signal?: AbortSignal,
) => Promise<Extract<EventBody, { kind: 'delivered' }> | null>;
