import { cutEnd, cutStart, redact } from '../redact/index.ts';
import { cleanText } from './clean-text.ts';
import { joinKept, type Kept } from './ring.ts';

/** The text as a person may see it. Secrets are looked for last: a control sequence may stand amid one. */
export const safeText = (text: string): string => redact(cleanText(text));

/** What was kept of a stream, without secrets. Where it was cut, what may be half a secret goes, too. */
export function redactKept({ head, tail, leftOut }: Kept): string {
  if (tail === null) return redact(head);
  const end = cutEnd(head);
  const start = cutStart(tail);
  const lost = Buffer.byteLength(head.slice(end)) + Buffer.byteLength(tail.slice(0, start));
  return joinKept({
    head: redact(head.slice(0, end)),
    tail: redact(tail.slice(start)),
    leftOut: leftOut + lost,
  });
}
