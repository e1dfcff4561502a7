import { existsSync, realpathSync } from 'node:fs';
import { follow } from '../../follow.ts';
import { cleanText } from '../../process/index.ts';
import { readRegularFile } from '../../regular-file.ts';
import { type View, viewRoot } from '../in-room.ts';
import { withoutRoot } from '../normalise.ts';

/** What a reader may know of the files that a report speaks of. */
export interface Project {
  /** A text that was hidden in a report's quotes: without control sequences, with relative paths. */
  clean(text: string): string;
  has(file: string): boolean;
  /** A line of a file with its white space collapsed; undefined when it cannot be had or is empty. */
  lineOf(file: string, line: number): string | undefined;
}

/** Where no files can be looked at. */
export const noProject: Project = { clean: cleanText, has: () => false, lineOf: () => undefined };

const maxFileBytes = 2 * 1024 * 1024;
const maxAllChars = 64 * 1024 * 1024;

/** The files a gate looked at. Each is read once, and neither through a link that leads out nor past the bounds. */
export function openProject(view: View): Project {
  const { root } = view;
  const roots = [...new Set([root, existsSync(root) ? realpathSync(root) : root])];
  const base = viewRoot(view);
  const paths = new Map<string, string | undefined>();
  const files = new Map<string, readonly string[]>();
  let left = maxAllChars;

  const pathOf = (file: string): string | undefined => {
    if (!paths.has(file)) paths.set(file, find(base, root, file));
    return paths.get(file);
  };
  const linesOf = (file: string): readonly string[] => {
    const path = left > 0 ? pathOf(file) : undefined;
    const text = path === undefined ? '' : (readRegularFile(path, maxFileBytes) ?? '');
    left -= text.length;
    return text.split('\n');
  };
  return {
    clean: (text) => roots.reduce(withoutThis, cleanText(text)),
    has: (file) => pathOf(file) !== undefined,
    lineOf(file, line) {
      const lines = files.get(file) ?? linesOf(file);
      files.set(file, lines);
      const text = lines[line - 1]?.slice(0, 2_000).replace(/\s+/g, ' ').trim();
      return text === '' ? undefined : text;
    },
  };
}

function find(base: string, root: string, file: string): string | undefined {
  try {
    const found = follow(base, root, file);
    return found.kind === 'inside' ? found.path : undefined;
  } catch {
    // A name that no file can have, or a folder that is not for us to see.
    return undefined;
  }
}

// Most texts do not name the root, and making a pattern for each would take longer than reading them.
function withoutThis(text: string, root: string): string {
  return text.includes(root) ? withoutRoot(text, root) : text;
}
