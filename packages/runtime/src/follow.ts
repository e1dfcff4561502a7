import { lstatSync, readlinkSync } from 'node:fs';
import { isAbsolute, join, relative, resolve, sep } from 'node:path';

export type Followed = { kind: 'inside'; path: string } | { kind: 'missing' | 'dangling' | 'outside' };

const mostLinks = 40;

/**
 * Finds a path inside a folder, its links followed as somebody sees them to whom the folder is `root`. It is read at
 * `base`, where asking the system for real paths would lead back to the other folder of that name.
 */
export function follow(base: string, root: string, path: string): Followed {
  let rest = partsOf(root, resolve(root, path));
  if (rest === null) return { kind: 'outside' };
  const done: string[] = [];
  let links = 0;
  for (let name = rest.shift(); name !== undefined; name = rest.shift()) {
    const at = join(base, ...done, name);
    const stat = lookAt(at);
    if (stat === undefined) return { kind: links > 0 ? 'dangling' : 'missing' };
    if (!stat.isSymbolicLink()) {
      done.push(name);
      continue;
    }
    if (++links > mostLinks) return { kind: 'dangling' };
    const target = partsOf(root, resolve(join(root, ...done), readlinkSync(at), ...rest));
    if (target === null) return { kind: 'outside' };
    rest = target;
    done.length = 0;
  }
  return { kind: 'inside', path: join(base, ...done) };
}

function lookAt(path: string) {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOTDIR') return undefined;
    throw error;
  }
}

function partsOf(root: string, path: string): string[] | null {
  const way = relative(root, path);
  if (way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way)) return null;
  return way === '' ? [] : way.split(sep);
}
