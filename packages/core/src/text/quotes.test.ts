import { expect, it } from 'vitest';
import { quotedRanges } from './quotes.ts';

const quoted = (line: string) => quotedRanges(line).map(({ start, end }) => line.slice(start, end));

it.each<[string, string, string[]]>([
  ['nothing', 'plain words', []],
  ['a code span', 'a `b` c', ['`b`']],
  ['a code span of two ticks', 'a ``b ` c`` d', ['``b ` c``']],
  ['two code spans', '`a` b `c`', ['`a`', '`c`']],
  ['a tick that never closes', 'a `b c', []],
  ['two ticks that one tick does not close', 'a ``b` c', []],
  ['double quotes', 'a "b" c "d"', ['"b"', '"d"']],
  ['double quotes that never close', 'a "b c', ['"b c']],
  ['a length', 'a 5" pipe "b"', ['"b"']],
  ['a quote after a letter', 'a"b"c', ['"b"']],
  ['single quotes', "a 'b' c", ["'b'"]],
  ['single quotes at the start', "'b' c", ["'b'"]],
  ['single quotes that never close', "a 'b c", []],
  ['an apostrophe', "it's not 'b'", ["'b'"]],
  ['an apostrophe inside', "a 'b's c' d", ["'b's c'"]],
  ['an apostrophe after a digit or another alphabet', "5's é's 'b'", ["'b'"]],
  ['curly quotes', 'a “b” c', ['“b”']],
  ['curly quotes that never close', 'a “b c', ['“b c']],
  ['low quotes', 'a „b“ c', ['„b“']],
  ['guillemets', 'a «b» c', ['«b»']],
  ['curly single quotes with an apostrophe', 'a ‘it’s b’ c', ['‘it’s b’']],
  ['a curly single quote that never closes', 'a ‘b c', ['‘b c']],
  ['quotes in quotes, as one', 'a "b `c` \'d\' e" f', ['"b `c` \'d\' e"']],
  ['quotes in a code span, as one', '`a "b` c "d"', ['`a "b`', '"d"']],
  ['single quotes after one that never closed', "a 'b c 'd", []],
])('%s', (_, line, expected) => expect(quoted(line)).toEqual(expected));
