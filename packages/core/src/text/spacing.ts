import type { Grammar } from './grammar.ts';

/** Which blanks between two characters carry meaning, by family of languages. */
export const spacing = {
  /** Where taking the blank out would make one word or one operator of two. */
  code: (before: string, after: string) =>
    (wordCharacter.test(before) && wordCharacter.test(after)) || operators.has(before + after),
  /** In selectors and shorthand values most blanks mean something. */
  style: (before: string, after: string) => !'{};:,>('.includes(before) && !'{};,>)'.includes(after),
  markup: (before: string, after: string) => before !== '>' && after !== '<',
  /** Where a blank parts arguments or a key from its value. */
  always: () => true,
} satisfies Record<string, Grammar['keepsSpace']>;

/** Beyond ASCII everything is taken for a letter. */
export const wordCharacter = /[\w$\u0080-\uffff]/;

/** Pairs that read as one operator when they touch. */
const operators = new Set(
  '++ -- == => <= >= != && || << >> ** ?? ?. -> :: += -= *= /= %= &= |= ^= // /* */ .. := <- ~= =~ |> <>'.split(
    ' ',
  ),
);
