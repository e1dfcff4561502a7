import type { Grammar } from './grammar.ts';
import { grammarOf } from './languages.ts';
import { commentEnd, lineEnd, literalEnd, templateEnd } from './literal.ts';
import { specialOf } from './substance.ts';
import { Heredocs } from './verbatim.ts';

/** A text with its code, its strings and its comments told apart. Every character is where it was. */
export interface Anatomy {
  /** The code alone: comments, and what stands inside of strings, are blanks. */
  code: string;
  /** Code and strings: only comments are blanks. */
  spoken: string;
  comments: { at: number; text: string }[];
}

/** Takes a text apart by the language that the path tells. Never throws, and takes linear time. */
export function anatomyOf(path: string, text: string): Anatomy {
  const language = languageOf(path);
  return new Dissection(grammarOf(language), text, /\.[cm]?ts$|\.[cm]js$/i.test(language)).cut();
}

/** Markup with scripts in it is read as a script: that is where code can hide. */
function languageOf(path: string): string {
  return /\.(?:vue|svelte|astro)$/i.test(path) ? 'script.tsx' : path;
}

class Dissection {
  readonly #grammar: Grammar;
  readonly #text: string;
  readonly #special: ReadonlySet<string>;
  readonly #heredocs: Heredocs;
  readonly #strict: boolean;
  readonly #code: string[] = [];
  readonly #spoken: string[] = [];
  readonly #comments: { at: number; text: string }[] = [];
  readonly #templates: number[] = [];
  #last = '';
  #at = 0;

  /** `strict`: the language has no text between tags, so that two slashes outside of strings begin a comment. */
  constructor(grammar: Grammar, text: string, strict: boolean) {
    this.#grammar = grammar;
    this.#strict = strict;
    this.#text = text;
    this.#special = specialOf(grammar);
    this.#heredocs = new Heredocs(text);
  }

  cut(): Anatomy {
    while (this.#at < this.#text.length) {
      const character = this.#text[this.#at] ?? '';
      if (character === '\n') this.#line();
      else if (this.#special.has(character)) this.#opening(character);
      else this.#plain(this.#runEnd());
    }
    return { code: this.#code.join(''), spoken: this.#spoken.join(''), comments: this.#comments };
  }

  #line(): void {
    this.#plain(this.#at + 1);
    const end = this.#heredocs.bodyEnd(this.#at);
    if (end !== undefined) this.#string(end, 0);
  }

  #opening(character: string): void {
    const comment = commentEnd(this.#grammar, this.#text, this.#at) ?? this.#slashes();
    if (comment !== undefined) {
      this.#comment(comment);
      return;
    }
    const literal = this.#isApostrophe(character)
      ? undefined
      : literalEnd(this.#grammar, this.#text, this.#at, this.#last);
    if (literal !== undefined) this.#string(literal, 1);
    else if (character === '\\') this.#plain(this.#at + 2);
    else if (this.#grammar.traits.has('templates')) this.#templatePart(character);
    else if (this.#grammar.traits.has('heredocs'))
      this.#plain(this.#heredocs.announced(this.#at) ?? this.#at + 1);
    else this.#plain(this.#at + 1);
  }

  #slashes(): number | undefined {
    const begins = this.#strict && this.#text.startsWith('//', this.#at);
    return begins ? lineEnd(this.#text, this.#at) : undefined;
  }

  /** The mark in `don't`, which stands in the text between tags, opens no string. */
  #isApostrophe(character: string): boolean {
    if (!this.#grammar.traits.has('regexes') || !/['"]/.test(character)) return false;
    const word = /[\w$]+$/.exec(this.#text.slice(Math.max(0, this.#at - 12), this.#at))?.[0];
    return word !== undefined && !beforeString.has(word);
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
      this.#plain(this.#at + 1);
    }
  }

  #template(): void {
    const end = templateEnd(this.#text, this.#at + 1);
    const expression = this.#text[end - 1] === '{' && this.#text[end - 2] === '$';
    if (expression) this.#templates.push(0);
    this.#string(end, 1);
    if (expression) this.#last = '{';
  }

  #runEnd(): number {
    let end = this.#at + 1;
    while (end < this.#text.length && this.#text[end] !== '\n' && !this.#special.has(this.#text[end] ?? ''))
      end++;
    return end;
  }

  #plain(end: number): void {
    const piece = this.#text.slice(this.#at, end);
    this.#code.push(piece);
    this.#spoken.push(piece);
    const told = piece.trim();
    if (told !== '') this.#last = told.slice(-20);
    this.#at = Math.min(end, this.#text.length);
  }

  /** Keeps so many characters of the marks at both ends, so that a string can still be seen to be one. */
  #string(end: number, marks: 0 | 1): void {
    const piece = this.#text.slice(this.#at, end);
    const inside = piece.slice(marks, Math.max(marks, piece.length - marks));
    this.#code.push(piece.slice(0, marks), blanked(inside), piece.slice(marks + inside.length));
    this.#spoken.push(piece);
    this.#last = piece.slice(-1);
    this.#at = end;
  }

  #comment(end: number): void {
    const text = this.#text.slice(this.#at, end);
    this.#comments.push({ at: this.#at, text });
    this.#code.push(blanked(text));
    this.#spoken.push(blanked(text));
    this.#at = end;
  }
}

/** Words of a script after which a string may follow without a blank. */
const beforeString = new Set(
  'return typeof case in of from import default else await yield as throw delete void new extends do export'.split(
    ' ',
  ),
);

const blanked = (text: string): string => text.replaceAll(/[^\n]/g, ' ');
