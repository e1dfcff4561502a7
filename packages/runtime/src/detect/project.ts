import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readRegularFile } from '../regular-file.ts';
import { walk } from '../walk.ts';

/** A project as its files show it. Nothing in it is run. */
export interface Project {
  readonly root: string;
  /** The first of these names that is there. */
  first(...names: string[]): string | undefined;
  has(...names: string[]): boolean;
  /** The text of a file; empty when there is none. */
  read(path: string): string;
  /** A file of JSON, comments allowed; null when there is none that can be read. */
  readJson(path: string): Record<string, unknown> | null;
  /** The files near the root, as many as a quick look shows. */
  files(): readonly string[];
}

/** Enough to see what a project is made of, and quick on any disk. */
const mostEntries = 5_000;

export function openProject(root: string): Project {
  let files: string[] | undefined;
  const texts = new Map<string, string>();
  const first = (...names: string[]) => names.find((name) => existsSync(join(root, name)));
  const read = (path: string): string => {
    const text = texts.get(path) ?? readRegularFile(join(root, path)) ?? '';
    texts.set(path, text);
    return text;
  };
  return {
    root,
    first,
    has: (...names) => first(...names) !== undefined,
    read,
    readJson: (path) => parseJson(read(path)),
    files: () => (files ??= walk(root, mostEntries).files),
  };
}

function parseJson(text: string): Record<string, unknown> | null {
  if (text === '') return null;
  for (const form of [text, withoutComments(text)]) {
    try {
      const value: unknown = JSON.parse(form);
      if (typeof value === 'object' && value !== null) return value as Record<string, unknown>;
    } catch {
      // A manifest that cannot be read proposes nothing; the gates themselves will say what is wrong with it.
    }
  }
  return null;
}

function withoutComments(text: string): string {
  return text
    .replaceAll(/("(?:[^"\\]|\\.)*")|\/\/[^\n]*|\/\*[\s\S]*?\*\//g, '$1')
    .replaceAll(/,(\s*[}\]])/g, '$1');
}
