import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cutEnd, cutStart } from './cut.ts';
import { makeRedactor } from './redact.ts';
import { RedactedStream } from './stream.ts';
import { chance, planted, privateKey } from './testing.ts';

const redactor = makeRedactor({ MY_TOKEN: 'grüße-aus-köln' });

function streamed(chunks: readonly string[]): string {
  const stream = new RedactedStream(redactor);
  return chunks.map((chunk) => stream.take(chunk)).join('') + stream.end();
}

/** Cuts a text at arbitrary places. */
const cuts = (text: string) =>
  fc
    .array(fc.nat(text.length), { maxLength: 40 })
    .map((at) => [0, ...at.toSorted((a, b) => a - b), text.length])
    .map((at) => at.slice(1).map((to, index) => text.slice(at[index], to)));

const story = `begin\n${[...planted.map(({ text }) => `x ${text} y`), privateKey(), 'grüße-aus-köln'].join('\n')}\nend`;

test('shows the same wherever the pieces are cut', () => {
  const whole = redactor.redact(story);
  fc.assert(
    fc.property(cuts(story), (chunks) => {
      expect(streamed(chunks)).toBe(whole);
    }),
    { numRuns: 200 },
  );
});

test('hides every secret when it comes character by character', () => {
  const shown = streamed([...story]);
  for (const { secret } of planted) expect(shown).not.toContain(secret);
  expect(shown).not.toContain('köln');
});

test('holds a bounded part of a line that never ends, and still sees what is in it', () => {
  const stream = new RedactedStream(redactor);
  const secret = `ghp_${chance(36)}`;
  let shown = '';
  let most = 0;
  for (let at = 0; at < 3_000; at++) {
    shown +=
      stream.take(`${'word '.repeat(at % 97)}${secret.slice(0, at % 40)}`) +
      stream.take(`${secret.slice(at % 40)} `);
    most = Math.max(most, stream.heldChars);
  }
  shown += stream.end();
  expect(shown).not.toContain(secret);
  expect(shown.match(/redacted: github token/g)).toHaveLength(3_000);
  expect(most).toBeLessThan(80_000);
});

test('a token longer than is held stays hidden to its end', () => {
  const token = `eyJ${chance(60)}.${chance(200_000)}.${chance(50)}`;
  const chunks = `${token} after`.match(/.{1,7000}/gs)!;
  const shown = streamed(chunks);
  expect(shown.length).toBeLessThan(300);
  expect(shown).toContain('after');
  for (let at = 0; at < token.length - 24; at += 24) expect(shown).not.toContain(token.slice(at, at + 24));
});

test('takes linear time for a flood without an end of line', () => {
  const stream = new RedactedStream(redactor);
  const startMs = performance.now();
  for (let at = 0; at < 600; at++) stream.take('sk-token='.repeat(900));
  expect(performance.now() - startMs).toBeLessThan(15_000);
});

test('where something was left out, half a secret is not shown', () => {
  const text = `head\nAuthorization: Bearer ${chance(40)}\n${privateKey()}\ntail ${'long '.repeat(2_000)}`;
  const from = text.indexOf('Bearer ') + 7;
  const inKey = text.indexOf('PRIVATE KEY') + 300;
  for (const at of [from + 5, from + 20, inKey, inKey + 100]) {
    const after = text.slice(at);
    const shown = redactor.redact(after.slice(cutStart(after)));
    expect(shown).not.toContain(text.slice(at, at + 12));
    for (const line of privateKey().split('\n').slice(1, -1)) expect(shown).not.toContain(line);
    expect(shown).toContain('tail long');
    const before = 'fine\n'.repeat(200) + text.slice(0, at);
    expect(redactor.redact(before.slice(0, cutEnd(before)))).not.toContain(text.slice(at - 5, at));
  }
});
