import { readFile, stat } from 'node:fs/promises';
import { look } from './inside.ts';

/** The clock of a file system may lag behind, and some count in whole seconds. */
const clockSlackMs = 2_000;
const maxReportBytes = 64 * 1024 * 1024;

export type ReportFile =
  | { kind: 'text'; text: string }
  | { kind: 'missing' | 'stale' | 'too-large' | 'outside' };

/** Remembers how a report file stands before the command runs; what it returns reads the file afterwards. */
export async function watchReport(root: string, path: string): Promise<() => Promise<ReportFile>> {
  const fromMs = Date.now();
  const before = await printOf(root, path);
  return async () => {
    const found = await look(root, path);
    if (found.kind === 'outside') return { kind: 'outside' };
    if (found.kind !== 'inside') return { kind: 'missing' };
    const info = await stat(found.path);
    if (!info.isFile()) return { kind: 'missing' };
    // An old file moved into place keeps its time, so being another file is not enough.
    const isNew = (await printOf(root, path)) !== before && info.mtimeMs >= fromMs - clockSlackMs;
    if (!isNew) return { kind: 'stale' };
    if (info.size > maxReportBytes) return { kind: 'too-large' };
    return { kind: 'text', text: await readFile(found.path, 'utf8') };
  };
}

async function printOf(root: string, path: string): Promise<string | undefined> {
  const found = await look(root, path);
  if (found.kind !== 'inside') return undefined;
  const { ino, size, mtimeNs, ctimeNs } = await stat(found.path, { bigint: true });
  return `${ino}:${size}:${mtimeNs}:${ctimeNs}`;
}
