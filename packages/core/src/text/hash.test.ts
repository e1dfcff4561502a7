import { expect, it } from 'vitest';
import { hash64 } from './index.ts';

it('is sixteen hex digits that never change between versions', () => {
  expect(hash64('')).toBe('568ded03a9e1ab2c');
  expect(hash64('a')).toBe('3133c6b7c05658b3');
  expect(hash64('a failing test')).toBe('e627e7913b41a684');
});

it('tells near texts apart', () => {
  const keys = new Set<string>();
  for (let i = 0; i < 200_000; i++) keys.add(hash64(`test ${i} > fails`));
  for (const text of ['', '\0', '\0\0', 'ab', 'ba', 'a\u0100', 'a\u0000']) keys.add(hash64(text));
  expect(keys.size).toBe(200_007);
});

it('changes about half of the bits for one changed character', () => {
  let changed = 0;
  for (let i = 0; i < 1_000; i++) {
    const difference = BigInt(`0x${hash64(`line ${i} a`)}`) ^ BigInt(`0x${hash64(`line ${i} b`)}`);
    changed += difference.toString(2).replaceAll('0', '').length;
  }
  expect(changed / 1_000).toBeGreaterThan(29);
  expect(changed / 1_000).toBeLessThan(35);
});
