import { fileURLToPath, pathToFileURL } from 'node:url';
import type { SpecInput } from '@agentgate/core';
import type { LocatedText, TextProblem } from './locate.ts';
import { plainOf } from './plain.ts';

type Path = readonly (string | number)[];

/** Marks a value as a spec, so that an editor checks and completes it. */
export const defineSpec = (spec: SpecInput): SpecInput => spec;

/** Runs a module of the project and takes its default export for the spec. */
export async function readCode(path: string, text: string): Promise<LocatedText> {
  const locate = (at: Path) => placeAt(text, offsetOf(text, at));
  const told = (problems: TextProblem[], value?: unknown): LocatedText => ({ value, problems, locate });
  try {
    const module = await load(path);
    if (module['default'] === undefined) {
      const found = Object.keys(module).join(', ') || 'nothing';
      const message = `expected export default defineSpec({…}), found an export of ${found}`;
      return told([{ message, line: 1, column: 1 }]);
    }
    const { value, problems } = plainOf(module['default']);
    return told(
      problems.map((one) => ({ ...one, ...locate(one.path) })),
      value,
    );
  } catch (error) {
    return told([mistakeOf(error, path)]);
  }
}

async function load(path: string): Promise<Record<string, unknown>> {
  // Few projects have such a file, and the transformer is large.
  const { createJiti } = await import('jiti');
  const options = {
    // Nothing is left behind in the workspace, and a changed file is read anew.
    fsCache: false,
    moduleCache: false,
    interopDefault: false,
  };
  const id = pathToFileURL(path).href;
  const plain = createJiti(id, options);
  // The command may be installed where the project cannot see its library.
  const known = plain.esmResolve('@agentgate/runtime', { try: true }) !== undefined;
  const virtualModules = { '@agentgate/runtime': { defineSpec } };
  const jiti = known ? plain : createJiti(id, { ...options, virtualModules });
  return (await jiti.import(path)) as Record<string, unknown>;
}

/** What the module did wrong, at the first place of its own or of a file it loaded. */
function mistakeOf(error: unknown, path: string): TextProblem {
  const [name, text] = error instanceof Error ? [error.name, error.message] : ['', String(error)];
  const said = text
    .split('\n')[0]!
    .trim()
    .replace(/^ParseError: /, '');
  const message = `cannot be loaded: ${name === '' || name === 'Error' ? '' : `${name}: `}${said}`;
  const trace = `${text}\n${error instanceof Error ? (error.stack ?? '') : ''}`;
  for (const [, file, line, column] of trace.matchAll(/((?:file:\/\/)?\/[^\s():]+):(\d+):(\d+)/g)) {
    const place = file!.startsWith('file:') ? fileURLToPath(file!) : file!;
    if (place.includes('/node_modules/') || isOurs(place)) continue;
    return {
      message,
      line: Number(line),
      column: Number(column),
      ...(place === path ? {} : { file: place }),
    };
  }
  return { message, line: 1, column: 1 };
}

const isOurs = (place: string): boolean => place === fileURLToPath(import.meta.url);

/** Code has no map of its options, so the names are looked for one after the other, as a reader would. */
function offsetOf(text: string, path: Path): number {
  let offset = Math.max(0, text.search(/\bexport\s+default\b|\bdefineSpec\s*\(/));
  for (const part of path) {
    if (typeof part === 'number') continue;
    const name = part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
    const option = new RegExp(`(?<![\\w$.'"-])(?:${name}|'${name}'|"${name}")(?=\\s*[:,}(])`, 'g');
    option.lastIndex = offset;
    const found = option.exec(text);
    if (!found) break;
    offset = found.index;
  }
  return offset;
}

function placeAt(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset).split('\n');
  return { line: before.length, column: before.at(-1)!.length + 1 };
}
