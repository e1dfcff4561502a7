import { describe, expect, it } from 'vitest';
import { findClaim } from './index.ts';

const find = (output: string) => findClaim(output, { signals: ['ALL_DONE'] });
/** A line of so many characters that ends with these words. */
const ending = (words: string, length: number) => words.padStart(length, 'so it goes ');
const filler = 'and so on '.repeat(60);

type Rows = readonly (readonly [name: string, output: string])[];

const silent: Rows = [
  ['a denial on the long line above', `${ending('this is not', 50)}\nreally ALL_DONE now`],
  ['a denial on the line above, with a full stop in it', `${ending('v1.2 is not', 60)}\nreally ALL_DONE now`],
  [
    'a denial above, and a dash in the line itself',
    `${ending('this is not', 60)}\nreally - so far - ALL_DONE`,
  ],
  ['a denial above, behind windows line ends', `${ending('this is not', 60)}\r\nreally ALL_DONE now`],
  ['a condition on the line below', `${ending('it is ALL_DONE', 50)}\nonce the gates agree`],
  ['a condition on the line below, indented', `${ending('it is ALL_DONE', 60)}\n   once the gates agree`],
  ['a condition on the line below a very long one', `${ending('it is ALL_DONE', 180)}\nonce the gates agree`],
  ['a condition below, behind windows line ends', `${ending('it is ALL_DONE', 60)} \r\nonce the gates agree`],
  ['a promise above, far from the end of the output', `I will print:\nALL_DONE\n${filler}`],
  ['a promise above a list item', 'I will print:\n- ALL_DONE'],
  ['a promise above another kind of item', 'I will print:\n  • ALL_DONE'],
  ['a hanging verb above', 'From now on never\nALL_DONE'],
  ['a denial in front, in a long line', `This is not ALL_DONE ${filler}`],
  ['a doubt behind, at the end of what is looked at', `ALL_DONE ${'and so on '.repeat(18)}would be`],
  ['a line that ends with a question', 'ALL_DONE. Shall I go on?'],
  ['a line that ends with a question in brackets', 'ALL_DONE. (Shall I go on?)'],
  ['a line that ends with a question in bold', '**ALL_DONE. Shall I go on?**'],
  ['a line that ends with a wide question mark', 'ALL_DONE. Shall I go on？'],
];

const claims: Rows = [
  ['a denial on a short line above', `${ending('this is not', 49)}\nreally ALL_DONE now`],
  ['a denial above an empty line', `${ending('this is not', 60)}\n\nreally ALL_DONE now`],
  ['a denial above a line of blanks', `${ending('this is not', 60)}\n \t\nreally ALL_DONE now`],
  ['a denial in a sentence that ended above', `${ending('this is not so.', 60)}\nreally ALL_DONE now`],
  ['a denial above a sign that ends it', `${ending('this is not so!', 60)}\nreally ALL_DONE now`],
  ['a denial in brackets above', `${ending('(this is not so)', 60)}\nreally ALL_DONE now`],
  ['a denial in a table above', `${ending('| this is not |', 60)}\nreally ALL_DONE now`],
  ['a denial above a list item', `${ending('this is not', 60)}\n- really ALL_DONE now`],
  ['a denial above an indented item', `${ending('this is not', 60)}\n  * really ALL_DONE now`],
  ['a denial above a numbered item', `${ending('this is not', 60)}\n2. really ALL_DONE now`],
  ['a denial above a heading', `${ending('this is not', 60)}\n# really ALL_DONE now`],
  ['a denial two lines above', 'I did not touch the docs\nAll tests pass:\nALL_DONE'],
  [
    'a denial two lines above a wrapped one',
    `This is not it\n${ending('all of it is', 60)}\nreally ALL_DONE now`,
  ],
  ['a promise above with words behind its colon', 'I will print: a list\nALL_DONE'],
  ['a hanging verb above an empty line', 'From now on never\n\nALL_DONE'],
  ['a condition below a short line', `${ending('it is ALL_DONE', 49)}\nonce it is merged, tell me`],
  ['a new sentence below', `${ending('it is ALL_DONE', 60)}\nOnce it is merged, tell me`],
  ['a condition below an empty line', `${ending('it is ALL_DONE', 60)}\n\nonce it is merged, tell me`],
  ['a condition below words behind it', `${ending('it is ALL_DONE now', 60)}\nonce it is merged, tell me`],
  ['a denial farther in front than is looked at', `This is not ${filler}ALL_DONE`],
  ['a question in the middle of the line', 'ALL_DONE. Shall I go on? I do.'],
];

describe('no claim for', () => {
  it.each(silent)('%s', (_, output) => expect(find(output)).toBeNull());
});

describe('a claim in spite of', () => {
  it.each(claims)('%s', (_, output) => expect(find(output)).not.toBeNull());
});

describe('the place of a claim', () => {
  it.each([
    ['on the first line, with more below', 'ALL_DONE\nbye\nbye', 1],
    ['below an empty first line', '\nALL_DONE', 2],
    ['before a mention of it', 'ALL_DONE\nLook for `ALL_DONE` in the log', 1],
    ['between two mentions', 'Print ALL_DONE\nALL_DONE\nThe string ALL_DONE is read', 2],
    ['on a line that mentions it, too', 'ok\nALL_DONE, see `ALL_DONE`', 2],
  ])('%s', (_, output, line) => expect(find(output)).toMatchObject({ line }));
});
