import { anatomyOf } from '@agentgate/core';
import { blockOf } from '../inline-tests.ts';
import { kindOf } from '../protected.ts';
import { assertions } from './assertions.ts';
import { escapes } from './escapes.ts';
import { exits, isProgram } from './exits.ts';
import { type Family, type Form, type Language, languagesOf } from './family.ts';
import { skips } from './skips.ts';
import { smells } from './smells.ts';
import { suppressions } from './suppressions.ts';

export const families: readonly Family[] = [
  ...suppressions,
  ...escapes,
  ...skips,
  ...assertions,
  ...exits,
  ...smells,
];

/** How often each key of each family stands in a file, by the family's name. */
export type Counts = ReadonlyMap<string, ReadonlyMap<string, number>>;

/** Whether anything is counted in a file: code that is written here, and no data. */
export function isMeasured(path: string): boolean {
  if (languagesOf(path).length === 0 || /\.min\.\w+$/.test(path)) return false;
  if (/(?:^|\/)(?:node_modules|vendor|third_party|dist|coverage|\.yarn|\.venv|venv)\//.test(path))
    return false;
  const kind = kindOf(path);
  return kind === null || kind === 'test';
}

export const isTestFile = (path: string): boolean => kindOf(path) === 'test';

/**
 * Counts what a file has. `isNew`: the baseline had no such file, under any name. `isSource`: it is part of the work,
 * whatever its name says.
 */
export function measure(path: string, text: string, isNew: boolean, isSource = false): Counts {
  const languages = languagesOf(path);
  const { sources, tests } = isSource ? { sources: text, tests: '' } : partsOf(path, text);
  const program = sources !== '' && isProgram(path, text);
  const counts = new Map<string, Map<string, number>>();
  for (const part of [
    { body: sources, isTest: false },
    { body: tests, isTest: true },
  ]) {
    if (part.body === '') continue;
    const bodies = makeBodies(path, part.body);
    for (const family of families) {
      if (!applies(family, part.isTest, isNew, program)) continue;
      for (const form of family.forms) count(counts, family, form, languages, bodies);
    }
  }
  return counts;
}

/** In Rust tests stand beside what they test. Every character stays where it is. */
function partsOf(path: string, text: string): { sources: string; tests: string } {
  if (isTestFile(path)) return { sources: '', tests: text };
  const block = path.endsWith('.rs') ? blockOf(path, text) : null;
  if (block === null) return { sources: text, tests: '' };
  const { start, end } = block;
  return { sources: `${text.slice(0, start)}${text.slice(end)}`, tests: text.slice(start, end) };
}

function applies({ within, kind }: Family, isTest: boolean, isNew: boolean, program: boolean): boolean {
  if (kind === 'exit' && program) return false;
  if (within === 'all') return !(isTest && isNew);
  if (within === 'old-tests') return isTest && !isNew;
  return within === 'tests' ? isTest : !isTest;
}

interface Bodies {
  code: string;
  spoken: string;
  comments: readonly string[];
}

function makeBodies(path: string, text: string): Bodies {
  const { code, spoken, comments } = anatomyOf(path, text);
  return {
    code: condensed(unescaped(code)),
    spoken: condensed(spoken),
    comments: comments.map((one) => condensed(one.text)),
  };
}

/** Blanks in a row are one, so that no pattern reads a long stretch of them from each of its places. */
function condensed(text: string): string {
  return text.replaceAll(/[^\S\n]+/g, ' ').replaceAll(/ ?\n(?: ?\n)*/g, '\n');
}

/** A name may be spelt with the numbers of its letters. */
function unescaped(code: string): string {
  if (!code.includes('\\u')) return code;
  return code.replaceAll(
    /\\u(?:\{([0-9a-fA-F]{1,6})\}|([0-9a-fA-F]{4}))/g,
    (whole, long?: string, short?: string) => {
      const point = Number.parseInt(long ?? short ?? '', 16);
      return point > 32 && point < 0x11_0000 ? String.fromCodePoint(point) : whole;
    },
  );
}

function count(
  counts: Map<string, Map<string, number>>,
  { name }: Family,
  { languages, where, find, keys }: Form,
  spoken: readonly Language[],
  bodies: Bodies,
): void {
  if (!languages.some((language) => spoken.includes(language))) return;
  for (const text of where === 'comment' ? bodies.comments : [bodies[where]]) {
    for (const match of text.matchAll(find)) {
      for (const key of keys?.(match) ?? ['one']) {
        const family = counts.get(name) ?? new Map<string, number>();
        family.set(key, (family.get(key) ?? 0) + 1);
        counts.set(name, family);
      }
    }
  }
}
