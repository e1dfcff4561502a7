import { expect, test } from 'vitest';
import { CharacterEdge, continuationLength, wholeLength } from './utf8.ts';

test('joins characters that were split at every byte', () => {
  const bytes = Buffer.from('a é € 😀 z');
  const edge = new CharacterEdge();
  const chunks = [...bytes].map((byte) => Buffer.from(edge.take(Buffer.from([byte]))).toString('utf8'));
  expect(chunks.join('')).toBe('a é € 😀 z');
  expect(edge.rest()).toHaveLength(0);
});

test('lets invalid bytes through instead of waiting for more', () => {
  const edge = new CharacterEdge();
  const first = edge.take(Buffer.from([0x80, 0x80, 0x80, 0x80]));
  expect(first).toHaveLength(4);
  expect(edge.take(Buffer.from([0xff, 0x41]))).toHaveLength(2);
});

test('hands out the beginning of a character that never came', () => {
  const edge = new CharacterEdge();
  expect(edge.take(Buffer.from([0x41, 0xe2, 0x82]))).toHaveLength(1);
  expect(edge.rest()).toHaveLength(2);
});

test.each([
  { bytes: [], whole: 0, continued: 0 },
  { bytes: [0x41], whole: 1, continued: 0 },
  { bytes: [0x41, 0xc3], whole: 1, continued: 0 },
  { bytes: [0xc3, 0xa9], whole: 2, continued: 0 },
  { bytes: [0x82, 0xac, 0xf0, 0x9f, 0x98], whole: 2, continued: 2 },
])('finds the character edges of $bytes', ({ bytes, whole, continued }) => {
  expect(wholeLength(Uint8Array.from(bytes))).toBe(whole);
  expect(continuationLength(Uint8Array.from(bytes))).toBe(continued);
});
