import { isJunit, readJunit } from './junit.ts';
import { readPlain } from './plain.ts';
import type { Reader } from './report.ts';
import { isTap, readTap } from './tap.ts';

export type { Report } from './report.ts';

export type Format = 'tap' | 'junit' | 'plain';

/** One reader per format. */
export const readers: Record<Format, Reader> = { tap: readTap, junit: readJunit, plain: readPlain };

/** The format a text is written in; plain when nothing says otherwise. */
export function formatOf(text: string): Format {
  if (isJunit(text)) return 'junit';
  return isTap(text) ? 'tap' : 'plain';
}
