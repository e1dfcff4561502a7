import { noteFor, type Span } from './span.ts';

/** What was found, and whether the text ends inside a key. */
export interface FoundKeys {
  spans: Span[];
  inside: boolean;
}

const begin = /-----BEGIN (?:[A-Z0-9]+ ){0,3}PRIVATE KEY(?: BLOCK)?-----/g;
const end = /-----END [A-Z0-9 ]{1,40}-----\n?/y;
/** A key in one line, as JSON or an environment file writes it. */
const sameLine = /(?:[A-Za-z0-9+/= \t:,.]|-(?!-)|\\+[nr])*/y;

/**
 * Finds private keys, line by line: from their first line for as long as the lines look like one. `inside` says
 * that the text begins within a key, of which the note was given already.
 */
export function findKeys(text: string, inside: boolean): FoundKeys {
  const spans: Span[] = [];
  let open = false;
  let from = 0;
  if (inside) {
    const to = endOfLines(text, 0);
    spans.push({ start: 0, end: to.end, note: '' });
    ({ end: from, open } = to);
  }
  if (!text.includes('PRIVATE KEY')) return { spans, inside: open };
  begin.lastIndex = from;
  for (let match = begin.exec(text); match !== null; match = begin.exec(text)) {
    const start = match.index;
    const to = endOfKey(text, begin.lastIndex);
    const lines = text.slice(start, to.end).includes('\n');
    spans.push({ start, end: to.end, note: `${noteFor('private key')}${lines ? '\n' : ''}` });
    open = to.open;
    begin.lastIndex = to.end;
  }
  return { spans, inside: open };
}

interface End {
  end: number;
  /** The text is over before the key is. */
  open: boolean;
}

function endOfKey(text: string, from: number): End {
  sameLine.lastIndex = from;
  sameLine.exec(text);
  const at = Math.max(from, sameLine.lastIndex);
  const marked = endMark(text, at);
  if (marked !== null) return { end: marked, open: false };
  if (at >= text.length) return { end: at, open: true };
  const newline = /^\r?\n/.exec(text.slice(at, at + 2))?.[0].length;
  return newline === undefined ? { end: at, open: false } : endOfLines(text, at + newline);
}

/** Where the lines of a key end that begin here. */
function endOfLines(text: string, from: number): End {
  let at = from;
  while (at < text.length) {
    const lineEnd = text.indexOf('\n', at);
    const next = lineEnd === -1 ? text.length : lineEnd + 1;
    const line = text.slice(at, next);
    const mark = line.indexOf('-----END ');
    if (mark !== -1) return { end: endMark(text, at + mark) ?? next, open: false };
    if (!isOfKey(line.trimEnd())) return { end: at, open: false };
    at = next;
  }
  return { end: at, open: true };
}

function endMark(text: string, at: number): number | null {
  end.lastIndex = at;
  return end.test(text) ? end.lastIndex : null;
}

/** A line of base64 or a header of a key, behind whatever a log, a diff or a quotation puts before it. */
export function isOfKey(line: string): boolean {
  return (
    /^[ \t|>*#:+-]{0,16}(?:[A-Za-z0-9+/]{1,88}={0,2}|[A-Z][A-Za-z0-9-]{2,20}: .{0,100})?[ \t|,"'\\]{0,4}$/.test(
      line,
    ) || /(?:^|[\s|>])[A-Za-z0-9+/]{40,88}={0,2}$/.test(line)
  );
}
