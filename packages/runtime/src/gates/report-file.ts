import { lstat, readFile, rm, stat } from 'node:fs/promises';
import type { View } from './in-room.ts';
import { look } from './inside.ts';

/** The clock of a file system may lag behind, and some count in whole seconds. */
export const clockSlackMs = 2_000;
const maxReportBytes = 64 * 1024 * 1024;

export type ReportFile =
  | { kind: 'text'; text: string }
  | { kind: 'missing' | 'stale' | 'too-large' | 'outside' };

/** Remembers how a report file stands before the command runs; what it returns reads the file afterwards. */
export async function watchReport(view: View, path: string): Promise<() => Promise<ReportFile>> {
  const fromMs = Date.now();
  const before = await printOf(view, path);
  return async () => {
    const found = await look(view, path);
    if (found.kind === 'outside') return { kind: 'outside' };
    if (found.kind !== 'inside') return { kind: 'missing' };
    const info = await stat(found.path);
    if (!info.isFile()) return { kind: 'missing' };
    // An old file moved into place keeps its time, so being another file is not enough.
    const isNew = (await printOf(view, path)) !== before && info.mtimeMs >= fromMs - clockSlackMs;
    if (!isNew) return { kind: 'stale' };
    if (info.size > maxReportBytes) return { kind: 'too-large' };
    return { kind: 'text', text: await readFile(found.path, 'utf8') };
  };
}

async function printOf(view: View, path: string): Promise<string | undefined> {
  const found = await look(view, path);
  if (found.kind !== 'inside') return undefined;
  const { ino, size, mtimeNs, ctimeNs } = await stat(found.path, { bigint: true });
  return `${ino}:${size}:${mtimeNs}:${ctimeNs}`;
}

/** Reads a report of ours, at a place that nobody else knew before, and leaves nothing there. */
export async function takeReport({ room }: View, path: string): Promise<ReportFile> {
  const at = room?.resolve(path) ?? path;
  try {
    const info = await lstat(at).catch(() => null);
    if (!info?.isFile()) return { kind: 'missing' };
    if (info.size > maxReportBytes) return { kind: 'too-large' };
    return { kind: 'text', text: await readFile(at, 'utf8') };
  } finally {
    await rm(at, { force: true, recursive: true });
  }
}
