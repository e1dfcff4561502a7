import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { replaceFile } from '../workspace/git-dir.ts';
import type { Leak } from './leaks.ts';
import type { Repositories } from './repositories.ts';

/** What was found when the dependencies were captured; a run that goes on after a crash needs it again. */
export interface Kept {
  repositories: Repositories;
  leaks: Leak[];
  /** When each layer was copied. */
  capturedMs: Record<string, number>;
  /** What lay above the workspace. */
  above: string[];
}

export function writeKept(room: string, kept: Kept): void {
  replaceFile(fileOf(room), JSON.stringify(kept));
}

export function readKept(room: string): Kept {
  try {
    return { ...nothing, ...(JSON.parse(readFileSync(fileOf(room), 'utf8')) as Partial<Kept>) };
  } catch {
    // Nothing was captured yet.
    return nothing;
  }
}

const nothing: Kept = { repositories: [], leaks: [], capturedMs: {}, above: [] };

const fileOf = (room: string): string => join(room, 'kept.json');
