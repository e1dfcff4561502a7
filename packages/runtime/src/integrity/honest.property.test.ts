import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { check, type Files } from './testing.ts';

const pieces = [
  '// eslint-disable-next-line no-console\nconsole.log(1);',
  '/* eslint-disable no-x, no-y */\nf();',
  '// @ts-ignore\nold();',
  'export const a = b as any;',
  'export const c = d as unknown as E;',
  'process.exit(0);',
  "import { vi } from 'vitest';",
  "if (process.env.VITEST) f('as any');",
  '/* istanbul ignore next */\ng();',
  'export function h(x: number) {\n  return x;\n}',
];

const layout = fc.array(
  fc.record({ piece: fc.constantFrom(...pieces), before: fc.nat(5), after: fc.nat(5) }),
  {
    minLength: 1,
    maxLength: 20,
  },
);

/** The pieces, each in the file that it is told to be in. */
function filesOf(parts: readonly { piece: string; at: number }[], folder: string): Files {
  const files: Record<string, string> = {};
  for (const { piece, at } of parts) {
    const path = `${folder}/f${at}.ts`;
    files[path] = `${files[path] ?? ''}${piece}\n`;
  }
  return files;
}

describe('code that is moved', () => {
  it('between any files in any order is never blamed', async () => {
    await fc.assert(
      fc.asyncProperty(layout, fc.boolean(), async (parts, otherFolder) => {
        const before = filesOf(
          parts.map(({ piece, before: at }) => ({ piece, at })),
          'src',
        );
        const after = filesOf(
          parts.map(({ piece, after: at }) => ({ piece, at })).reverse(),
          otherFolder ? 'app' : 'src',
        );
        const { changed, ratchets } = await check(before, after);
        expect([changed, ratchets]).toEqual([[], []]);
      }),
      { numRuns: 150 },
    );
  });

  it('does not cover for what was added beside it', async () => {
    await fc.assert(
      fc.asyncProperty(layout, fc.constantFrom(...pieces.slice(0, 9)), async (parts, extra) => {
        const before = filesOf(
          parts.map(({ piece, before: at }) => ({ piece, at })),
          'src',
        );
        const moved = [...parts.map(({ piece, after: at }) => ({ piece, at })), { piece: extra, at: 7 }];
        const { ratchets } = await check(before, filesOf(moved, 'src'));
        expect(ratchets.length).toBeGreaterThan(0);
      }),
      { numRuns: 150 },
    );
  });
});
