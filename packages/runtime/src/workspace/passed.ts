import { join } from './path.ts';
import type { Dir } from './tree.ts';

/** A path that lies in the workspace and is in no snapshot. */
export interface Passed {
  path: string;
  isDir: boolean;
}

/** What the last scan passed over: ignored, excluded, too large or likely a secret. Of a directory only its own name. */
export function listPassed(dir: Dir, path = ''): Passed[] {
  const here = [...dir.passed.keys()].flatMap((key) => {
    const isDir = key.endsWith('/');
    const name = isDir ? key.slice(0, -1) : key;
    return dir.files.has(name) ? [] : [{ path: join(path, name), isDir }];
  });
  const below = [...dir.dirs].flatMap(([name, sub]) => listPassed(sub, join(path, name)));
  return [...here, ...below];
}
