import { type FSWatcher, watch } from 'node:fs';
import { unreachable } from '@agentgate/core';
import type { Letter, RunStore } from '../store/index.ts';
import type { Control } from './control.ts';

/** How often the inbox is looked at where watching it is not possible or misses something. */
const pollMs = 1_000;

/** Hands requests of other processes to the run's control. */
export function watchInbox(store: RunStore, runId: string, control: Control): { close(): void } {
  // A stop from before it began is over; whatever else a person said still counts.
  for (const { request, done } of store.letters(runId)) if (request.kind === 'stop') done();
  const seen = new Set<string>();
  const look = () => {
    for (const letter of store.letters(runId)) {
      if (seen.has(letter.name)) continue;
      seen.add(letter.name);
      hand(letter, control);
    }
  };
  look();
  const watcher = tryWatch(store.inbox(runId), look);
  const poll = setInterval(look, pollMs);
  return {
    close() {
      clearInterval(poll);
      watcher?.close();
    },
  };
}

/** A letter is done with once what it says is in the log. */
function hand({ request, done }: Letter, control: Control): void {
  switch (request.kind) {
    case 'stop':
      return control.stop({ by: 'command', ...(request.note ? { note: request.note } : {}) }, done);
    case 'redirect':
      return control.redirect({ by: 'command', text: request.text }, done);
    case 'approval': {
      const { gate, tree, by, approved, note } = request;
      return control.approve({ gate, tree, by, approved, ...(note ? { note } : {}) }, done);
    }
    case 'grant': {
      const { files, by, note } = request;
      return control.grant({ files, by, ...(note ? { note } : {}) }, done);
    }
    case 'answer':
      done();
      return control.answer({
        answer: request.answer,
        by: 'command',
        ...(request.text ? { text: request.text } : {}),
        ...(request.iteration === undefined ? {} : { iteration: request.iteration }),
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
