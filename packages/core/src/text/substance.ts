import { Condensed } from './condensed.ts';
import type { Grammar } from './grammar.ts';
import { grammarOf } from './languages.ts';
import { commentEnd, literalEnd, templateEnd } from './literal.ts';
import { blockScalarEnd, dedented, Heredocs, opensBlockScalar } from './verbatim.ts';

/**
 * The text without comments and without the white space that means nothing in its language, which the path
 * tells. Equal substance, equal meaning; in doubt something is kept. Never throws, and takes linear time.
 */
export function substanceOf(path: string, text: string): string {
  return new Reader(grammarOf(path), text.replaceAll('\r\n', '\n')).read();
}

class Reader {
  readonly #grammar: Grammar;
  readonly #text: string;
  readonly #out: Condensed;
  readonly #special: ReadonlySet<string>;
  readonly #heredocs: Heredocs;
  /** How many braces are open in each template expression around this place, outermost first. */
  readonly #templates: number[] = [];
  #brackets = 0;
  #at = 0;

  constructor(grammar: Grammar, text: string) {
    this.#grammar = grammar;
    this.#text = text;
    this.#out = new Condensed(grammar);
    this.#special = specialOf(grammar);
    this.#heredocs = new Heredocs(text);
  }

  read(): string {
    while (this.#at < this.#text.length) {
      const character = this.#text[this.#at] ?? '';
      if (character === '\n') this.#line();
      else if (isBlank(character)) this.#skip(1, () => this.#out.blank(character));
      else if (this.#special.has(character)) this.#opening(character);
      else this.#takeTo(this.#runEnd());
    }
    return this.#out.toString();
  }

  #line(): void {
    this.#at++;
    if (this.#brackets > 0) {
      this.#out.comment();
      return;
    }
    const { last, width } = this.#out;
    this.#out.line();
    if (this.#grammar.traits.has('block-scalars') && opensBlockScalar(last)) {
      const end = blockScalarEnd(this.#text, this.#at, width);
      this.#out.piece(dedented(this.#text.slice(this.#at, end)));
      this.#at = end;
    }
    this.#takeTo(this.#heredocs.bodyEnd(this.#at) ?? this.#at);
  }

  #opening(character: string): void {
    const comment = commentEnd(this.#grammar, this.#text, this.#at);
    if (comment !== undefined) {
      this.#skip(comment - this.#at, () => this.#out.comment());
      return;
    }
    const literal = literalEnd(this.#grammar, this.#text, this.#at, this.#out.last);
    if (literal !== undefined) this.#takeTo(literal);
    else if (character === '\\') this.#escape();
    else if (this.#grammar.traits.has('templates')) this.#templatePart(character);
    else if (this.#grammar.traits.has('heredocs'))
      this.#takeTo(this.#heredocs.announced(this.#at) ?? this.#at + 1);
    else this.#bracket(character);
  }

  #escape(): void {
    if (this.#text[this.#at + 1] === '\n') this.#skip(2, () => this.#out.comment());
    else this.#takeTo(this.#at + 2);
  }

  #templatePart(character: string): void {
    const open = this.#templates.at(-1);
    if (character === '`') this.#template();
    else if (character === '}' && open === 0) {
      this.#templates.pop();
      this.#template();
    } else {
      if (open !== undefined && character === '{') this.#templates[this.#templates.length - 1] = open + 1;
      if (open !== undefined && character === '}') this.#templates[this.#templates.length - 1] = open - 1;
      this.#takeTo(this.#at + 1);
    }
  }

  #template(): void {
    const end = templateEnd(this.#text, this.#at + 1);
    if (this.#text[end - 1] === '{') this.#templates.push(0);
    this.#takeTo(end);
  }

  #bracket(character: string): void {
    if (this.#grammar.traits.has('joins')) {
      if ('([{'.includes(character)) this.#brackets++;
      if (')]}'.includes(character)) this.#brackets = Math.max(0, this.#brackets - 1);
    }
    this.#takeTo(this.#at + 1);
  }

  #runEnd(): number {
    let end = this.#at + 1;
    for (; end < this.#text.length; end++) {
      const character = this.#text[end] ?? '';
      if (isBlank(character) || character === '\n' || this.#special.has(character)) break;
    }
    return end;
  }

  #takeTo(end: number): void {
    this.#out.piece(this.#text.slice(this.#at, end));
    this.#at = end;
  }

  #skip(length: number, mark: () => void): void {
    mark();
    this.#at += length;
  }
}

/** The characters at which something other than plain code may begin. */
export function specialOf({ comments, quotes, traits }: Grammar): ReadonlySet<string> {
  const special = new Set([...comments, ...quotes].map(({ open }) => open[0] ?? ''));
  const add = (characters: string) => [...characters].forEach((character) => special.add(character));
  if (traits.has('escapes')) add('\\');
  if (traits.has('characters')) add("'");
  if (traits.has('regexes')) add('/');
  if (traits.has('templates')) add('`{}');
  if (traits.has('heredocs')) add('<');
  if (traits.has('joins')) add('()[]{}');
  return special;
}

function isBlank(character: string): boolean {
  return character === ' ' || character === '\t' || (character !== '\n' && /\s/.test(character));
}
