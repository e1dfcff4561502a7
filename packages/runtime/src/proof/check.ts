/**
 * One thing that was looked at, and what came of it. A note is worth knowing and proves nothing wrong; where it is
 * open, nothing is wrong and what would prove it is not at hand.
 */
export interface Check {
  about: 'file' | 'log' | 'parent' | 'decisions' | 'ending' | 'texts' | 'tree' | 'receipt';
  result: 'ok' | 'note' | 'open' | 'broken';
  runId: string;
  text: string;
  /** The last good event, or the one that is wrong. */
  seq?: number;
}

/** Makes the checks about one thing of one run. */
export function checksOf(about: Check['about'], runId: string) {
  const make = (result: Check['result']) => (text: string, seq?: number) => ({
    about,
    result,
    runId,
    text,
    ...(seq === undefined ? {} : { seq }),
  });
  return { ok: make('ok'), note: make('note'), open: make('open'), broken: make('broken') } satisfies Record<
    Check['result'],
    (text: string, seq?: number) => Check
  >;
}

/** `1 event`, `2 events`. */
export const count = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? '' : 's'}`;
