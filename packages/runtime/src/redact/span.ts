/** A part of a text that nobody may see, and what stands in its place. */
export interface Span {
  start: number;
  end: number;
  note: string;
}

export const noteFor = (name: string): string => `[redacted: ${name}]`;

/** Puts the notes in the place of the parts. */
export function replaceSpans(text: string, spans: readonly Span[]): string {
  if (spans.length === 0) return text;
  let shown = '';
  let from = 0;
  for (const { start, end, note } of merged(spans)) {
    shown += text.slice(from, start) + note;
    from = end;
  }
  return shown + text.slice(from);
}

/** In order of their place; those that overlap become one with the note of the first. */
export function merged(spans: readonly Span[]): Span[] {
  const result: Span[] = [];
  for (const span of spans.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    const last = result.at(-1);
    if (last && span.start < last.end) last.end = Math.max(last.end, span.end);
    else result.push({ ...span });
  }
  return result;
}
