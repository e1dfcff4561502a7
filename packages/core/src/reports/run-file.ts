import type { Event } from '../event.ts';

/** A run with everything that its page shows of it, to be carried in one file. */
export interface RunFile {
  v: 1;
  /** The version that wrote it, and when. */
  version: string;
  at: string;
  standing: string;
  /** The run with those it goes on from, in their order. */
  events: Event[];
  /** What agents and gates printed, and what agents were told, by reference. */
  texts: Record<string, string>;
  /** By both trees: `<from>..<to>`. */
  diffs: Record<string, { diff: string; truncated: boolean }>;
}

/** Puts a run into its page. Nothing that an agent or a gate wrote can end the element it stands in. */
export function embedRun(page: string, file: RunFile): string {
  const json = JSON.stringify(file).replaceAll('<', '\\u003c');
  return page.replace('{run}', () => json);
}
