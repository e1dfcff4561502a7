/**
 * Reads the plain part of YAML, many times faster than the whole language is read: groups and lists by indentation,
 * and on one line words, whole numbers, quoted text without escapes, and short lists and groups of these. Undefined for
 * whatever goes beyond that, or might; then the whole language decides, and says what is wrong where.
 */
export function readPlainYaml(text: string): unknown {
  const lines: Line[] = [];
  for (const raw of text.split('\n')) {
    const found = /^( *)(.*?) *$/.exec(raw);
    if (!found) return undefined;
    const words = found[2]!;
    if (words === '' || words.startsWith('#')) continue;
    if (!/^[ -~¡-῿]*$/.test(words) || words.includes(' #')) return undefined;
    lines.push({ indent: found[1]!.length, text: words });
  }
  const first = lines[0];
  if (!first || first.indent !== 0) return undefined;
  const reader = new Reader(lines);
  const value = reader.group(0);
  return reader.isAtEnd ? value : undefined;
}

interface Line {
  indent: number;
  text: string;
}

const entry = /^([A-Za-z][\w.-]*):(?: +(.+))?$/;
const reserved = /^(?:null|true|false)$/i;

class Reader {
  readonly #lines: Line[];
  #at = 0;

  constructor(lines: Line[]) {
    this.#lines = lines;
  }

  get isAtEnd(): boolean {
    return this.#at === this.#lines.length;
  }

  group(indent: number): Record<string, unknown> | undefined {
    const value: Record<string, unknown> = {};
    for (let line = this.#lines[this.#at]; line && line.indent >= indent; line = this.#lines[this.#at]) {
      const found = line.indent === indent ? entry.exec(line.text) : null;
      if (!found) return undefined;
      const [, key = '', inline] = found;
      if (reserved.test(key) || Object.hasOwn(value, key)) return undefined;
      this.#at += 1;
      const one = inline === undefined ? this.#below(indent) : readInline(inline);
      if (one === undefined) return undefined;
      value[key] = one;
    }
    return value;
  }

  /** What stands under a name; a list may stand as far left as the name itself. */
  #below(indent: number): unknown {
    const next = this.#lines[this.#at];
    if (!next || next.indent < indent) return undefined;
    if (next.text.startsWith('- ')) return this.#list(next.indent);
    return next.indent > indent ? this.group(next.indent) : undefined;
  }

  #list(indent: number): unknown[] | undefined {
    const value: unknown[] = [];
    for (let line = this.#lines[this.#at]; line && line.indent >= indent; line = this.#lines[this.#at]) {
      if (!line.text.startsWith('- ')) return line.indent === indent ? value : undefined;
      if (line.indent !== indent) return undefined;
      const rest = line.text.slice(2);
      if (entry.test(rest)) {
        // The group begins on the line of its dash.
        this.#lines[this.#at] = { indent: indent + 2, text: rest };
        const one = this.group(indent + 2);
        if (one === undefined) return undefined;
        value.push(one);
      } else {
        this.#at += 1;
        const one = readInline(rest);
        if (one === undefined) return undefined;
        value.push(one);
      }
    }
    return value;
  }
}

function readInline(text: string): unknown {
  if (text.startsWith('[') && text.endsWith(']')) return readAll(text.slice(1, -1), readShort);
  if (text.startsWith('{') && text.endsWith('}')) return readShortGroup(text.slice(1, -1));
  if (/^[A-Za-z]/.test(text))
    return reserved.test(text) || /:(?: |$)/.test(text) ? reservedValue(text) : text;
  return readQuotedOrNumber(text);
}

const reservedValue = (text: string): unknown =>
  text === 'true' ? true : text === 'false' ? false : undefined;

function readQuotedOrNumber(text: string): unknown {
  if (/^"[^"\\]*"$/.test(text) || /^'[^']*'$/.test(text)) return text.slice(1, -1);
  return /^(?:0|[1-9]\d{0,14})$/.test(text) ? Number(text) : undefined;
}

/** A value inside of brackets or braces. */
function readShort(text: string): unknown {
  if (!/^[A-Za-z][\w ./*@-]*$/.test(text)) return readQuotedOrNumber(text);
  return reserved.test(text) ? reservedValue(text) : text;
}

function readAll<T>(text: string, read: (text: string) => T | undefined): T[] | undefined {
  if (text.trim() === '') return [];
  const all: T[] = [];
  // A comma inside of quotes leaves halves that are nothing.
  for (const part of text.split(',')) {
    const one = read(part.trim());
    if (one === undefined) return undefined;
    all.push(one);
  }
  return all;
}

function readShortGroup(text: string): Record<string, unknown> | undefined {
  const entries = readAll(text, (part): [string, unknown] | undefined => {
    const found = /^([A-Za-z][\w.-]*): +(.+)$/.exec(part);
    const value = found && !reserved.test(found[1]!) ? readShort(found[2]!) : undefined;
    return found && value !== undefined ? [found[1]!, value] : undefined;
  });
  if (entries === undefined) return undefined;
  const group = Object.fromEntries(entries);
  return Object.keys(group).length === entries.length ? group : undefined;
}
