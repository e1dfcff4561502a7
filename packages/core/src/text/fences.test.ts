import { expect, it } from 'vitest';
import { fencedRanges } from './fences.ts';

const blocks = (text: string) => fencedRanges(text).map(({ start, end }) => text.slice(start, end));

it.each<[string, string, string[]]>([
  ['nothing', 'plain text\n', []],
  ['a block', 'a\n```sh\nx\n```\nb', ['```sh\nx\n```']],
  ['two blocks', '```\na\n```\nb\n~~~\nc\n~~~\nd', ['```\na\n```', '~~~\nc\n~~~']],
  ['a block that never closes', 'a\n```\nb\nc', ['```\nb\nc']],
  ['a block closed with blanks behind the fence', '```\na\n```  \t\nb', ['```\na\n```  \t']],
  ['a block closed by a longer fence', '```\na\n`````\nb', ['```\na\n`````']],
  ['a block not closed by a shorter fence', '````\na\n```\nb', ['````\na\n```\nb']],
  ['a block not closed by a fence with words', '```\na\n``` js\nb\n```\nc', ['```\na\n``` js\nb\n```']],
  ['a block not closed by the other mark', '~~~\na\n```\nb', ['~~~\na\n```\nb']],
  ['a block with a tick in its words, by tildes', '~~~ a`b\nc\n~~~\nd', ['~~~ a`b\nc\n~~~']],
  ['a span of three ticks on one line', '```a``` b\nc', []],
  ['a tick in the words behind ticks', '``` a`b\nc', []],
  ['ticks in the middle of a line', 'see ```\na\n', []],
  ['two ticks, and one tilde', '``\na\n``\n~\nb\n~', []],
  ['an indented block', '  \t```\na\n  ```\nb', ['  \t```\na\n  ```']],
  ['a block on a list item', '-   ```\na\n```\nb', ['-   ```\na\n```']],
  ['a block on a numbered item', '12. ```\na\n```\nb', ['12. ```\na\n```']],
  ['a block on an item with a bracket', '1) ```\na\n```\nb', ['1) ```\na\n```']],
  ['ticks behind letters with a stop', 'ab. ```\na', []],
  ['ticks behind a number alone', '12 ```\na', []],
  ['ticks behind a long number', '1234. ```\na', []],
])('%s', (_, text, expected) => expect(blocks(text)).toEqual(expected));
