import { chmodSync, lstatSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type Bed, makeBed } from './testing.ts';

type Deed =
  | { kind: 'write'; path: string; body: string }
  | { kind: 'link'; path: string; body: string }
  | { kind: 'chmod'; path: string; bits: number }
  | { kind: 'move'; path: string; to: string }
  | { kind: 'remove'; path: string };

const part = fc.constantFrom('a', 'b', 'ä', 'a.b', 'a-');
const path = fc.array(part, { minLength: 1, maxLength: 3 }).map((parts) => parts.join('/'));
const body = fc.constantFrom('', '1', '2', 'a/b', 'long\r\ntext');
const deed: fc.Arbitrary<Deed> = fc.oneof(
  fc.record({ kind: fc.constant('write' as const), path, body }),
  fc.record({ kind: fc.constant('link' as const), path, body: fc.constantFrom('a', 'b', 'nowhere') }),
  fc.record({ kind: fc.constant('chmod' as const), path, bits: fc.constantFrom(0o644, 0o755) }),
  fc.record({ kind: fc.constant('move' as const), path, to: path }),
  fc.record({ kind: fc.constant('remove' as const), path }),
);
const rounds = fc.array(
  fc.record({ deeds: fc.array(deed, { maxLength: 6 }), back: fc.option(fc.nat(5)), reopen: fc.boolean() }),
  { minLength: 1, maxLength: 6 },
);

it('equals a full add after any deeds, and every earlier tree can be restored', async () => {
  await fc.assert(
    fc.asyncProperty(rounds, async (plan) => {
      const bed = makeBed();
      let ws = await bed.open();
      const trees: string[] = [];
      for (const { deeds, back, reopen } of plan) {
        for (const each of deeds) attempt(bed, each);
        const expected = bed.addAll();
        const then = back === null ? undefined : trees[back % Math.max(trees.length, 1)];
        if (then !== undefined) {
          expect((await ws.restore(then, 'safety')).safety).toBe(expected);
          expect(bed.addAll()).toBe(then);
        }
        const { tree } = await ws.snapshot({ ref: 'run/1' });
        expect(tree).toBe(then ?? expected);
        trees.push(tree);
        if (reopen) {
          await ws.close();
          ws = await bed.open();
        }
      }
    }),
    { numRuns: 25 },
  );
});

/** Many deeds are impossible in the state they meet; the system then refuses them and nothing happened. */
function attempt(bed: Bed, each: Deed): void {
  try {
    perform(bed, each);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).syscall === undefined) throw error;
  }
}

function perform(bed: Bed, each: Deed): void {
  const at = bed.at(each.path);
  if (each.kind !== 'remove') mkdirSync(dirname(at), { recursive: true });
  switch (each.kind) {
    case 'write':
      return writeFileSync(at, each.body);
    case 'link':
      rmSync(at, { recursive: true, force: true });
      return symlinkSync(each.body, at);
    case 'chmod':
      return lstatSync(at).isFile() ? chmodSync(at, each.bits) : undefined;
    case 'move':
      return renameSync(at, bed.at(each.to));
    case 'remove':
      return rmSync(at, { recursive: true, force: true });
  }
}
