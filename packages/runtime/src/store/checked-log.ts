import type { Disk } from './disk.ts';

/** A log without its events, whose chain was checked from its first byte to its last. */
export interface CheckedLog {
  /** The hash up to each event. */
  hashes: readonly string[];
  /** Where the last whole event ends. */
  bytes: number;
  torn: boolean;
}

/** Per disk, so that every store of a process knows what another one has read. */
const known = new WeakMap<Disk, Map<string, CheckedLog & { stamp: string }>>();

/** More logs than a run and those it goes on from are seldom asked for twice. */
const most = 16;

/** What is known of a log that nobody has touched since it was checked; null where it must be read. */
export function findChecked(path: string, disk: Disk): CheckedLog | null {
  const found = known.get(disk)?.get(path);
  return found !== undefined && found.stamp === disk.stamp(path) ? found : null;
}

/** Remembers what a log was found to be. `stamp` is from before it was read. */
export function rememberChecked(
  path: string,
  disk: Disk,
  stamp: string | null,
  { hashes, bytes, torn }: CheckedLog,
): void {
  if (stamp === null || stamp !== disk.stamp(path)) return;
  const logs = known.get(disk) ?? new Map<string, CheckedLog & { stamp: string }>();
  known.set(disk, logs);
  logs.delete(path);
  logs.set(path, { hashes, bytes, torn, stamp });
  for (const oldest of logs.keys()) {
    if (logs.size <= most) return;
    logs.delete(oldest);
  }
}
