import { lstatSync } from 'node:fs';
import { ancestors, join, onDisk } from '../workspace/path.ts';

/**
 * When each folder of a checkout was last changed, as we left it. A name that somebody adds or takes away changes
 * the folder it is in, so a few looks at folders stand for one at every file.
 */
export interface FolderTimes {
  /** Whether every folder is as we left it; never at first. */
  areSame(): boolean;
  /** Takes over the folders of all these files. */
  readAll(files: readonly string[]): void;
  /** Takes over the folders above these paths again, since we changed them ourselves. */
  readAgain(paths: readonly string[]): void;
}

export function makeFolderTimes(root: string): FolderTimes {
  let times: Map<string, bigint> | null = null;
  const read = (dir: string): bigint | undefined =>
    lstatSync(onDisk(join(root, dir)), { bigint: true, throwIfNoEntry: false })?.ctimeNs;

  return {
    areSame: () => times !== null && [...times].every(([dir, ctimeNs]) => read(dir) === ctimeNs),
    readAll(files) {
      times = new Map();
      this.readAgain(files);
    },
    readAgain(paths) {
      const dirs = new Set(['', ...paths.flatMap((path) => [...ancestors(path)])]);
      for (const dir of dirs) {
        const ctimeNs = read(dir);
        if (ctimeNs === undefined) times?.delete(dir);
        else times?.set(dir, ctimeNs);
      }
    },
  };
}
