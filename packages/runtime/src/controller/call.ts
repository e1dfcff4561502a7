import { type Clock, FaultError } from '@agentgate/core';

/** What came of calling one of the caller's functions. */
export type Called<T> =
  | { kind: 'answered'; value: T }
  | { kind: 'threw'; error: unknown }
  /** The signal was aborted; `value` is what the function still answered, and `abandoned` that it never did. */
  | { kind: 'cut'; reason: unknown; value?: T; abandoned: boolean };

export interface CallRequest {
  clock: Clock;
  signal: AbortSignal;
  /** The signal is aborted after so long, with the reason `time-out`. */
  limitMs?: number;
  /** How long a function may take to settle after its signal was aborted; then nobody waits for it any more. */
  graceMs: number;
}

/** A function that says when to try again is called so often in all. */
const mostCalls = 3;

/**
 * Calls a function within bounds. Never throws for what the function does. An error that carries `retryAfterMs`,
 * or a fault that may be tried again, is transient: the function is called again after so long.
 */
export async function call<T>(
  { clock, signal, limitMs, graceMs }: CallRequest,
  act: (signal: AbortSignal) => T | Promise<T>,
): Promise<Called<T>> {
  const step = bound(clock, signal, limitMs);
  try {
    for (let calls = 1; ; calls++) {
      const called = await once(clock, step.signal, graceMs, act);
      const againMs = called.kind === 'threw' && calls < mostCalls ? retryAfter(called.error) : null;
      if (againMs === null) return called;
      await clock.sleep(againMs, step.signal);
    }
  } finally {
    step.done();
  }
}

/** The words of whatever was thrown. Reading a thrown value may throw again. */
export function wordsOf(error: unknown): string {
  try {
    return error instanceof Error ? error.message || error.name : String(error);
  } catch {
    // A proxy, or an object without a prototype: that it was thrown is all there is to say.
    return 'a value that cannot be read';
  }
}

async function once<T>(
  clock: Clock,
  signal: AbortSignal,
  graceMs: number,
  act: (signal: AbortSignal) => T | Promise<T>,
): Promise<Called<T>> {
  if (signal.aborted) return { kind: 'cut', reason: signal.reason, abandoned: false };
  const work: Promise<Called<T>> = (async () => act(signal))().then(
    (value) => ({ kind: 'answered', value }),
    (error: unknown) => ({ kind: 'threw', error }),
  );
  const cut = onAbort(signal);
  const first = await Promise.race([work, cut.aborted]);
  cut.done();
  if (first !== null && !signal.aborted) return first;
  const settled = first ?? (await within(clock, graceMs, work));
  return {
    kind: 'cut',
    reason: signal.reason,
    ...(settled?.kind === 'answered' ? { value: settled.value } : {}),
    abandoned: settled === null,
  };
}

function onAbort(signal: AbortSignal): { aborted: Promise<null>; done(): void } {
  let listener: () => void = () => undefined;
  const aborted = new Promise<null>((resolve) => {
    listener = () => resolve(null);
    signal.addEventListener('abort', listener, { once: true });
    // The function itself may have stopped the run before anybody listened.
    if (signal.aborted) resolve(null);
  });
  return { aborted, done: () => signal.removeEventListener('abort', listener) };
}

async function within<T>(clock: Clock, graceMs: number, work: Promise<T>): Promise<T | null> {
  const over = new AbortController();
  try {
    return await Promise.race([work, clock.sleep(graceMs, over.signal).then(() => null)]);
  } finally {
    over.abort();
  }
}

function bound(clock: Clock, signal: AbortSignal, limitMs: number | undefined) {
  if (limitMs === undefined) return { signal, done: () => undefined };
  const own = new AbortController();
  const follow = () => own.abort(signal.reason);
  signal.addEventListener('abort', follow, { once: true });
  if (signal.aborted) follow();
  const timer = clock.after(limitMs, () => own.abort('time-out'));
  const done = () => {
    timer.cancel();
    signal.removeEventListener('abort', follow);
  };
  return { signal: own.signal, done };
}

function retryAfter(error: unknown): number | null {
  if (error instanceof FaultError) return error.fault.retry === 'never' ? null : error.fault.retry.afterMs;
  const asked = error instanceof Error && 'retryAfterMs' in error ? error.retryAfterMs : null;
  return typeof asked === 'number' && asked >= 0 && Number.isFinite(asked) ? asked : null;
}
