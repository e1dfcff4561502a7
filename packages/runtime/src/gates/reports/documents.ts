import type * as z from 'zod';
import { endOfPiece, readPieces } from './json-text.ts';

export interface Documents<T> {
  found: T[];
  /** Why what was found cannot be all, or cannot be believed. */
  problem?: string;
}

/** Reads the JSON documents of one format; undefined when the text holds none. Several follow each other in workspaces. */
export function readDocuments<T>(
  text: string,
  name: string,
  head: RegExp,
  schema: z.ZodType<T>,
): Documents<T> | undefined {
  const known = head.test(text);
  const all: Documents<T> = { found: [] };
  for (const piece of readPieces(text, head)) {
    const parsed = piece.kind === 'whole' ? schema.safeParse(piece.value) : undefined;
    if (parsed?.success === true) all.found.push(parsed.data);
    const problem =
      piece.problem ?? (parsed?.success === false ? 'is not in a form that is known' : undefined);
    if (problem !== undefined && (known || parsed?.success === true))
      all.problem ??= `the ${name} report ${problem}`;
  }
  return all.found.length === 0 && all.problem === undefined ? undefined : all;
}

/** The entries that can be read, and whether all could. An entry of another shape must not vanish unseen. */
export function readEntries<T>(
  values: readonly unknown[],
  schema: z.ZodType<T>,
): { entries: T[]; odd: boolean } {
  const entries = values.flatMap((value) => {
    const parsed = schema.safeParse(value);
    return parsed.success ? [parsed.data] : [];
  });
  return { entries, odd: entries.length < values.length };
}

const mostTail = 3;

/**
 * Whether a document that begins so is what the text is about. A reporter prints its document last; one with a
 * summary behind it was printed by a test, and says nothing about the run.
 */
export function endsWith(text: string, head: RegExp): boolean {
  const begin = new RegExp(head.source, 'g');
  let end: number | undefined;
  for (let found = begin.exec(text); found !== null; found = begin.exec(text)) {
    end = endOfPiece(text, found.index);
    if (end === undefined) return true;
    begin.lastIndex = end;
  }
  if (end === undefined) return false;
  const tail = text.slice(end, end + 10_000).split('\n');
  return tail.filter((line) => line.trim() !== '').length <= mostTail;
}
