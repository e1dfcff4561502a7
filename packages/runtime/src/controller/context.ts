import { FaultError, fault, type NamedGate } from '@agentgate/core';

/** What every callback is told. */
export interface CallContext {
  runId: string;
  workOrderId: string;
  taskSpec: unknown;
  /** 1-based; 0 is the baseline, where one is measured. */
  iteration: number;
  /** Aborted by a stop, by the wall clock or by a time-out; its reason says which. */
  signal: AbortSignal;
}

export interface BuildContext extends CallContext {
  /** What came of the build before this one: the words of `onFeedback`, or ours where there are none. */
  feedback: string;
  failures: readonly Failure[];
  /** A whole prompt: the task, how it is judged, the feedback, and how to end honestly. */
  prompt: string;
  /** The session to go on in; without one the agent begins with a fresh context. */
  sessionId?: string;
}

export interface FeedbackContext extends CallContext {
  /** What would be told without `onFeedback`. */
  composed: string;
}

/** What a build came to. `success: false` is a failed build: counted, fed back, not judged. */
export interface BuildResult {
  success: boolean;
  output?: string | undefined;
  tokens?: number | undefined;
  costUsd?: number | undefined;
  sessionId?: string | undefined;
  error?: string | undefined;
  /** The agent's word that it is finished. The gates confirm or refute it. */
  claimed?: boolean | undefined;
  /** Ends the run honestly, with this reason. */
  giveUp?: string | undefined;
  /** Suspends the run until a person has answered: going on with a redirect. */
  asks?: string | undefined;
  /** Beside `success: false`: it could not work just now. No iteration is used, and it is tried again after so long. */
  retryAfterMs?: number | undefined;
}

/** One thing that fails. Whatever else it carries comes back to `onFeedback` and stands in the result. */
export interface GateFailure {
  message: string;
  /** A name that stays the same from one iteration to the next; made from file and message where it is missing. */
  id?: string | undefined;
  file?: string | undefined;
  line?: number | undefined;
  [more: string]: unknown;
}

export interface LevelAnswer {
  level: 'L0' | 'L1' | 'L2' | 'L3';
  passed?: boolean | undefined;
  status?: 'passed' | 'failed' | 'skipped' | 'not-run' | undefined;
  checks?: { name: string; passed: boolean; output?: string | undefined }[] | undefined;
}

/** What a gate says about one snapshot. */
export interface GateAnswer {
  passed: boolean;
  failures?: (GateFailure | string)[] | undefined;
  levelResults?: LevelAnswer[] | undefined;
  /** How many tests passed and failed, for measuring progress. */
  tests?: { passed: number; failed: number; skipped?: number | undefined } | undefined;
  /** Not ready yet: it is asked again later, and no iteration is used. */
  pending?: boolean | { retryAfterMs: number } | undefined;
  /** The gate could not judge. That is neither a pass nor a failure. */
  error?: string | undefined;
  output?: string | undefined;
}

/** What failed, as `onFeedback` and the next build are told. */
export interface Failure extends GateFailure {
  source: 'gate' | 'build';
  /** Null for a build. */
  gate: string | null;
}

/** What a person is told about. */
export interface Notice {
  about: 'end' | 'escalation' | 'waiting';
  gates: readonly string[];
  text: string;
}

type Answer<T> = T | Promise<T>;

/** What a run is about, and the functions that do its work. */
export interface RunContext {
  /** The resolved task, for the callbacks. A text, or `{prompt}`, is also the task of the prompt. */
  taskSpec?: unknown;
  workOrderId?: string | undefined;
  /** Made when it is missing. */
  runId?: string | undefined;
  onBuild(context: BuildContext): Answer<BuildResult>;
  onGateCheck(gate: NamedGate, context: CallContext): Answer<GateAnswer>;
  /** A hash of what the build left. Without it every iteration counts as moved. */
  onSnapshot?(context: CallContext): Answer<string | { hash?: string | undefined } | null | undefined>;
  onFeedback?(failures: readonly Failure[], context: FeedbackContext): Answer<string | null | undefined>;
  /** Brings back what a snapshot held. Without it the run never reverts to its best snapshot. */
  onRestore?(hash: string, context: CallContext): Answer<unknown>;
  /** Told when a gate escalates, when a person is waited for, and at the end. */
  onNotify?(notice: Notice, context: CallContext): Answer<unknown>;
}

/** Shorter names of the callbacks, which are accepted as well. */
const shorter = {
  onBuild: 'build',
  onGateCheck: 'gateCheck',
  onSnapshot: 'snapshot',
  onFeedback: 'feedback',
  onRestore: 'restore',
  onNotify: 'notify',
} as const;

export type Callbacks = Pick<RunContext, keyof typeof shorter>;

/** Takes the callbacks out of a context, or says everything that is wrong with it. */
export function readContext(context: RunContext): Callbacks {
  const given = (typeof context === 'object' && context !== null ? context : {}) as Record<string, unknown>;
  const problems: string[] = [];
  const callbacks: Record<string, unknown> = {};
  for (const [name, short] of Object.entries(shorter)) {
    const found = given[name] ?? given[short];
    const must = name === 'onBuild' || name === 'onGateCheck';
    // Called on the context, so that a method of a class finds its own object.
    if (typeof found === 'function') callbacks[name] = found.bind(context);
    else if (found !== undefined || must)
      problems.push(`${name}: expected a function, found ${found === undefined ? 'nothing' : typeof found}`);
  }
  const { runId } = given;
  // It names a folder where the runs are kept in files.
  if (runId !== undefined && (typeof runId !== 'string' || !/^[\w-][\w.-]{0,127}$/.test(runId)))
    problems.push('runId: expected 1 to 128 letters, digits, or . _ -, and no dot at the beginning');
  if (problems.length === 0) return callbacks as unknown as Callbacks;
  throw new FaultError(fault('context.invalid', `the context of the run is wrong: ${problems.join('; ')}`));
}
