import { type Answer, type EventBody, stopperWords } from '@agentgate/core';

/** What a person may say to a run while it works. */
type Said = Extract<
  EventBody,
  | { kind: 'stop.requested' }
  | { kind: 'redirect.requested' }
  | { kind: 'approval.given' }
  | { kind: 'grant.given' }
>;

export interface PersonAnswer {
  /** The iteration it is about; without one it answers whatever is asked now. */
  iteration?: number;
  answer: Answer;
  text?: string;
  by: 'prompt' | 'command' | 'api';
  letter?: string;
}

/** Who stops a run: a command, or somebody at the server. */
export const stopperOf = (
  via: 'api' | undefined,
): Pick<Extract<Said, { kind: 'stop.requested' }>, 'by' | 'who'> =>
  via === 'api' ? { by: 'api', who: stopperWords('api') } : { by: 'command' };

/** Why a step was cut short. */
type Cut = Said['kind'] | 'answer';

/** The way by which persons reach a run while it works. */
export interface Control {
  /** Aborted as soon as a stop is asked for. */
  readonly signal: AbortSignal;
  /** Aborted when the end must come at once: the door ends everything and records nothing more. */
  readonly urgent: AbortSignal;
  hurry(): void;
  /** `done` is called when the log holds it. */
  stop(request: Omit<Extract<Said, { kind: 'stop.requested' }>, 'kind'>, done?: () => void): void;
  redirect(request: Omit<Extract<Said, { kind: 'redirect.requested' }>, 'kind'>, done?: () => void): void;
  approve(request: Omit<Extract<Said, { kind: 'approval.given' }>, 'kind'>, done?: () => void): void;
  grant(request: Omit<Extract<Said, { kind: 'grant.given' }>, 'kind'>, done?: () => void): void;
  answer(answer: PersonAnswer, done?: () => void): void;
  /** Requests that the log does not hold yet. */
  take(): Said[];
  /** The log holds everything that was taken. */
  recorded(): void;
  takeAnswer(): PersonAnswer | null;
  /** A signal for one step, aborted by words of these kinds; also by those that nobody has taken yet. */
  during(kinds: readonly Cut[]): { signal: AbortSignal; done(): void };
}

export function makeControl(): Control {
  const stopped = new AbortController();
  const hurried = new AbortController();
  const said: Said[] = [];
  let answered: { one: PersonAnswer; done?: (() => void) | undefined } | null = null;
  const steps = new Set<{ kinds: readonly Cut[]; abort: AbortController }>();
  const cut = (kind: Cut) => {
    for (const step of steps)
      if (step.kinds.includes(kind)) step.abort.abort(kind === 'redirect.requested' ? 'redirect' : 'stop');
  };
  const waiting: (() => void)[] = [];
  const taken: (() => void)[] = [];
  const say = (one: Said, done?: () => void) => {
    said.push(one);
    if (done) waiting.push(done);
    cut(one.kind);
  };
  return {
    signal: stopped.signal,
    urgent: hurried.signal,
    hurry: () => hurried.abort('stop'),
    stop(request, done) {
      if (stopped.signal.aborted) return done?.();
      stopped.abort('stop');
      say({ kind: 'stop.requested', ...request }, done);
    },
    redirect: (request, done) => say({ kind: 'redirect.requested', ...request }, done),
    approve: (request, done) => say({ kind: 'approval.given', ...request }, done),
    grant: (request, done) => say({ kind: 'grant.given', ...request }, done),
    answer(one, done) {
      // Only the newest counts.
      answered?.done?.();
      answered = { one, done };
      cut('answer');
    },
    take() {
      taken.push(...waiting.splice(0));
      return said.splice(0);
    },
    recorded() {
      for (const done of taken.splice(0)) done();
    },
    takeAnswer() {
      const taking = answered;
      answered = null;
      if (taking?.done) taken.push(taking.done);
      return taking?.one ?? null;
    },
    during(kinds) {
      const step = { kinds, abort: new AbortController() };
      steps.add(step);
      if (stopped.signal.aborted && kinds.includes('stop.requested')) step.abort.abort('stop');
      for (const { kind } of said)
        if (kinds.includes(kind)) step.abort.abort(kind === 'redirect.requested' ? 'redirect' : 'stop');
      if (answered && kinds.includes('answer')) step.abort.abort('stop');
      return { signal: step.abort.signal, done: () => steps.delete(step) };
    },
  };
}
