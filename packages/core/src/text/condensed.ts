import type { Grammar } from './grammar.ts';

/** Collects the substance of a text: pieces as they are, and of the blanks between them only what has meaning. */
export class Condensed {
  readonly #grammar: Grammar;
  readonly #pieces: string[] = [];
  /** The widths of the open indentations, as Python keeps them. */
  readonly #widths: number[] = [0];
  #gap: 'none' | 'blank' | 'line' = 'line';
  #tabbed = false;
  #last = '';
  /** The indentation of the line being written. */
  width = 0;

  constructor(grammar: Grammar) {
    this.#grammar = grammar;
  }

  /** The piece written last; empty at the start of a line. */
  get last(): string {
    return this.#last;
  }

  piece(text: string): void {
    if (text === '') return;
    this.#closeGap(text);
    this.#pieces.push(text);
    this.#last = text;
  }

  blank(character: string): void {
    if (this.#gap === 'line') {
      this.#tabbed ||= this.width === 0 && character === '\t';
      this.width = character === '\t' ? (this.width | 7) + 1 : this.width + 1;
    } else this.#gap = 'blank';
  }

  /** A comment parts two pieces as a blank does, but does not indent. */
  comment(): void {
    if (this.#gap === 'none') this.#gap = 'blank';
  }

  line(): void {
    this.#gap = 'line';
    this.#tabbed = false;
    this.width = 0;
    if (this.#grammar.layout !== 'free') this.#last = '';
  }

  toString(): string {
    return this.#pieces.join('');
  }

  #closeGap(next: string): void {
    const gap = this.#gap;
    this.#gap = 'none';
    const { layout, keepsSpace } = this.#grammar;
    if (gap === 'line' && layout !== 'free') {
      if (this.#pieces.length > 0) this.#pieces.push('\n');
      if (layout === 'depth') this.#pieces.push(this.#depthMark());
    } else if (gap !== 'none' && this.#last !== '' && keepsSpace(this.#last.slice(-1), next[0] ?? '')) {
      this.#pieces.push(' ');
    }
  }

  /** The depth instead of the width: indenting a whole file otherwise changes nothing. */
  #depthMark(): string {
    while ((this.#widths.at(-1) ?? 0) > this.width) this.#widths.pop();
    if ((this.#widths.at(-1) ?? 0) < this.width) this.#widths.push(this.width);
    const tab = this.#tabbed && this.#grammar.traits.has('tabs') ? 't' : '';
    return `${this.#widths.length - 1}${tab}|`;
  }
}
