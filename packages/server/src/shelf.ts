import { statSync } from 'node:fs';
import { join } from 'node:path';
import { openRunStore, openStored, type StoredRun, type WorkspaceHome } from '@agentgate/runtime';

/** So many runs are kept folded: those that somebody looks at now. */
const mostKept = 8;

interface Kept {
  /** What the logs of the run and of those before it looked like when they were read. */
  stamp: string;
  lineage: readonly string[];
  read: Promise<Pick<StoredRun, 'events' | 'state'>>;
}

/**
 * Opens runs to show them. However many look at one, its history is read and folded once for as long as nothing is
 * written to it; nobody may change what they get.
 */
export function makeRunShelf(read = openStored): (home: WorkspaceHome, runId: string) => Promise<StoredRun> {
  const kept = new Map<string, Kept>();
  /** Once it is read, the runs before it are known and count as well; what could not be read is tried anew. */
  const complete = async (home: WorkspaceHome, runId: string, one: Kept) => {
    try {
      const { state } = await one.read;
      const before = state.lineage.filter((id) => id !== runId);
      one.stamp = [one.stamp, ...before.map((id) => stampOf(home, [id]))].join();
      one.lineage = [runId, ...before];
    } catch {
      one.stamp = '';
    }
  };
  return async (home, runId) => {
    const key = join(home.runs, runId);
    let found = kept.get(key);
    if (found?.stamp !== stampOf(home, found?.lineage ?? [])) {
      // Taken before the log is read, so that what is written meanwhile shows as a change.
      const stamp = stampOf(home, [runId]);
      found = { stamp, lineage: [runId], read: read(home, runId) };
      void complete(home, runId, found);
    }
    // The one that was asked for last is forgotten last.
    kept.delete(key);
    kept.set(key, found as Kept);
    for (const oldest of kept.keys()) if (kept.size > mostKept) kept.delete(oldest);
    const { events, state } = await (found as Kept).read;
    return { home, store: openRunStore(home.runs), runId, events, state };
  };
}

function stampOf({ runs }: WorkspaceHome, runIds: readonly string[]): string {
  return runIds
    .map((runId) => {
      const found = statSync(join(runs, runId, 'log.jsonl'), { throwIfNoEntry: false, bigint: true });
      return found ? `${found.ino} ${found.size} ${found.mtimeNs}` : 'none';
    })
    .join();
}
