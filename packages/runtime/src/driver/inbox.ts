import { type FSWatcher, watch } from 'node:fs';
import type { RunStore } from '../store/index.ts';
import type { Control } from './control.ts';

/** How often the inbox is looked at where watching it is not possible or misses something. */
const pollMs = 1_000;

/** Hands requests of other processes to the run's control. Requests from before it began are over. */
export function watchInbox(store: RunStore, runId: string, control: Control): { close(): void } {
  store.takeRequests(runId);
  const look = () => {
    for (const { note } of store.takeRequests(runId))
      control.stop({ by: 'command', ...(note ? { note } : {}) });
  };
  const watcher = tryWatch(store.inbox(runId), look);
  const poll = setInterval(look, pollMs);
  return {
    close() {
      clearInterval(poll);
      watcher?.close();
    },
  };
}

function tryWatch(dir: string, look: () => void): FSWatcher | null {
  try {
    const watcher = watch(dir, look);
    watcher.on('error', () => watcher.close());
    return watcher;
  } catch {
    // The system allows no more watches; the poll alone is enough.
    return null;
  }
}
