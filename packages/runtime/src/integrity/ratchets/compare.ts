import type { Ratchet } from '@agentgate/core';
import { shownPath } from '../text.ts';
import { broaderThan, everything, type Family } from './family.ts';
import { type Counts, families, isTestFile } from './measure.ts';

/** One file before and after; a moved one is one file. Null where it is not there. */
export interface Measured {
  path: string;
  before: Counts | null;
  after: Counts | null;
}

/**
 * What got worse. Over all files together it must have got worse, so that code which was moved or split is never
 * blamed; then those files are named that what went elsewhere does not account for.
 */
export function compareCounts(files: readonly Measured[]): Ratchet[] {
  return families.flatMap((family) => {
    const worse = family.worse === 'more' ? gains(family, files) : losses(family, files);
    return worse.map((one) => ratchetOf(family, one));
  });
}

interface Worse {
  path: string;
  before: number;
  after: number;
  keys: string[];
}

function gains(family: Family, files: readonly Measured[]): Worse[] {
  const keys = keysOf(family, files);
  const total = (key: string): number => sum(files.map((file) => deltaOf(family, file, key)));
  const grown = keys.filter((key) => total(key) > 0 && !broaderThan(key).some((one) => total(one) < 0));
  const worse = new Map<string, Worse>();
  for (const key of grown) {
    const moved = accountFor(files.map((file) => ({ path: file.path, by: deltaOf(family, file, key) })));
    for (const { path } of moved) {
      const file = files.find((one) => one.path === path)!;
      const one = worse.get(path) ?? { path, before: 0, after: 0, keys: [] };
      one.before += numberOf(family, file.before, key);
      one.after += numberOf(family, file.after, key);
      one.keys.push(key);
      worse.set(path, one);
    }
  }
  return [...worse.values()];
}

/** A file that is gone has lost nothing here: that it is gone is said elsewhere. */
function losses(family: Family, files: readonly Measured[]): Worse[] {
  const present = files.filter((file) => file.after !== null);
  const changes = present.map((file) => ({ path: file.path, by: -deltaOf(family, file, 'one') }));
  if (sum(changes.map((one) => one.by)) <= 0) return [];
  return accountFor(changes).map(({ path }) => {
    const file = present.find((one) => one.path === path)!;
    return {
      path,
      before: numberOf(family, file.before, 'one'),
      after: numberOf(family, file.after, 'one'),
      keys: [],
    };
  });
}

/** Sets what went off against what came, equal amounts first, and leaves the files that came short. */
function accountFor(changes: readonly { path: string; by: number }[]): { path: string; by: number }[] {
  const open = changes.filter((one) => one.by > 0).map((one) => ({ ...one }));
  const spare = changes.filter((one) => one.by < 0).map((one) => -one.by);
  let rest = 0;
  for (const amount of spare) {
    const match = open.find((one) => one.by === amount);
    if (match) match.by = 0;
    else rest += amount;
  }
  // The largest first: who moves much code is more likely to have moved than to hide.
  for (const one of [...open].sort((a, b) => b.by - a.by)) {
    const covered = Math.min(one.by, rest);
    one.by -= covered;
    rest -= covered;
  }
  return open.filter((one) => one.by > 0);
}

function keysOf({ name }: Family, files: readonly Measured[]): string[] {
  const all = files.flatMap(({ before, after }) => [before, after]);
  return [...new Set(all.flatMap((counts) => [...(counts?.get(name)?.keys() ?? [])]))];
}

function deltaOf(family: Family, { before, after }: Measured, key: string): number {
  return numberOf(family, after, key) - numberOf(family, before, key);
}

const numberOf = ({ name }: Family, counts: Counts | null, key: string): number =>
  counts?.get(name)?.get(key) ?? 0;

const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);

function ratchetOf(family: Family, { path, before, after, keys }: Worse): Ratchet {
  const { name, kind, say, worse } = family;
  const named = keys
    .map((key) => key.replace(/^file:/, ''))
    .filter((key) => key !== 'one' && key !== everything);
  const rules = named.length === 0 ? '' : ` (${named.slice(0, 5).join(', ')})`;
  const where = isTestFile(path) ? 'the test file ' : '';
  return {
    id: `${kind}:${name}:${path}`,
    title: `${worse} ${say} in ${shownPath(path)}`,
    file: path,
    kind,
    before,
    after,
    message: `${where}${shownPath(path)} had ${before} ${say} and has ${after} now${rules}`,
  };
}
