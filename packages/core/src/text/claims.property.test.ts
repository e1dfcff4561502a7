import fc from 'fast-check';
import { expect, it } from 'vitest';
import { defaultSignals, findClaim } from './index.ts';

const find = (output: string, prompt?: string) =>
  findClaim(output, { signals: defaultSignals, prompt, nonce: 'n1' });
const signal = fc.constantFrom(...defaultSignals);
const words = fc
  .array(fc.stringMatching(/^[a-z]{1,8}[,:]?$/), { maxLength: 8 })
  .map((list) => list.join(' '));
const pieces = fc.constantFrom(
  ...defaultSignals,
  '\n',
  '```',
  '`',
  '"',
  "'",
  '“',
  '> ',
  'not ',
  'will print ',
  ' ',
  'x',
  '.',
  '?',
);
const messy = fc.array(fc.oneof(pieces, fc.string({ maxLength: 6 }))).map((list) => list.join(''));

it('never claims in a text without a signal', () => {
  const text = fc.string({ unit: 'binary' }).filter((value) => !/DONE|COMPLETE/.test(value));
  fc.assert(fc.property(text, (value) => find(value) === null));
});

it('never claims for a signal between letters', () => {
  const letter = fc.constantFrom('a', 'Z', 'é', 'ж', '漢', '9', '_');
  fc.assert(
    fc.property(
      words,
      letter,
      fc.constantFrom('TASK_COMPLETE', 'DONE'),
      letter,
      words,
      (a, left, token, right, b) => {
        expect(find(`${a}${left}${token}${right}${b}`)).toBeNull();
        expect(find(`${a}${left}${token}`)).toBeNull();
      },
    ),
  );
});

it('is silenced by every kind of quoting', () => {
  const quotes = fc.constantFrom(
    ...([
      ['"', '"'],
      ["'", "'"],
      ['“', '”'],
      ['«', '»'],
      ['‘', '’'],
      ['`', '`'],
      ['> ', ''],
      ['```\n', '\n```'],
    ] as const),
  );
  fc.assert(
    fc.property(quotes, words, signal, words, ([open, close], before, token, after) => {
      expect(find(`${open}${before} ${token} ${after}${close}`.replace(`${open} `, open))).toBeNull();
    }),
  );
});

it('is silenced by repeating the prompt', () => {
  fc.assert(fc.property(messy, (text) => find(text, text) === null));
});

it('reports a place where the signal stands, whatever surrounds it', () => {
  fc.assert(
    fc.property(messy, (text) => {
      const claim = find(text);
      if (claim === null) return;
      expect(text.startsWith(claim.signal, claim.offset)).toBe(true);
      expect(text.slice(0, claim.offset).split('\n')).toHaveLength(claim.line);
    }),
  );
});
