import { posix } from 'node:path';
import type { TreeFile, TreeReader } from './checked.ts';
import type { Delta, Move } from './delta.ts';
import { kindOf } from './protected.ts';
import { languagesOf } from './ratchets/family.ts';
import { relativeImports, resolveFile } from './resolve-file.ts';
import { textOf } from './text.ts';

const mostBytes = 1024 * 1024;

/**
 * Tests and their helpers that were not there before. The old tests need none of them, and must pass without them:
 * runners load all tests into one process, and one that comes first can do what it likes to the others.
 */
export async function newTestsOf(
  deltas: readonly Delta[],
  moves: readonly Move[],
  reader: TreeReader,
): Promise<ReadonlySet<string>> {
  const moved = new Set(moves.filter((one) => one.exact).map((one) => one.to));
  const found = new Set(
    deltas
      .filter(({ path, before }) => before === null && isOfTests(path) && !moved.has(path))
      .map(({ path }) => path),
  );
  if (found.size === 0) return found;
  // A source may be called like a test; one that the work loads is part of it.
  for (const { path, after } of deltas) {
    if (after === null || !isSource(path, after)) continue;
    for (const loaded of loadedBy(path, textOf(await reader.read(after.oid)), found)) found.delete(loaded);
  }
  return found;
}

/** A snapshot without its test is a fault to some runners. */
const isOfTests = (path: string): boolean => kindOf(path) === 'test' || kindOf(path) === 'snapshot';

const isSource = (path: string, { size, mode }: TreeFile): boolean =>
  kindOf(path) === null && languagesOf(path).length > 0 && size <= mostBytes && mode.startsWith('100');

function loadedBy(path: string, text: string, found: ReadonlySet<string>): string[] {
  const dir = `${posix.dirname(path)}/`;
  const relative = [...text.matchAll(relativeImports)].map((one) => one[1] ?? '');
  const python = path.endsWith('.py')
    ? [...text.matchAll(/^[ \t]*(?:from|import)[ \t]+([^\n]*)/gm)].map((one) => one[1] ?? '').join(' ')
    : '';
  const words = new Set(python.match(/\w+/g) ?? []);
  return [
    ...relative.flatMap((name) => resolveFile(dir, name, found) ?? []),
    ...[...found].filter((one) => words.has(posix.basename(one, '.py'))),
  ];
}
