import { describe, expect, test } from 'vitest';
import { joinKept, Ring } from './ring.ts';

describe('a ring', () => {
  test.each([
    { name: 'nothing', chunks: [], text: '' },
    { name: 'less than the head', chunks: ['abc'], text: 'abc' },
    { name: 'exactly head and tail', chunks: ['abcd', 'efgh'], text: 'abcdefgh' },
    { name: 'one byte too many', chunks: ['abcdefghi'], text: 'abcd\n[1 bytes left out]\nfghi' },
    {
      name: 'chunks across the edges',
      chunks: ['abc', 'def', 'ghi', 'jkl'],
      text: 'abcd\n[4 bytes left out]\nijkl',
    },
    { name: 'a character across head and tail', chunks: ['abc', 'éxy'], text: 'abcéxy' },
    {
      name: 'characters cut on both sides',
      chunks: ['abcé', '-----', 'éxyz'],
      text: 'abc\n[9 bytes left out]\nxyz',
    },
  ])('keeps $name', ({ chunks, text }) => {
    const ring = new Ring(4, 4);
    for (const chunk of chunks) ring.write(Buffer.from(chunk));
    expect(joinKept(ring.kept())).toBe(text);
    expect(ring.truncated).toBe(text.includes('left out'));
  });

  test('keeps no tail when none is wanted', () => {
    const ring = new Ring(2, 0);
    ring.write(Buffer.from('abcdef'));
    expect(joinKept(ring.kept())).toBe('ab\n[4 bytes left out]\n');
  });

  test('holds no more than head and tail after 4 GB', () => {
    const ring = new Ring(1024, 2048);
    const chunk = Buffer.alloc(64 * 1024 * 1024, 'x');
    for (let written = 0; written < 64; written++) ring.write(chunk);
    ring.write(Buffer.from('the end'));
    expect(ring.heldBytes).toBe(3072);
    expect(joinKept(ring.kept())).toContain(`[${64 * chunk.length + 7 - 3072} bytes left out]`);
    expect(joinKept(ring.kept()).endsWith('xthe end')).toBe(true);
  });
});
