import { lineEnd } from './literal.ts';

/** Reads here-documents: which one a place announces, and where its body ends. */
export class Heredocs {
  readonly #text: string;
  #awaited: string | undefined;
  #lastLines: Map<string, number> | undefined;

  constructor(text: string) {
    this.#text = text;
  }

  /** Where the announcement ends, or undefined when there is none. */
  announced(at: number): number | undefined {
    heredocForm.lastIndex = at;
    const match = heredocForm.exec(this.#text);
    if (match === null) return undefined;
    this.#awaited = match[2];
    return at + match[0].length;
  }

  /** Where the announced body that starts on this line ends, its last line included. */
  bodyEnd(start: number): number | undefined {
    const word = this.#awaited;
    this.#awaited = undefined;
    // Looked up first, because a search for every `<<` that is a shift would cost the whole text each time.
    if (word === undefined || (this.#lines().get(word) ?? -1) < start) return undefined;
    for (let from = start; from < this.#text.length; ) {
      const end = lineEnd(this.#text, from);
      if (this.#text.slice(from, end).trim() === word) return end;
      from = end + 1;
    }
    return undefined;
  }

  #lines(): Map<string, number> {
    if (this.#lastLines !== undefined) return this.#lastLines;
    const lines = new Map<string, number>();
    let offset = 0;
    for (const line of this.#text.split('\n')) {
      lines.set(line.trim(), offset);
      offset += line.length + 1;
    }
    this.#lastLines = lines;
    return lines;
  }
}

const heredocForm = /(?<!<)<<[-~]?(['"]?)([A-Za-z_]\w*)\1/y;

/** Whether a line of YAML that ends with this piece has a block scalar below it. */
export function opensBlockScalar(piece: string): boolean {
  return /^[|>][-+\d]{0,2}$/.test(piece);
}

/** Where the block scalar below a line of this indentation ends; its first line sets the indentation of all. */
export function blockScalarEnd(text: string, start: number, parentWidth: number): number {
  let width: number | undefined;
  let end = start;
  for (let from = start; from < text.length; ) {
    const stop = lineEnd(text, from);
    const line = text.slice(from, stop);
    if (line.trim() !== '') {
      const own = line.length - line.trimStart().length;
      width ??= own;
      if (own <= parentWidth || own < width) break;
      end = stop;
    }
    from = stop + 1;
  }
  return end;
}

/** The lines of a block without the indentation they share, which its surroundings decide. */
export function dedented(block: string): string {
  const lines = block.split('\n');
  const first = lines.find((line) => line.trim() !== '') ?? '';
  const shared = first.length - first.trimStart().length;
  return lines.map((line) => line.slice(Math.min(shared, line.length - line.trimStart().length))).join('\n');
}
