import type { TextRef } from './model/chronicle.ts';

/** Where the texts and trees of a run are read from: the server, or the file that the page is. */
export interface RunSource {
  /** Null for a text that is no longer kept, or was left out of a file. */
  text(ref: TextRef): Promise<string | null>;
  /** Null where these two cannot be compared here. */
  diff(from: string, to: string): Promise<{ diff: string; truncated: boolean } | null>;
}
