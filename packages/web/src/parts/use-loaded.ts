import { useEffect, useState } from 'preact/hooks';

export type Loaded<T> = { kind: 'loading' } | { kind: 'there'; value: T } | { kind: 'failed'; why: string };

/** Loads something, and loads it anew when one of `keys` changes. What comes too late is dropped. */
export function useLoaded<T>(load: () => Promise<T>, keys: readonly unknown[]): Loaded<T> {
  const [loaded, setLoaded] = useState<Loaded<T>>({ kind: 'loading' });
  useEffect(() => {
    let isWanted = true;
    setLoaded({ kind: 'loading' });
    load().then(
      (value) => isWanted && setLoaded({ kind: 'there', value }),
      (error: unknown) => isWanted && setLoaded({ kind: 'failed', why: whyOf(error) }),
    );
    return () => {
      isWanted = false;
    };
  }, keys);
  return loaded;
}

export const whyOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
