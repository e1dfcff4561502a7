import fc from 'fast-check';
import { expect, test } from 'vitest';
import { makeRedactor } from '../redact/index.ts';
import { chance } from '../redact/testing.ts';
import { LiveText } from './live-text.ts';
import { CharacterEdge } from './utf8.ts';

const redactor = makeRedactor({ SERVICE_TOKEN: 'open-sesame-42', MY_TOKEN: 'grüße-aus-köln' });

function shown(chunks: readonly string[]): string {
  let text = '';
  const live = new LiveText((part) => {
    text += part;
  }, redactor);
  for (const chunk of chunks) live.take(chunk);
  live.end();
  return text;
}

test('shows lines without secrets and control sequences, however they are cut', () => {
  const key = `AKIA${chance(16, 'base32')}`;
  const text = `\x1b[31mred\x1b[0m open-\x1b[1msesame-42\n\x1b]0;title\x07${key.slice(0, 9)}\x1b[0m${key.slice(9)}\nend`;
  const cuts = fc
    .uniqueArray(fc.nat(text.length), { maxLength: 12 })
    .map((at) => at.toSorted((a, b) => a - b));
  fc.assert(
    fc.property(cuts, (at) => {
      const chunks = [0, ...at].map((from, index) => text.slice(from, at[index] ?? text.length));
      expect(shown(chunks)).toBe('red [redacted: SERVICE_TOKEN]\n[redacted: aws key]\nend');
    }),
  );
});

test('hides a secret whose bytes are split amid a character', () => {
  const bytes = Buffer.from('a grüße-aus-köln b\n');
  for (let at = 1; at < bytes.length; at++) {
    const edge = new CharacterEdge();
    const chunks = [bytes.subarray(0, at), bytes.subarray(at)].map((one) =>
      Buffer.from(edge.take(one)).toString(),
    );
    expect(shown(chunks)).toBe('a [redacted: MY_TOKEN] b\n');
  }
});

test('passes over most of a flood and still shows how it ends', () => {
  const chunk = `${'a line of the flood open-sesame-42\n'.repeat(2_000)}`;
  const text = shown([...Array.from({ length: 2_000 }, () => chunk), 'the last words\n']);
  expect(text.length).toBeLessThan(0.2 * 2_000 * chunk.length);
  expect(text.endsWith('the last words\n')).toBe(true);
  expect(text).not.toContain('sesame');
});
