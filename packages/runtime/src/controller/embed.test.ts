import { fileURLToPath } from 'node:url';
import { expect, it, vi } from 'vitest';

const example = fileURLToPath(new URL('../../../../examples/embed.mjs', import.meta.url));

it('the documented example converges by its gates', async () => {
  const lines: string[] = [];
  const spy = vi.spyOn(console, 'log').mockImplementation((line: string) => void lines.push(line));
  try {
    await import(/* @vite-ignore */ example);
  } finally {
    spy.mockRestore();
  }
  expect(lines).toEqual([
    'converged after 3 iterations: every gate passed: spelling, length ("Hello world")',
  ]);
});
