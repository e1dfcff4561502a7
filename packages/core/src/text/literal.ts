import type { Comment, Grammar, Quote } from './grammar.ts';

/** Where the comment that opens here ends, or undefined when none does. A line's end is left outside. */
export function commentEnd(grammar: Grammar, text: string, at: number): number | undefined {
  const comment = grammar.comments.find((form) => opensAt(form, text, at));
  if (comment === undefined) return undefined;
  if (comment.close === undefined) return lineEnd(text, at);
  return comment.nested ? nestedEnd(text, at, comment.open, comment.close) : closeEnd(text, at, comment);
}

/** Where the string, character, or regular expression that opens here ends, or undefined when none does. */
export function literalEnd(grammar: Grammar, text: string, at: number, last: string): number | undefined {
  const form = grammar.quotes.find((quote) => opensAt(quote, text, at));
  if (form !== undefined) return quoteEnd(form, text, at);
  if (text[at] === "'" && grammar.traits.has('characters')) return characterEnd(text, at);
  if (text[at] === '/' && grammar.traits.has('regexes') && expressionFollows(last)) return regexEnd(text, at);
  return undefined;
}

/** Where the text part of a template literal ends: after its closing mark, or after the `${` of an expression. */
export function templateEnd(text: string, from: number): number {
  for (let i = from; i < text.length; i++) {
    if (text[i] === '\\') i++;
    else if (text[i] === '`') return i + 1;
    else if (text[i] === '$' && text[i + 1] === '{') return i + 2;
  }
  return text.length;
}

export function lineEnd(text: string, from: number): number {
  const end = text.indexOf('\n', from);
  return end < 0 ? text.length : end;
}

function opensAt(form: Comment | Quote, text: string, at: number): boolean {
  return text.startsWith(form.open, at) && (form.only?.(text, at) ?? true);
}

function closeEnd(text: string, at: number, { open, close = '' }: Comment): number {
  const end = text.indexOf(close, at + open.length);
  return end < 0 ? text.length : end + close.length;
}

function nestedEnd(text: string, at: number, open: string, close: string): number {
  let depth = 1;
  for (let i = at + open.length; i < text.length; ) {
    if (text.startsWith(close, i)) {
      i += close.length;
      if (--depth === 0) return i;
    } else if (text.startsWith(open, i)) {
      i += open.length;
      depth++;
    } else i++;
  }
  return text.length;
}

/** A string that is never closed ends where its form allows at most, without the blanks before a line's end. */
function quoteEnd({ open, close, escapes, long }: Quote, text: string, at: number): number {
  for (let i = at + open.length; i < text.length; i++) {
    if (escapes && text[i] === '\\') i++;
    else if (!long && text[i] === '\n') return trimmedEnd(text, at + open.length, i);
    else if (text.startsWith(close, i)) return i + close.length;
  }
  return long ? text.length : trimmedEnd(text, at + open.length, text.length);
}

function trimmedEnd(text: string, start: number, end: number): number {
  let i = end;
  while (i > start && /\s/.test(text[i - 1] ?? '')) i--;
  return i;
}

/** Told from a lifetime, a prime and a digit separator by closing soon. */
const characterForm = /'(?:\\[^\n]{1,10}?|[^'\\\n]{1,2})'/y;

function characterEnd(text: string, at: number): number | undefined {
  characterForm.lastIndex = at;
  return characterForm.test(text) ? characterForm.lastIndex : undefined;
}

/** After a value a slash divides; after `<` it closes a tag. */
function expressionFollows(last: string): boolean {
  return /(?:^|[=(,:[!&|?{};+\-*%>~^]|(?:^|[^\w$.])(?:return|typeof|case|in|of|do|else|void|throw|delete|yield|await|new))$/.test(
    last.slice(-12),
  );
}

/** Longer ones are taken for divisions, so that a line of slashes is not read to its end from each of them. */
const regexLimit = 500;

function regexEnd(text: string, at: number): number | undefined {
  let inClass = false;
  for (let i = at + 1; i < text.length && i < at + regexLimit; i++) {
    const character = text[i];
    if (character === '\n') return undefined;
    if (character === '\\') i++;
    else if (character === '[') inClass = true;
    else if (character === ']') inClass = false;
    else if (character === '/' && !inClass) return i + 1;
  }
  return undefined;
}
