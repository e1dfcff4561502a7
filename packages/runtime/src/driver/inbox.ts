import { type FSWatcher, watch } from 'node:fs';
import { unreachable } from '@agentgate/core';
import type { InboxRequest, RunStore } from '../store/index.ts';
import type { Control } from './control.ts';

/** How often the inbox is looked at where watching it is not possible or misses something. */
const pollMs = 1_000;

/** Hands requests of other processes to the run's control. Requests from before it began are over. */
export function watchInbox(store: RunStore, runId: string, control: Control): { close(): void } {
  store.takeRequests(runId);
  const look = () => {
    for (const request of store.takeRequests(runId)) hand(request, control);
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

function hand(request: InboxRequest, control: Control): void {
  switch (request.kind) {
    case 'stop':
      return control.stop({ by: 'command', ...(request.note ? { note: request.note } : {}) });
    case 'redirect':
      return control.redirect({ by: 'command', text: request.text });
    case 'approval': {
      const { gate, tree, by, approved, note } = request;
      return control.approve({ gate, tree, by, approved, ...(note ? { note } : {}) });
    }
    case 'answer':
      return control.answer({
        answer: request.answer,
        by: 'command',
        ...(request.text ? { text: request.text } : {}),
      });
    default:
      return unreachable(request);
  }
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
