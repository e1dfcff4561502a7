import type { ListFrames } from '@agentgate/server/contract';
import { useEffect, useRef, useState } from 'preact/hooks';
import { whyOf } from '../parts/use-loaded.ts';
import { addressOf, isShutOut } from './api.ts';
import { useStream } from './use-stream.ts';

const restMs = 400;

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
