import type { Range } from './ranges.ts';

/** The fenced code blocks of a Markdown text, fences included. A block that is never closed runs to the end. */
export function fencedRanges(text: string): Range[] {
  const ranges: Range[] = [];
  let open: { start: number; fence: string } | undefined;
  for (const match of text.matchAll(fenceLine)) {
    const fence = match[1] ?? '';
    const rest = (match[2] ?? '').trim();
    if (open === undefined) {
      // A backtick after the fence makes it a code span, not a block.
      if (fence[0] === '~' || !rest.includes('`')) open = { start: match.index, fence };
    } else if (fence[0] === open.fence[0] && fence.length >= open.fence.length && rest === '') {
      ranges.push({ start: open.start, end: match.index + match[0].length });
      open = undefined;
    }
  }
  if (open !== undefined) ranges.push({ start: open.start, end: text.length });
  return ranges;
}

/** Agents indent fences and hang them on list items. */
const fenceLine = /^[ \t]*(?:(?:[-*+]|\d{1,3}[.)])[ \t]+)?(`{3,}|~{3,})([^\n]*)$/gm;
