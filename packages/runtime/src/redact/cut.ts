import { isOfKey } from './keys.ts';

/** A secret in one line is shorter than this; where a text is cut, so much of it may be half a secret. */
export const overlap = 4 * 1024;

/** How much of the beginning may be the rest of a secret, when what came before was left out. */
export function cutStart(text: string): number {
  const lineEnd = text.indexOf('\n');
  const most = mostCut(text);
  let from = lineEnd === -1 || lineEnd >= most ? most : lineEnd + 1;
  for (let next = text.indexOf('\n', from); next !== -1; next = text.indexOf('\n', from)) {
    const line = text.slice(from, next).trimEnd();
    if (line.length < 16 || !(isOfKey(line) || line.includes('-----END '))) break;
    from = next + 1;
  }
  return from;
}

/** How much is left when what may be the beginning of a secret is taken off the end, because the rest is left out. */
export function cutEnd(text: string): number {
  const line = text.lastIndexOf('\n') + 1;
  return Math.max(line, text.length - mostCut(text));
}

/** Of a short text not everything may go. */
const mostCut = (text: string): number => Math.min(overlap, Math.floor(text.length / 4));
