import { describe, expect, it } from 'vitest';
import { substanceOf } from './index.ts';

/** A text with a comment behind it: read rightly, the comment goes and nothing else. */
const beforeComment: readonly (readonly [name: string, path: string, code: string])[] = [
  ['a quote in a string of the other kind', 'a.js', `x = "it's"`],
  ['an escaped quote', 'a.js', `x = "a\\" b"`],
  ['an escaped backslash', 'a.js', `x = "a\\\\"`],
  ['slashes in a string', 'a.js', `x = "a // b"`],
  ['an apostrophe as a character', 'a.rs', `x = '\\''`],
  ['a quote as a character', 'a.rs', `x = '"'`],
  ['a quote as a character of C', 'a.c', `x = '"'`],
  ['a long escape as a character', 'a.c', `x = '\\u{1F600}'`],
  ['a pair of slashes as a character', 'a.c', `x = '//'`],
  ['a lifetime', 'a.rs', `x: &'static str`],
  ['an apostrophe in a name', 'a.hs', `x' = 1`],
  ['a verbatim string that ends with a backslash', 'a.cs', `x = @"a\\"`],
  ['a raw string that ends with a backslash', 'a.go', 'x := `a\\`'],
  ['a raw string of two hashes', 'a.rs', 'x = r##"a"# // b"##'],
  ['a raw string of C++', 'a.cpp', 'x = R"(a" // b)"'],
  ['a quote in a text of SQL that ends with a backslash', 'a.sql', `x = 'a\\'`],
  ['a regex with a quote', 'a.ts', 'x = /"/'],
  ['a regex with an escaped slash', 'a.ts', 'x = /\\/"/'],
  ['a regex with a slash in a class', 'a.ts', 'x = /[/"]/'],
  ['a regex with a class that ended', 'a.ts', 'x = /[a]"/'],
  ['a regex as an argument', 'a.ts', 'f(/"/, /"/)'],
  ['a regex after an arrow', 'a.ts', 'x => /"/'],
  ['a regex after a negation', 'a.ts', '!/"/'],
  ['a regex after typeof', 'a.ts', 'typeof /"/'],
  ['a regex after a case', 'a.ts', 'case /"/'],
  ['a regex at the start', 'a.ts', '/"/'],
  ['a division', 'a.ts', 'a / b / c'],
  ['a division after a bracket', 'a.ts', '(a) / b'],
  ['a division after a field named like a keyword', 'a.ts', 'a.of / b'],
  ['a division after a word that ends like a keyword', 'a.ts', 'proof / b'],
  ['a template', 'a.ts', '`a // b`'],
  ['a template with an escaped tick', 'a.ts', '`a\\` // b`'],
  ['a template with a dollar', 'a.ts', '`a $ // b`'],
  ['a template with an object in it', 'a.ts', '`a ${f({ b: 1 })} // c`'],
  ['a string in a template', 'a.ts', '`a ${"}"} // c`'],
  ['a string of Python that spans lines', 'a.py', 'x = """a\n# b"""'],
  ['a quote in a string of three quotes', 'a.py', `x = """a" 'b"""`],
];
const marks: Readonly<Record<string, string>> = { py: '#', hs: '--', sql: '--' };

describe('a comment is seen behind', () => {
  it.each(beforeComment)('%s in %s', (_, path, code) => {
    const mark = marks[path.slice(path.lastIndexOf('.') + 1)] ?? '//';
    expect(substanceOf(path, `${code} ${mark} why "this`)).toBe(substanceOf(path, code));
  });
  it.each(beforeComment)('%s in %s, and what stands in the next line is kept', (_, path, code) => {
    expect(substanceOf(path, `${code}\nnext_a`)).not.toBe(substanceOf(path, `${code}\nnext_b`));
  });
});

describe('what never closes', () => {
  it.each([
    ['a block comment goes to the end', 'a.js', 'a /* b', 'a /* c', true],
    ['a comment in a comment goes to the end', 'a.rs', 'a /* /* b */ c', 'a /* /* b */ d', true],
    ['a comment that opens and ends at once', 'a.js', 'a /*/ b */ c', 'a /*/ d */ c', true],
    ['a string ends with its line', 'a.js', 'x = "a\ny // b', 'x = "a\ny // c', true],
    ['a string is kept without the blanks behind it', 'a.js', 'x = "a   \ny', 'x = "a\ny', true],
    ['a string is kept to the end of the text', 'a.js', 'x = "a // b', 'x = "a // c', false],
    ['a long string is kept', 'a.py', 'x = """a\n# b', 'x = """a\n# c', false],
    ['a template is kept', 'a.ts', '`a // b', '`a // c', false],
    ['a regex is a division', 'a.ts', 'x = /a\ny // b', 'x = /a\ny // c', true],
  ])('%s', (_, path, a, b, same) => {
    expect(substanceOf(path, a) === substanceOf(path, b)).toBe(same);
  });

  it('is no regex when it is as long as no regex is', () => {
    const long = (text: string) => `x = /${'a'.repeat(600)}/ + "${text}"`;
    expect(substanceOf('a.ts', `${long('b')} // c`)).toBe(substanceOf('a.ts', long('b')));
  });
});
