import { createHash } from 'node:crypto';
import type { Change } from './capture.ts';
import { toText } from './path.ts';
import type { Reader } from './reader.ts';
import type { File } from './tree.ts';

export interface Keys {
  work: string;
  substance: string;
}

/** Gives the text without what means nothing. Pure. */
export type SubstanceOf = (path: string, text: string) => string;

/** An id of what a change comes to; null when it comes to nothing. */
export type ReadSubstance = (change: Change) => Promise<string | null>;

/**
 * Keys of the work between two trees: equal for equal work, whatever agents and gates wrote for themselves.
 * The substance key does not see changes that leave the substance of a text as it was.
 */
export async function readKeys(
  changes: readonly Change[],
  ignores: (path: string) => boolean,
  readSubstance: ReadSubstance,
): Promise<Keys> {
  const work = changes.filter(({ path }) => !isAgentsOwn(path) && !ignores(toText(path)));
  work.sort((a, b) => (a.path < b.path ? -1 : 1));
  const rows = work.map(({ path, after }) => makeRow(path, after, after?.oid ?? ''));
  if (work.length > MOST_FILES) return { work: makeKey(rows), substance: makeKey(rows) };
  const substance: string[] = [];
  for (let at = 0; at < work.length; at += AT_ONCE) {
    const part = work.slice(at, at + AT_ONCE);
    const ids = await Promise.all(part.map(readSubstance));
    part.forEach(({ path, after }, i) => {
      const id = ids[i] ?? null;
      if (id !== null) substance.push(makeRow(path, after, id));
    });
  }
  return { work: makeKey(rows), substance: makeKey(substance) };
}

/** Reads what a change comes to; remembers what it read. */
export function makeSubstance(reader: Reader, substanceOf: SubstanceOf | undefined): ReadSubstance {
  const known = new Map<string, string | null>();

  async function read(path: string, file: File): Promise<string | null> {
    const key = `${file.oid} ${path}`;
    let id = known.get(key);
    if (id === undefined) {
      const body = (await reader.read(file.oid))?.body;
      id =
        body === undefined || !isText(body)
          ? null
          : makeKey([substanceOf?.(toText(path), body.toString('utf8')) ?? '']);
      known.set(key, id);
    }
    return id;
  }

  return async ({ path, before, after }) => {
    if (substanceOf === undefined || after === null || after.mode === '120000') return after?.oid ?? '';
    const now = await read(path, after);
    if (now === null) return after.oid;
    if (before === null || before.mode !== after.mode) return now;
    return now === (await read(path, before)) ? null : now;
  };
}

/** Folders that agents keep for themselves. */
export function isAgentsOwn(path: string): boolean {
  return /(^|\/)\.(claude|codex|gemini|opencode|qwen)\//.test(path);
}

const MOST_FILES = 2000;
const AT_ONCE = 50;
const MOST_BYTES = 1024 * 1024;

function isText(body: Buffer): boolean {
  return body.length <= MOST_BYTES && !body.subarray(0, 8192).includes(0);
}

function makeRow(path: string, file: File | null, id: string): string {
  return `${file?.mode ?? '0'} ${id}\t${path}\0`;
}

function makeKey(rows: readonly string[]): string {
  const hash = createHash('sha256');
  for (const row of rows) hash.update(row);
  return hash.digest('hex').slice(0, 32);
}
