import { heartbeatMs } from '../contract/stream.ts';
import { heartbeat } from './frame.ts';

/** What a reader gets next: a frame, the end, or nothing yet. */
export type Next = { kind: 'frame'; bytes: Uint8Array } | { kind: 'end' } | null;

/** Whoever waits for something new. */
export interface Bell {
  ring(): void;
  /** Resolves when it rings, and after so long at the latest. */
  wait(ms: number, signal: AbortSignal): Promise<void>;
}

export function makeBell(): Bell {
  const waiting = new Set<() => void>();
  return {
    ring() {
      for (const wake of waiting) wake();
    },
    wait(ms, signal) {
      return new Promise((done) => {
        const wake = () => {
          clearTimeout(timer);
          signal.removeEventListener('abort', wake);
          waiting.delete(wake);
          done();
        };
        const timer = setTimeout(wake, ms);
        signal.addEventListener('abort', wake);
        waiting.add(wake);
        if (signal.aborted) wake();
      });
    },
  };
}

/**
 * The body of a live answer. It asks for the next frame when the one before has left for the network, so a slow reader
 * holds one frame and no more; what happens meanwhile comes to it in one.
 */
export function liveBody(
  next: () => Next,
  { bell, closed, gone }: { bell: Bell; closed: () => void; gone: AbortSignal },
): ReadableStream<Uint8Array> {
  // Who goes before the first frame has left cancels nothing, since nobody reads the body for them yet.
  const left = new AbortController();
  let isCancelled = false;
  const leave = () => {
    left.abort();
    closed();
  };
  if (gone.aborted) leave();
  else gone.addEventListener('abort', leave, { once: true });

  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const until = performance.now() + heartbeatMs;
        while (!left.signal.aborted) {
          const found = next();
          if (found?.kind === 'frame') return controller.enqueue(found.bytes);
          if (found?.kind === 'end') {
            closed();
            return controller.close();
          }
          const silentMs = until - performance.now();
          if (silentMs <= 0) return controller.enqueue(heartbeat);
          await bell.wait(silentMs, left.signal);
        }
        if (!isCancelled) controller.close();
      },
      cancel() {
        isCancelled = true;
        leave();
      },
    },
    { highWaterMark: 0 },
  );
}
