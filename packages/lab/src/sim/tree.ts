import { createHash } from 'node:crypto';

/** The files of a workspace, as far as this world has any. */
export type Files = ReadonlyMap<string, string>;

export const isTest = (path: string): boolean => path.startsWith('tests/');

export function treeOf(files: Files): string {
  const text = [...files]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([path, content]) => `${path}\n${content}\n`)
    .join('');
  return createHash('sha1').update(text).digest('hex');
}

/** What is left when the words of no consequence are taken out. */
export const substance = (content: string): string => content.replace(/ #.*$/, '');

/** The agent's files with the tests of before: what a sealed gate judges. */
export function sealed(files: Files, base: Files): Files {
  return new Map([
    ...[...files].filter(([path]) => !isTest(path)),
    ...[...base].filter(([path]) => isTest(path)),
  ]);
}

/** What is really wrong, as a gate would find it; a test that was tampered with finds nothing. */
export function wrongIn(files: Files, gate: string, base: Files): string[] {
  if (files.get(`tests/${gate}`) === 'cheat') return [];
  return [...base.keys()]
    .filter((path) => path.startsWith(`src/${gate}`))
    .filter((path) => !(files.get(path) ?? 'bug').startsWith('good'));
}
