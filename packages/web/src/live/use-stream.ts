import { type Hearing, listen } from '@agentgate/server/client';
import { useEffect, useState } from 'preact/hooks';

const patienceMs = 3_000;
/** A stream that told why it ends would end so again. */
const restMs = 30_000;

/**
 * Listens for as long as the part is there and somebody can see it: a browser keeps few connections to one server, and
 * tabs in the background would use them up. A browser comes back to a stream by itself, but gives up for good where the
 * server refuses once, as it does while it starts anew; then it is opened again behind the last frame that was heard.
 */
export function useStream<F>(
  address: (after: string | null) => string,
  hearing: () => Hearing<F>,
  keys: readonly unknown[],
): boolean {
  const [isConnected, setConnected] = useState(true);
  useEffect(() => {
    let after: string | null = null;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let stream: { close(): void } | null = null;
    const close = () => {
      clearTimeout(timer);
      stream?.close();
      stream = null;
    };
    const rest = () => {
      close();
      timer = setTimeout(open, restMs);
    };
    const open = () => {
      close();
      if (document.hidden) return;
      stream = listen<F>(
        address(after),
        remembering(hearing(), (id) => (after = id), rest),
        {
          onState(connected) {
            setConnected(connected);
            clearTimeout(timer);
            if (!connected) timer = setTimeout(open, patienceMs);
          },
        },
      );
    };
    open();
    document.addEventListener('visibilitychange', open);
    return () => {
      document.removeEventListener('visibilitychange', open);
      close();
    };
  }, keys);
  return isConnected;
}

function remembering<F>(hearing: Hearing<F>, note: (id: string) => void, rest: () => void): Hearing<F> {
  const all = Object.entries(hearing) as [string, (data: unknown, id: string) => void][];
  return Object.fromEntries(
    all.map(([name, hear]) => [
      name,
      (data: unknown, id: string) => {
        if (id !== '') note(id);
        hear(data, id);
        if (name === 'problem') rest();
      },
    ]),
  ) as Hearing<F>;
}
