import { cutStart, overlap } from './cut.ts';
import type { Redactor } from './redact.ts';
import { merged, replaceSpans } from './span.ts';

/** A line is held back until so many characters of it have come. */
const mostHeld = 64 * 1024;

/**
 * Hides secrets in a text that comes in pieces, wherever the pieces are cut. Lines are handed on when they are
 * complete; what is held is bounded, and every character is looked at a bounded number of times.
 */
export class RedactedStream {
  readonly #redactor: Redactor;
  readonly #prepare: (text: string) => string;
  #held = '';
  #inside = false;
  #cut = false;
  #running = false;

  /** `prepare` is given whole lines before secrets are looked for in them. */
  constructor(redactor: Redactor, prepare: (text: string) => string = (text) => text) {
    this.#redactor = redactor;
    this.#prepare = prepare;
  }

  get heldChars(): number {
    return this.#held.length;
  }

  /** What may be shown now. */
  take(chunk: string): string {
    const lineEnd = Math.max(chunk.lastIndexOf('\n'), chunk.lastIndexOf('\r', chunk.length - 2)) + 1;
    if (lineEnd === 0) {
      this.#held += chunk;
      return this.#held.length > mostHeld ? this.#shorten() : '';
    }
    const lines = this.#held + chunk.slice(0, lineEnd);
    this.#held = chunk.slice(lineEnd);
    const shown = this.#show(lines);
    return this.#held.length > mostHeld ? shown + this.#shorten() : shown;
  }

  /** What is left when the text is over. */
  end(): string {
    const rest = this.#held;
    this.#held = '';
    return this.#show(rest);
  }

  /** Something was left out here: half a secret may stand at the cut. */
  skip(): void {
    this.#held = '';
    this.#cut = true;
  }

  #show(lines: string): string {
    if (lines === '') return '';
    const text = this.#afterCut(this.#prepare(lines));
    const { spans, inside } = this.#redactor.find(text, this.#inside);
    this.#inside = inside;
    return replaceSpans(text, spans);
  }

  /** Hands on the beginning of a line that does not end. */
  #shorten(): string {
    const text = this.#afterCut(this.#prepare(this.#held));
    const { spans } = this.#redactor.find(text, this.#inside);
    let at = Math.max(0, text.length - overlap);
    for (const { start, end } of merged(spans))
      if (start < at && at < end) at = start > text.length / 2 ? start : end;
    this.#held = text.slice(at);
    this.#running = at === text.length;
    const before = spans
      .filter(({ start }) => start < at)
      .map((span) => ({ ...span, end: Math.min(span.end, at) }));
    return replaceSpans(text.slice(0, at), before);
  }

  /** Takes off what may belong to a secret that began before the text did. */
  #afterCut(text: string): string {
    if (this.#running) {
      const rest = text.replace(/^[\w.~+/=%-]+/, '');
      this.#running = rest === '';
      return rest;
    }
    if (!this.#cut) return text;
    this.#cut = false;
    return text.slice(cutStart(text));
  }
}
