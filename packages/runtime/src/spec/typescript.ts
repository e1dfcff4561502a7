import { fileURLToPath } from 'node:url';
import type { SpecInput } from '@agentgate/core';
import { loadCode, type Thrown } from './load-code.ts';
import type { LocatedText, TextProblem } from './locate.ts';

type Path = readonly (string | number)[];

/** Marks a value as a spec, so that an editor checks and completes it. */
export const defineSpec = (spec: SpecInput): SpecInput => spec;

/** Runs a module of the project and takes its default export for the spec. */
export async function readCode(path: string, text: string): Promise<LocatedText> {
  const locate = (at: Path) => placeAt(text, offsetOf(text, at));
  const told = (problems: TextProblem[], value?: unknown): LocatedText => ({ value, problems, locate });
  const loaded = await loadCode(path);
  switch (loaded.kind) {
    case 'spec':
      return told(
        loaded.problems.map((one) => ({ ...one, ...locate(one.path) })),
        loaded.value,
      );
    case 'none': {
      const found = loaded.found.join(', ') || 'nothing';
      const message = `expected export default defineSpec({…}), found an export of ${found}`;
      return told([{ message, line: 1, column: 1 }]);
    }
    case 'ended':
      return told([{ message: `cannot be loaded: ${loaded.why}`, line: 1, column: 1 }]);
    case 'failed':
      return told([mistakeOf(loaded, path)]);
  }
}

/** What the module did wrong, at the first place of its own or of a file it loaded. */
function mistakeOf({ name, message: text, stack }: Thrown, path: string): TextProblem {
  const said = text
    .split('\n')[0]!
    .trim()
    .replace(/^ParseError: /, '');
  const message = `cannot be loaded: ${name === '' || name === 'Error' ? '' : `${name}: `}${said}`;
  for (const [, file, line, column] of `${text}\n${stack}`.matchAll(
    /(?<![\w:])((?:file:\/\/)?\/[^\s():]+):(\d+):(\d+)/g,
  )) {
    const place = file!.startsWith('file:') ? fileURLToPath(file!) : file!;
    if (place.includes('/node_modules/')) continue;
    return {
      message,
      line: Number(line),
      column: Number(column),
      ...(place === path ? {} : { file: place }),
    };
  }
  return { message, line: 1, column: 1 };
}

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
