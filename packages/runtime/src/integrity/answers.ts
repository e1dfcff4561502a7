import { anatomyOf, type Ratchet } from '@agentgate/core';
import type { TreeFile, TreeReader } from './checked.ts';
import { kindOf } from './protected.ts';
import { isMeasured, isTestFile } from './ratchets/measure.ts';
import { shownPath, textOf } from './text.ts';

/** A source before and after. */
export interface Rewritten {
  path: string;
  before: string;
  after: string;
}

const mostTests = 400;
const mostBytes = 200_000;
/** So many numbers of the tests that come into one file at once are no accident, where there are few others. */
const fewest = 3;
const share = 0.6;

/** Numbers that stand in any code. */
const common = new Set(
  '10 12 24 30 60 90 100 180 255 256 360 365 512 1000 1024 2048 3600 4096 8080 10000 86400 0.1 0.5 200 201 202 204 206 301 302 303 304 307 308 400 401 403 404 405 406 409 410 412 413 415 418 422 425 429 500 501 502 503 504'.split(
    ' ',
  ),
);

/**
 * Sources that have come to hold what the tests expect: whoever knows the answers need not work them out. Tests are
 * read only where a source has gained numbers that could be such answers.
 */
export async function knownAnswers(
  sources: readonly Rewritten[],
  base: readonly TreeFile[],
  reader: TreeReader,
): Promise<Ratchet[]> {
  const gained = sources
    .filter(({ path }) => (isMeasured(path) && !isTestFile(path)) || isData(path))
    .map(({ path, before, after }) => ({ path, numbers: gainedBy(path, before, after) }))
    .filter(({ numbers }) => numbers.length >= fewest);
  if (gained.length === 0) return [];
  const expected = await expectedNumbers(base, reader);
  return gained.flatMap(({ path, numbers }) => {
    const known = numbers.filter((one) => expected.has(one));
    if (known.length < fewest || known.length < share * numbers.length) return [];
    const title = `${shownPath(path)} holds numbers that the tests expect`;
    const message = `${title}: ${known.slice(0, 8).join(', ')}`;
    return [
      {
        id: `aware:answers:${path}`,
        title,
        file: path,
        kind: 'aware' as const,
        before: 0,
        after: known.length,
        message,
      },
    ];
  });
}

/** Data that sources may read. */
export const isData = (path: string): boolean =>
  kindOf(path) === null && /\.(?:json5?|jsonl|ya?ml|csv|tsv|toml|txt)$/i.test(path);

function gainedBy(path: string, before: string, after: string): string[] {
  const had = new Set(numbersIn(readable(anatomyOf(path, before).spoken)));
  return numbersIn(readable(anatomyOf(path, after).spoken)).filter(
    (one) => !had.has(one) && !common.has(one),
  );
}

async function expectedNumbers(base: readonly TreeFile[], reader: TreeReader): Promise<Set<string>> {
  const judges = base.filter(({ path, size, mode }) => {
    const kind = kindOf(path);
    if (size > mostBytes || !mode.startsWith('100')) return false;
    return kind === 'test' || (kind === 'fixture' && /\.(?:json|ya?ml|csv|txt|toml)$/.test(path));
  });
  const found = new Set<string>();
  for (const { oid } of judges.slice(0, mostTests))
    for (const one of numbersIn(textOf(await reader.read(oid)))) found.add(one);
  return found;
}

/** The text with what it holds in letters that stand for bytes: a table is one in that form, too. */
function readable(text: string): string {
  const packed = [...text.matchAll(/["'`]([A-Za-z0-9+/_-]{16,4000}={0,2})["'`]/g)].map((one) => one[1] ?? '');
  const plain = packed.flatMap((one) => {
    const form = /^(?:[0-9a-f]{2})+$/i.test(one) ? 'hex' : 'base64';
    const said = Buffer.from(one, form).toString('latin1');
    return /^[\t\n\r -~]+$/.test(said) ? [said] : [];
  });
  return [text, ...plain].join('\n');
}

/** Numbers of two digits or more, in whatever notation, each once. */
function numbersIn(text: string): string[] {
  const all = text.matchAll(
    /(?<![\w.])(?:0[xX][\da-fA-F_]+|0[oO][0-7_]+|0[bB][01_]+|\d[\d_]*(?:\.\d+)?(?:[eE][+-]?\d{1,3})?)(?![\w.])/g,
  );
  return [...new Set([...all].map((one) => String(Number(one[0].replaceAll('_', '')))))].filter(
    (one) => one.length > 1,
  );
}
