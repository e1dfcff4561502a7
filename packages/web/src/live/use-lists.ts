import type { ListFrames } from '@agentgate/server/contract';
import { useEffect, useRef, useState } from 'preact/hooks';
import { whyOf } from '../parts/use-loaded.ts';
import { addressOf, ask, isShutOut, type RefusedError } from './api.ts';
import { useStream } from './use-stream.ts';

const restMs = 400;
const patienceMs = 3_000;

/** Counts up whenever something in the lists has changed, not more often than a page can be read. */
export function useChanges(): { changes: number; isConnected: boolean } {
  const [changes, setChanges] = useState(0);
  const waiting = useRef(false);
  const note = () => {
    if (waiting.current) return;
    waiting.current = true;
    setTimeout(() => {
      waiting.current = false;
      setChanges((before) => before + 1);
    }, restMs);
  };
  const isConnected = useStream<ListFrames>(
    () => addressOf('GET /api/stream'),
    () => ({ changed: note, restart: note }),
    [],
  );
  return { changes, isConnected };
}

/**
 * How the server shuts this browser out; null while it does not, and while nobody answers. A stream does not say why it
 * broke off, so the server is asked, again and again: it may come back with another token.
 */
export function useShutOut(isConnected: boolean): RefusedError | null {
  const [refusal, setRefusal] = useState<RefusedError | null>(null);
  useEffect(() => {
    if (isConnected) return setRefusal(null);
    let isWanted = true;
    const look = () =>
      void ask('GET /api/health').catch((error: unknown) => {
        if (isWanted) setRefusal(isShutOut(error) ? error : null);
      });
    look();
    const timer = setInterval(look, patienceMs);
    return () => {
      isWanted = false;
      clearInterval(timer);
    };
  }, [isConnected]);
  return refusal;
}

export interface Kept<T> {
  value: T | null;
  problem: string | null;
  isShutOut: boolean;
}

/** Loads something anew when a key changes, and keeps showing what was there until the new is. */
export function useKept<T>(load: () => Promise<T>, keys: readonly unknown[]): Kept<T> {
  const [kept, setKept] = useState<Kept<T>>({ value: null, problem: null, isShutOut: false });
  useEffect(() => {
    let isWanted = true;
    load().then(
      (value) => isWanted && setKept({ value, problem: null, isShutOut: false }),
      (error: unknown) =>
        isWanted && setKept((before) => ({ ...before, problem: whyOf(error), isShutOut: isShutOut(error) })),
    );
    return () => {
      isWanted = false;
    };
  }, keys);
  return kept;
}
