import * as z from 'zod';
import type { Current } from '../current.ts';
import { effectiveLimit } from '../effective-limit.ts';
import { grantableFiles } from '../integrity.ts';
import { Status } from '../outcome.ts';
import type { RunState } from '../state.ts';
import { asksPersons } from '../waiting.ts';

const amount = z.number().nullable();

/** What a run waits for a person to say. */
export const Waiting = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('approval'),
    gate: z.string(),
    /** The tree that is asked about; an answer holds for no other. */
    tree: z.string(),
    message: z.string().nullable(),
    /** Who is asked; nobody in particular when empty. */
    approvers: z.array(z.string()),
  }),
  z.object({
    kind: z.literal('question'),
    iteration: z.number().int(),
    reason: z.string(),
    forMs: z.number(),
    /** What counts when nobody answers in time. */
    default: z.enum(['continue', 'stop', 'accept']),
  }),
  /** It ended because it changed protected files, which only a person can allow. */
  z.object({ kind: z.literal('grant'), files: z.array(z.string()) }),
  /** It ended with a question of the agent's own. */
  z.object({ kind: z.literal('words'), reason: z.string() }),
]);
export type Waiting = z.infer<typeof Waiting>;

/** A run in a line: what a list shows of it, folded from its events. */
export const RunSummary = z.object({
  runId: z.string(),
  root: z.string(),
  /** The task in one line. */
  task: z.string(),
  agent: z.string(),
  strategy: z.string(),
  /** When the first of the runs it goes on from began. */
  begunAt: z.string(),
  startedAt: z.string(),
  lastAt: z.string(),
  /** The run that it goes on from, whose iterations are among its own. */
  parent: z.string().nullable(),
  /** The same, unless this one is a fork, which takes nobody's place. */
  inPlaceOf: z.string().nullable(),
  /** How it ended; null while it is open. */
  ended: z
    .object({
      status: Status,
      code: z.string(),
      reason: z.string(),
      /** How many things a reader must know beside it. */
      caveats: z.number().int(),
    })
    .nullable(),
  /** How it lies open, apart from whether somebody drives it. */
  open: z.enum(['open', 'held', 'paused']).nullable(),
  /** It was let go in a session that was held, and is not done. */
  isLeft: z.boolean(),
  iterations: z.number().int(),
  /** How many iterations it may have. */
  mostIterations: z.number().int(),
  /** How many findings failed, at the baseline and after each judged iteration; the newest 60. */
  trend: z.array(z.number()),
  /** The gates with their newest verdicts; null for one that was not judged yet. */
  gates: z.array(
    z.object({ name: z.string(), severity: z.enum(['hard', 'soft']), verdict: z.string().nullable() }),
  ),
  used: z.object({ activeMs: z.number(), tokens: amount, costUsd: amount }),
  limits: z.object({ activeMs: z.number(), tokens: amount, costUsd: amount }),
  waiting: z.array(Waiting),
  /** Since when; asking again, as a run does every minute, does not change it. Null where nobody is asked. */
  askedAt: z.string().nullable(),
});
export type RunSummary = z.infer<typeof RunSummary>;

const trendLength = 60;
const titleLength = 200;

/** The line that says what a run is about: the first, or that of its item where it works for a plan. */
export function taskLine(task: string): string {
  // What every agent of a plan is told stands before the words that are about this item.
  const [, id, own] = /^Your task \(([\w.-]+)\): (.*)$/m.exec(task) ?? [];
  return id === undefined ? task.trim().split('\n', 1)[0]! : `${id}: ${own}`;
}

/** The line of a run whose newest own start was at `startedAt`. */
export function summariseRun(state: RunState, startedAt: string): RunSummary {
  const { spec, ended } = state;
  return {
    runId: state.runId,
    root: state.root,
    task: taskLine(spec?.task ?? '').slice(0, titleLength),
    agent: spec?.agent.kind ?? '',
    strategy: spec?.strategy.kind ?? '',
    begunAt: state.begunAt ?? startedAt,
    startedAt,
    lastAt: state.lastAt,
    parent: state.parentRunId,
    inPlaceOf: state.inPlaceOf,
    ended: ended ? endedOf(ended) : null,
    open: ended ? null : state.held ? 'held' : state.paused ? 'paused' : 'open',
    isLeft: ended ? state.held !== null && ended.status !== 'converged' : state.isLeft,
    iterations: state.iteration,
    mostIterations: spec ? effectiveLimit(state).limit : 0,
    trend: trendOf(state).slice(-trendLength),
    gates: gatesOf(state),
    used: { activeMs: state.activeMs, tokens: state.tokens, costUsd: state.costUsd },
    limits: {
      activeMs: spec?.limits.wallClock ?? 0,
      tokens: spec?.limits.tokens ?? null,
      costUsd: spec?.limits.cost ?? null,
    },
    ...asksOf(state),
  };
}

const endedOf = ({ status, code, reason, caveats }: NonNullable<RunState['ended']>): RunSummary['ended'] => ({
  status,
  code,
  reason,
  caveats: caveats.length,
});

function asksOf(state: RunState): Pick<RunSummary, 'waiting' | 'askedAt'> {
  const waiting = waitingOf(state);
  return { waiting, askedAt: waiting.length === 0 ? null : waitsSince(state, state.lastAt) };
}

/** When the wait began that goes on at this time. A wait of hours is recorded in parts, since it asks again and again. */
export function waitsSince({ waitedMs }: RunState, at: string): string {
  const beganMs = Date.parse(at) - waitedMs;
  return Number.isFinite(beganMs) ? new Date(beganMs).toISOString() : at;
}

function trendOf({ baselineFailures, judged }: RunState): number[] {
  const before = baselineFailures === null ? [] : [baselineFailures];
  return [...before, ...judged.map(({ failures }) => failures)];
}

function gatesOf(state: RunState): RunSummary['gates'] {
  const verdicts = judgedIn(state)?.verdicts ?? state.baseline;
  return (state.spec?.gates ?? []).map(({ name, severity }) => ({
    name,
    severity,
    verdict: verdicts.get(name)?.kind ?? null,
  }));
}

const judgedIn = ({ current, lastClosed }: RunState): Current | null =>
  current && current.verdicts.size > 0 ? current : lastClosed;

/** Everything that a person is asked at present. */
export function waitingOf(state: RunState): Waiting[] {
  const { ended, open, current } = state;
  if (ended) return waitingAtEnd(state);
  if (open?.kind === 'ask')
    return [
      {
        kind: 'question',
        iteration: open.iteration,
        reason: current?.asks ?? open.because.reason,
        forMs: open.forMs,
        default: open.default,
      },
    ];
  // Before the first build there is nothing to answer for.
  return state.iteration === 0 ? [] : approvalsOf(state, current);
}

/** The iteration with which a run was suspended because a person has to answer. */
export function leftWaiting({ ended, lastClosed }: RunState): Current | null {
  const isLeft = ended?.code === 'awaiting-approval' || ended?.code === 'awaiting-confirmation';
  return isLeft ? lastClosed : null;
}

function approvalsOf({ spec }: RunState, current: Current | null): Waiting[] {
  return (spec?.gates ?? []).flatMap((gate) => {
    const verdict = current?.verdicts.get(gate.name);
    if (verdict?.kind !== 'pending' || !asksPersons(gate)) return [];
    return [
      {
        kind: 'approval' as const,
        gate: gate.name,
        tree: current?.tree ?? '',
        message: verdict.note === undefined ? null : withoutCommand(verdict.note),
        approvers: gate.kind === 'approval' ? gate.approvers : [],
      },
    ];
  });
}

/** What is asked, without the command that a terminal would answer it with: every door has its own way to answer. */
const withoutCommand = (note: string): string => note.replace(/; answer with: [^;]*$/, '');

function waitingAtEnd(state: RunState): Waiting[] {
  const { ended } = state;
  if (ended?.code === 'awaiting-answer') return [{ kind: 'words', reason: ended.reason }];
  const left = leftWaiting(state);
  if (left) return approvalsOf(state, left);
  if (ended?.code !== 'integrity.needs-grant') return [];
  const judged = judgedIn(state);
  return [{ kind: 'grant', files: judged ? grantableFiles(judged).map(({ path }) => path) : [] }];
}
