import { existsSync, readdirSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { makeFolder } from '../make-folder.ts';
import type { Captured, Passed } from './dependencies.ts';
import { leaksOf } from './leaks.ts';
import { entriesBelow, mirror } from './mirror.ts';

/**
 * Copies the packages that are installed now and were not before anyone worked. A package that was there before is
 * never looked at again, and nothing that an interpreter loads by itself is taken over.
 */
export async function copyAdded(root: string, room: string, passed: readonly Passed[]): Promise<Captured> {
  const into = join(room, 'added');
  rmSync(into, { recursive: true, force: true });
  makeFolder(into);
  const paths = passed
    .flatMap(({ path }) => packagesIn(root, path))
    .filter((path) => !existsSync(join(room, 'deps', path)));
  const entries = paths.flatMap((path) => [...entriesBelow(root, path)]);
  await mirror(root, into, entries, {});
  return { paths, leaks: entries.flatMap((entry) => leaksOf(root, entry)), notes: [] };
}

/** The packages of one dependency folder, by their paths. */
function packagesIn(root: string, path: string): string[] {
  if (basename(path) === 'node_modules') return nodePackages(root, path);
  if (!existsSync(join(root, path, 'pyvenv.cfg'))) return [];
  const libraries = namesIn(join(root, path, 'lib')).map((name) => join(path, 'lib', name, 'site-packages'));
  return [
    ...libraries.flatMap((folder) =>
      below(root, folder).filter((one) => !LOADED_BY_ITSELF.test(basename(one))),
    ),
    ...below(root, join(path, 'bin')),
  ];
}

function nodePackages(root: string, folder: string): string[] {
  return below(root, folder).flatMap((path) => {
    const name = basename(path);
    if (name.startsWith('@') || name === '.bin' || name === '.pnpm') return below(root, path);
    return name.startsWith('.') ? [] : [path];
  });
}

const LOADED_BY_ITSELF = /\.pth$|\.egg-link$|^(?:site|user)customize\b/;

const below = (root: string, folder: string): string[] =>
  namesIn(join(root, folder)).map((name) => join(folder, name));

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    // Not there, or no folder.
    return [];
  }
}
