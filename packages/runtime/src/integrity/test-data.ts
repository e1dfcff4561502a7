import { anatomyOf } from '@agentgate/core';
import { posix } from 'node:path';
import type { TreeFile, TreeReader } from './checked.ts';
import { kindOf } from './protected.ts';
import { languagesOf } from './ratchets/family.ts';
import { resolveFile } from './resolve-file.ts';
import { textOf } from './text.ts';

const mostTests = 1_000;
const mostSources = 4_000;
const mostBytes = 256 * 1024;

/**
 * Files of data that the tests of the baseline name and its sources do not: what tests expect, kept where no name
 * tells so. A file with code in it is the work, whoever loads it.
 */
export async function testDataOf(files: readonly TreeFile[], reader: TreeReader): Promise<string[]> {
  const paths = new Map(files.map((file) => [file.path, file]));
  const small = files.filter((file) => file.size <= mostBytes && file.mode.startsWith('100'));
  const tests = small.filter((file) => kindOf(file.path) === 'test').slice(0, mostTests);
  const candidates = new Set<string>();
  for (const test of tests) {
    for (const path of namedBy(test.path, textOf(await reader.read(test.oid)), paths)) {
      const file = paths.get(path)!;
      if (kindOf(path) === null && file.size <= mostBytes && (await isData(file, reader)))
        candidates.add(path);
    }
  }
  if (candidates.size === 0) return [];
  const sources = small.filter(({ path }) => kindOf(path) === null && languagesOf(path).length > 0);
  if (sources.length > mostSources) return [];
  for (const source of sources) {
    const text = textOf(await reader.read(source.oid));
    for (const path of candidates)
      if (path !== source.path && text.includes(stemOf(path))) candidates.delete(path);
    if (candidates.size === 0) break;
  }
  return [...candidates].sort();
}

const stemOf = (path: string): string => posix.basename(path).replace(/\.\w+$/, '');

/** Files that a text names in quotes, from its own folder or from the root. */
function namedBy(from: string, text: string, paths: ReadonlyMap<string, TreeFile>): Set<string> {
  const found = new Set<string>();
  for (const [, name = ''] of text.matchAll(/["'`]((?:\.{0,2}\/)?[\w@.-]+(?:\/[\w@.-]+)*)["'`]/g)) {
    if (!name.includes('/') && !name.includes('.')) continue;
    const path = resolveFile(`${posix.dirname(from)}/`, name, paths);
    if (path !== undefined) found.add(path);
  }
  return found;
}

const dataEnding = /\/[^/]+\.(?:json|json5|jsonl|ya?ml|csv|tsv|txt|xml|golden|expected|out)$/i;

/** No code: a document, or a module that has nothing but values in it. */
async function isData({ path, oid }: TreeFile, reader: TreeReader): Promise<boolean> {
  if (dataEnding.test(path)) return true;
  if (!/\.(?:[cm]?[jt]s|py)$/.test(path)) return false;
  const { code } = anatomyOf(path, textOf(await reader.read(oid)));
  return (
    code.trim() !== '' && !/=>|\(|\b(?:function|class|import|require|lambda|def|if|for|while)\b/.test(code)
  );
}
