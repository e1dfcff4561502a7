import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type ScannedLog, scanLog, type WorkspaceHome } from '../store/index.ts';

/** Where runs that are to be proved lie: in the state directory, or in an export. */
export interface ProofSource {
  log(runId: string): ScannedLog | null;
  /** The log as it lies there, damage and all. */
  logBytes(runId: string): Buffer | null;
  text(runId: string, ref: string): Buffer | null;
  receipt(runId: string): Buffer | null;
  /** The newest event that a sign of life tells of; 0 where there is none. */
  lastTold?(runId: string): number;
  /** The git directory with the trees; null where they did not come along. */
  gitDir: string | null;
}

/** The runs of a workspace as they lie on the disk. */
export function sourceOf({ runs, gitDir }: Pick<WorkspaceHome, 'runs' | 'gitDir'>): ProofSource {
  const read = (...parts: string[]): Buffer | null => {
    // Names come out of files that anybody may have written.
    if (!parts.every((part) => /^\w[\w.-]*$/.test(part))) return null;
    const path = join(runs, ...parts);
    return statSync(path, { throwIfNoEntry: false })?.isFile() ? readFileSync(path) : null;
  };
  return {
    logBytes: (runId) => read(runId, 'log.jsonl'),
    log(runId) {
      const bytes = read(runId, 'log.jsonl');
      return bytes && scanLog(bytes);
    },
    text: (runId, ref) => read(runId, 'blobs', ref),
    receipt: (runId) => read(runId, 'receipt.json'),
    lastTold: (runId) => Number.parseInt(read(runId, 'alive')?.toString() ?? '', 10) || 0,
    gitDir,
  };
}
