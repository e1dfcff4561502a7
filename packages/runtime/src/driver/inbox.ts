import { type FSWatcher, watch } from 'node:fs';
import { type Clock, unreachable } from '@agentgate/core';
import type { Letter, RunStore } from '../store/index.ts';
import { type Control, stopperOf } from './control.ts';

/** How often the inbox is looked at where watching it is not possible or misses something. */
const pollMs = 1_000;

/** A stop from before its owner came is over; whatever else a person said still counts. */
export function forgetStops(store: RunStore, runId: string): void {
  for (const { request, done } of store.letters(runId)) if (request.kind === 'stop') done();
}

/** Hands requests of other processes to the run's control. */
export function watchInbox(
  store: RunStore,
  runId: string,
  control: Control,
  { clock, known, before }: { clock: Clock; known: ReadonlySet<string>; before: string | null },
): { close(): void } {
  const seen = new Set<string>();
  const lookAt = (inbox: string) => {
    for (const letter of lettersIn(store, inbox)) {
      if (seen.has(letter.name)) continue;
      seen.add(letter.name);
      // A crash came between the log and the inbox: what is recorded is not said twice.
      if (known.has(letter.name)) letter.done();
      else hand(letter, control);
    }
  };
  const look = () => lookAt(runId);
  // What reached the run before this one too late for it was still said.
  if (before !== null) lookAt(before);
  let next: { cancel(): void };
  const poll = () => {
    look();
    next = clock.after(pollMs, poll);
  };
  poll();
  const watcher = tryWatch(store.inbox(runId), look);
  return {
    close() {
      next.cancel();
      watcher?.close();
    },
  };
}

/** None while they cannot be read: the next poll tries again. */
function lettersIn(store: RunStore, runId: string): Letter[] {
  try {
    return store.letters(runId);
  } catch {
    return [];
  }
}

/** A letter is done with once what it says is in the log. */
function hand({ name: letter, request, done }: Letter, control: Control): void {
  const by = ('via' in request ? request.via : undefined) ?? 'command';
  switch (request.kind) {
    case 'stop':
      // Asked a second time, by whomever, means at once.
      if (request.now || control.signal.aborted) return control.hurry();
      return control.stop(
        { ...stopperOf(request.via), letter, ...(request.note ? { note: request.note } : {}) },
        done,
      );
    case 'redirect':
      return control.redirect({ by, letter, text: request.text }, done);
    case 'approval': {
      const { gate, tree, by, approved, note } = request;
      return control.approve({ gate, tree, by, approved, letter, ...(note ? { note } : {}) }, done);
    }
    case 'grant': {
      const { files, by, note } = request;
      return control.grant({ files, by, letter, ...(note ? { note } : {}) }, done);
    }
    case 'answer': {
      const { answer, text, iteration } = request;
      const about = iteration === undefined ? {} : { iteration };
      return control.answer({ answer, by, letter, ...(text ? { text } : {}), ...about }, done);
    }
    default:
      return unreachable(request);
  }
}

/** Watches a directory where the system lets us. */
export function tryWatch(dir: string, look: () => void): FSWatcher | null {
  try {
    const watcher = watch(dir, look);
    watcher.on('error', () => watcher.close());
    return watcher;
  } catch {
    // The system allows no more watches; the poll alone is enough.
    return null;
  }
}
