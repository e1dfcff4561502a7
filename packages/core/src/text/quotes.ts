import type { Range } from './ranges.ts';

/** The parts of one line that stand in quotation marks or code spans, outermost ones only. */
export function quotedRanges(line: string): Range[] {
  const spans = codeSpanEnds(line);
  const exhausted = new Set<string>();
  const ranges: Range[] = [];
  for (let i = 0; i < line.length; i++) {
    const end = spans.get(i) ?? quoteEnd(line, i, exhausted);
    if (end === undefined) continue;
    ranges.push({ start: i, end });
    i = end - 1;
  }
  return ranges;
}

/** Where each code span ends, by its start: a run of backticks closes at the next run of that length. */
function codeSpanEnds(line: string): Map<number, number> {
  const next = new Map<number, number>();
  const ends = new Map<number, number>();
  for (const run of [...line.matchAll(/`+/g)].reverse()) {
    const length = run[0].length;
    const close = next.get(length);
    if (close !== undefined) ends.set(run.index, close + length);
    next.set(length, run.index);
  }
  return ends;
}

const closers: Readonly<Record<string, string>> = {
  '"': '"',
  "'": "'",
  '“': '”',
  '„': '“',
  '«': '»',
  '‘': '’',
};
const wordCharacter = /[\p{L}\p{N}_]/u;

/** A mark that opens but never closes quotes the rest of the line, unless it may be an apostrophe. */
function quoteEnd(line: string, at: number, exhausted: Set<string>): number | undefined {
  const open = line[at] ?? '';
  const close = closers[open];
  if (close === undefined || !opens(line, at, open)) return undefined;
  const end = exhausted.has(open) ? -1 : closingMark(line, at + 1, close);
  if (end >= 0) return end + 1;
  // What was not found from here will not be found further on; without this, many openers cost a scan each.
  exhausted.add(open);
  return open === "'" ? undefined : line.length;
}

function opens(line: string, at: number, open: string): boolean {
  const before = line[at - 1] ?? ' ';
  // 5" is a length, and the mark in don't is part of the word.
  if (open === '"') return !/\d/.test(before);
  return open !== "'" || !wordCharacter.test(before);
}

function closingMark(line: string, from: number, close: string): number {
  for (let i = line.indexOf(close, from); i >= 0; i = line.indexOf(close, i + 1)) {
    const apostrophe = close === "'" || close === '’';
    if (!apostrophe || !wordCharacter.test(line[i + 1] ?? ' ')) return i;
  }
  return -1;
}
