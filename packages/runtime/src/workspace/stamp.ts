import { type BigIntStats, lstatSync, statSync } from 'node:fs';
import { onDisk } from './path.ts';

/** What the file system said about a file, and when we asked. */
export interface Stamp {
  stat: BigIntStats;
  atMs: number;
}

/** Asks without following a link. Null when nothing is there. */
export function readStamp(path: string): Stamp | null {
  const atMs = Date.now();
  const stat = unlessAbsent(() => lstatSync(onDisk(path), { bigint: true, throwIfNoEntry: false }));
  return stat === null ? null : { stat, atMs };
}

/** Whether nothing happened to the file between two stamps, as far as the file system can tell. */
export function isSameStat(a: BigIntStats, b: BigIntStats): boolean {
  return (
    a.ctimeNs === b.ctimeNs &&
    a.mtimeNs === b.mtimeNs &&
    a.size === b.size &&
    a.ino === b.ino &&
    a.mode === b.mode
  );
}

/** A later change is sure to get another change time: the clock of the file system has ticked since. */
export function isSettled({ stat, atMs }: Stamp): boolean {
  return stat.ctimeMs + tickMs(stat) < BigInt(atMs);
}

/** The same for git, whose index compares whole seconds. */
export function isSettledForGit({ stat, atMs }: Stamp): boolean {
  return stat.ctimeMs / 1000n < (BigInt(atMs) - tickMs(stat)) / 1000n;
}

/**
 * Equal for two looks at an unchanged file, links followed; never equal while a change could hide. The path is one of
 * `node:fs`, as repositories have them, and not the bytes of a name.
 */
export function readMark(path: string | Buffer): string {
  const atMs = Date.now();
  const stat = readStatus(path);
  if (stat === null) return '-';
  const mark = `${stat.ino}.${stat.size}.${stat.mtimeNs}.${stat.ctimeNs}`;
  return isSettled({ stat, atMs }) ? mark : `${mark}.${process.hrtime.bigint()}`;
}

/** What is there, links followed, by a path as `readMark` takes it. Null when nothing is there, or nothing that we may see. */
export function readStatus(path: string | Buffer): BigIntStats | null {
  return unlessAbsent(() => statSync(path, { bigint: true, throwIfNoEntry: false }), 'EACCES', 'ELOOP');
}

function unlessAbsent(read: () => BigIntStats | undefined, ...codes: string[]): BigIntStats | null {
  try {
    return read() ?? null;
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? '';
    if (code === 'ENOTDIR' || codes.includes(code)) return null;
    throw error;
  }
}

// File systems stamp with a coarse clock, which lags by at most some milliseconds; a few keep whole seconds,
// or every second one.
function tickMs(stat: BigIntStats): bigint {
  return stat.ctimeNs % 1_000_000_000n === 0n ? 2100n : 100n;
}
