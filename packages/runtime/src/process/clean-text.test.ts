import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cleanText } from './clean-text.ts';

test.each([
  { name: 'plain text', text: 'a\tb\nc — ü 😀\n', clean: 'a\tb\nc — ü 😀\n' },
  { name: 'colours', text: '\x1b[1;31mred\x1b[0m \x1b[38;2;1;2;3mrgb\x1b[m', clean: 'red rgb' },
  { name: 'cursor and erase', text: '\x1b[2J\x1b[1;1Hhi\x1b[?25l\x1b[K', clean: 'hi' },
  { name: 'a hyperlink', text: '\x1b]8;;http://x\x1b\\link\x1b]8;;\x07!', clean: 'link!' },
  { name: 'a clipboard write', text: 'a\x1b]52;c;ZXZpbA==\x07b', clean: 'ab' },
  { name: 'a title that never ends', text: 'a\x1b]0;title\nnext', clean: 'a\nnext' },
  { name: 'a device string over lines', text: 'a\x1bPq#0\n#1\x1b\\b', clean: 'ab' },
  { name: 'a string cut by another sequence', text: 'a\x1b]0;t\x1b[1mb', clean: 'ab' },
  { name: 'APC, PM and SOS', text: '\x1b_a\x1b\\1\x1b^b\x1b\\2\x1bXc\x1b\\3', clean: '123' },
  { name: '8-bit introducers', text: '\x9b31mred\x9d0;t\x9c.\x90q\x9c', clean: 'red.' },
  { name: 'short escapes', text: '\x1b(B\x1b=\x1b7x\x1bc', clean: 'x' },
  { name: 'a sequence cut off at the end', text: 'x\x1b[3', clean: 'x' },
  { name: 'a lone escape at the end', text: 'x\x1b', clean: 'x' },
  { name: 'C0, DEL and C1', text: 'a\x00\x07\x08\x0b\x7f\x85b', clean: 'ab' },
  { name: 'bidirectional controls', text: 'a\u202eb\u2066c\u200fd\u061c', clean: 'abcd' },
  { name: 'zero-width controls and tags', text: 'a\u200bb\u2060c\ufeffd\u{e0041}\u{e0100}e', clean: 'abcde' },
  { name: 'fillers and selectors', text: 'a\u00adb\u034fc\u3164d\ufe0fe\u115ff\u{1d173}g', clean: 'abcdefg' },
  { name: 'halves of characters', text: 'a\ud800b\udc00c', clean: 'abc' },
  { name: 'other ends of lines', text: 'a\u2028b\u2029c', clean: 'a\nb\nc' },
  { name: 'CRLF', text: 'a\r\nb\r\r\nc', clean: 'a\nb\nc' },
  { name: 'a progress bar', text: '10%\r50%\r\x1b[K100%\ndone', clean: '100%\ndone' },
  { name: 'a bar that returned last', text: '10%\r50%\r', clean: '50%' },
  { name: 'nothing but returns', text: '\r\r\n\r', clean: '\n' },
])('cleans $name', ({ text, clean }) => {
  expect(cleanText(text)).toBe(clean);
});

test.each(['\x1b[', '\x1b]', '\x1bP', '\x1b', '\r', '\r\n', '\x9d', '1;', '\x1b[1;', '\x1b]8;;\n', '\u200b'])(
  'takes linear time for a megabyte of %j',
  (unit) => {
    const megabyte = unit.repeat(2 ** 20 / unit.length);
    const startMs = performance.now();
    cleanText(megabyte);
    cleanText(`\x1b[${megabyte}`);
    cleanText(`\x1b]${megabyte}`);
    expect(performance.now() - startMs).toBeLessThan(20_000);
  },
);

// Text in which most characters mean something to a terminal.
const hostile = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        '\x1b',
        '\x9b',
        '\x9d',
        '\x90',
        '\x9c',
        '\x07',
        '\x18',
        '\r',
        '\n',
        '[',
        ']',
        '\\',
        'P',
        '_',
        '^',
        'X',
      ),
      fc.constantFrom(
        '\x1b[',
        '\x1b]52;c;',
        '\x1b]8;;',
        '\x1b]0;',
        '\x1bP',
        '\x1b\\',
        '31m',
        '2J',
        '?25l',
        '\u202e',
        '\u2066',
      ),
      fc.string({ unit: 'binary', maxLength: 6 }),
      fc.string({ maxLength: 4 }),
    ),
    { maxLength: 60 },
  )
  .map((parts) => parts.join(''));

const seen =
  /[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\p{Surrogate}\p{Default_Ignorable_Code_Point}\p{Bidi_Control}]/u;

test('leaves nothing in any text that a terminal acts on or a person cannot see', () => {
  fc.assert(
    fc.property(hostile, (text) => {
      const clean = cleanText(text);
      expect(clean).not.toMatch(seen);
      expect(cleanText(clean)).toBe(clean);
    }),
    { numRuns: 2_000 },
  );
});

test('keeps plain text as it is', () => {
  const plain = fc.string({ unit: 'grapheme-ascii' }).map((text) => `a ${text} – ü 漢 😀\n`);
  fc.assert(fc.property(plain, (text) => cleanText(text) === text));
});
