/** What is loaded by a path of its own, in JavaScript and TypeScript. */
export const relativeImports = /\b(?:from|import|require)\s*\(?\s*["'](\.{1,2}\/[^"'\n]{1,200})["']/g;

/** Which paths a tree has. */
type Paths = { has(path: string): boolean };

const endings = [
  '',
  '.js',
  '.ts',
  '.mjs',
  '.cjs',
  '.mts',
  '.cts',
  '.jsx',
  '.tsx',
  '.json',
  '.py',
  '.php',
  '.rb',
  '/index.js',
  '/index.ts',
  '/__init__.py',
];

/** The file of a tree that a name means, from a folder or from the root. */
export function resolveFile(dir: string, name: string, paths: Paths): string | undefined {
  const plain = name.replace(/^<rootDir>\//, '').replace(/^\$\{\w+\}\//, '');
  // A plug-in of Python is named with dots.
  const forms =
    /^[\w.]+$/.test(plain) && !plain.startsWith('.') ? [plain, plain.replaceAll('.', '/')] : [plain];
  for (const form of forms) {
    for (const from of new Set([dir, ''])) {
      const at = joined(from, form);
      const found = endings.map((ending) => `${at}${ending}`).find((candidate) => paths.has(candidate));
      if (found !== undefined) return found;
      // TypeScript names the file that it will make.
      const source = at.replace(/\.([cm]?)js$/, '.$1ts');
      if (source !== at && paths.has(source)) return source;
    }
  }
  return undefined;
}

/** The files of a tree that a text of JavaScript, TypeScript or Python loads by their paths. */
export function loadedBy(from: string, text: string, paths: Paths): string[] {
  const dir = from.slice(0, from.lastIndexOf('/') + 1);
  const names = from.endsWith('.py')
    ? [...text.matchAll(/^[ \t]*(?:from|import)[ \t]+\.{0,2}(\w[\w.]*)/gm)].map((one) => one[1] ?? '')
    : [...text.matchAll(relativeImports)].map((one) => one[1] ?? '');
  return names.flatMap((name) => resolveFile(dir, name, paths) ?? []);
}

export function joined(dir: string, name: string): string {
  const parts: string[] = [];
  for (const part of `${dir}${name}`.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '.' && part !== '') parts.push(part);
  }
  return parts.join('/');
}
