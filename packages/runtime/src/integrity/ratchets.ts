import { anatomyOf, type Ratchet } from '@agentgate/core';
import { isData, knownAnswers, type Rewritten } from './answers.ts';
import type { ProtectRules, TreeFile, TreeReader } from './checked.ts';
import type { Delta, Move } from './delta.ts';
import { changedExamples } from './examples.ts';
import { compareCounts, type Measured } from './ratchets/compare.ts';
import { languagesOf } from './ratchets/family.ts';
import { isMeasured, measure } from './ratchets/measure.ts';
import { loadedBy } from './resolve-file.ts';
import { kindOf } from './protected.ts';
import { shownPath, textOf } from './text.ts';
import { withoutUnheard } from './unheard.ts';

const mostFiles = 3_000;
const mostBytes = 1024 * 1024;
const mostUnread = 50;

/** Counts in every file that differs what must not get worse, before and after. */
export async function readRatchets(
  deltas: readonly Delta[],
  { moves, stubs }: { moves: readonly Move[]; stubs: readonly Move[] },
  base: readonly TreeFile[],
  reader: TreeReader,
  rules: ProtectRules,
): Promise<Ratchet[]> {
  const { grants, testData = [] } = rules;
  const granted = new Set(grants.map(({ path, oid }) => `${path}\n${oid}`));
  const open = paired(deltas, moves).filter(
    ({ path, after }) => !granted.has(`${path}\n${after?.oid ?? null}`),
  );
  const work = await workElsewhere(open, [...moves, ...stubs], reader);
  const wanted = open.filter(
    ({ path, before, after }) =>
      (isMeasured(path) || work.has(path) || isData(path)) && isPlain(before) && isPlain(after),
  );
  const read = wanted.slice(0, mostFiles).filter(({ before, after }) => isSmall(before) && isSmall(after));
  const measured: Measured[] = [];
  const sources: Rewritten[] = [];
  for (const { path, from, before, after } of read) {
    const was = before === null ? null : textOf(await reader.read(before.oid));
    const is = after === null ? null : textOf(await reader.read(after.oid));
    if (!isData(path))
      measured.push({
        path,
        before: was === null ? null : measure(from, was, false),
        after: is === null ? null : measure(path, is, was === null, work.has(path)),
      });
    if (is !== null && kindOf(path) === null) sources.push({ path, before: was ?? '', after: is });
  }
  const found = [
    ...(await withoutUnheard(compareCounts(measured), base, reader, rules)),
    ...changedExamples(sources),
    ...changedData(deltas, testData),
    ...(await knownAnswers(sources, base, reader)),
    ...leftTypes(deltas),
    ...besideTypes(deltas),
    ...hollowed(sources, stubs),
    ...leftSight(moves),
    ...unread(wanted.filter((one) => !read.includes(one) && !isData(one.path))),
    ...(await strayLinks(open, reader)),
  ];
  const now = new Map(deltas.map(({ path, after }) => [path, after?.oid ?? null]));
  return found
    .map((one) => (now.has(one.file) ? { ...one, oid: now.get(one.file) ?? null } : one))
    .filter((one) => !granted.has(`${one.file}\n${one.oid}`));
}

/**
 * Files that are part of the work although their names say that they are none of it: what was moved or left there,
 * and tests and fixtures that sources load.
 */
async function workElsewhere(
  pairs: readonly Pair[],
  moves: readonly Move[],
  reader: TreeReader,
): Promise<ReadonlySet<string>> {
  const isSource = (path: string) => isMeasured(path) && kindOf(path) === null;
  const changed = new Map(pairs.filter((one) => one.after !== null).map((one) => [one.path, one.after!]));
  const work = new Set(moves.filter(({ from }) => isSource(from)).map(({ to }) => to));
  const isDisguised = (path: string) =>
    languagesOf(path).length > 0 && /^(?:test|fixture)$/.test(kindOf(path) ?? '');
  if (![...changed.keys()].some(isDisguised)) return work;
  const open = [...changed.values()]
    .filter(({ path }) => isSource(path) || work.has(path))
    .slice(0, mostFiles);
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    if (!isSmall(file) || !isPlain(file)) continue;
    for (const path of loadedBy(file.path, textOf(await reader.read(file.oid)), changed)) {
      if (work.has(path) || !isDisguised(path)) continue;
      work.add(path);
      open.push(changed.get(path)!);
    }
  }
  return work;
}

interface Pair {
  path: string;
  /** Where it was before. */
  from: string;
  before: TreeFile | null;
  after: TreeFile | null;
}

/** A moved file is one file, with its past. */
function paired(deltas: readonly Delta[], moves: readonly Move[]): Pair[] {
  const byPath = new Map(deltas.map((one) => [one.path, one]));
  const origins = new Map(moves.map((move) => [move.to, move.from]));
  const left = new Set(moves.map((move) => move.from));
  return deltas
    .filter(({ path }) => !left.has(path))
    .map(({ path, before, after }) => {
      const from = origins.get(path) ?? path;
      return { path, from, before: before ?? byPath.get(from)?.before ?? null, after };
    });
}

const isSmall = (file: TreeFile | null): boolean => file === null || file.size <= mostBytes;

const isLink = (file: TreeFile | null): boolean => file?.mode === '120000';

const isPlain = (file: TreeFile | null): boolean => file === null || file.mode.startsWith('100');

/** What was not looked at is said, so that neither a flood of files nor a huge one hides anything in silence. */
function unread(pairs: readonly Pair[]): Ratchet[] {
  return pairs
    .filter(({ after }) => after !== null)
    .slice(0, mostUnread)
    .map(({ path, before }) => {
      const title = `${shownPath(path)} is too large, or one of too many, to be looked at`;
      // One that was always large has hidden nothing by that.
      const kind = isSmall(before) ? 'suppression' : 'smell';
      return { id: `${kind}:unread:${path}`, title, file: path, kind, before: 0, after: 1, message: title };
    });
}

/** Values that only tests read are not the same. */
function changedData(deltas: readonly Delta[], testData: readonly string[]): Ratchet[] {
  const known = new Set(testData);
  return deltas
    .filter(({ path, before }) => before !== null && known.has(path))
    .map(({ path }) => {
      const title = `${shownPath(path)} was changed, which only tests read`;
      return {
        id: `aware:data:${path}`,
        title,
        file: path,
        kind: 'aware',
        before: 0,
        after: 1,
        message: title,
      };
    });
}

/** Sources that were renamed to where no type checker looks. */
function leftTypes(deltas: readonly Delta[]): Ratchet[] {
  const gone = new Set(deltas.filter((one) => one.after === null).map((one) => one.path));
  return deltas.flatMap(({ path, before }): Ratchet[] => {
    const from = before === null && /\.[cm]?jsx?$/.test(path) ? path.replace(/js(x?)$/, 'ts$1') : '';
    const other = [from, `${from}x`, from.replace(/x$/, '')].find((one) => gone.has(one));
    if (other === undefined || kindOf(path) !== null) return [];
    const title = `${shownPath(other)} became ${shownPath(path)}, which has no types`;
    return [
      {
        id: `type-escape:file:${path}`,
        title,
        file: path,
        kind: 'type-escape',
        before: 0,
        after: 1,
        message: title,
      },
    ];
  });
}

/** Scripts whose types stand in a file beside them, which nobody holds against the script. */
function besideTypes(deltas: readonly Delta[]): Ratchet[] {
  const come = new Set(deltas.filter((one) => one.before === null).map((one) => one.path));
  return [...come].flatMap((path): Ratchet[] => {
    const types = path.replace(/\.([cm]?)jsx?$/, '.d.$1ts');
    if (types === path || !come.has(types) || !isMeasured(path)) return [];
    const title = `the types of ${shownPath(path)} are only said, in ${shownPath(types)}`;
    const id = `type-escape:beside:${path}`;
    return [{ id, title, file: path, kind: 'type-escape', before: 0, after: 1, message: title }];
  });
}

/** Sources that lost most of their code, where it went nowhere else. */
function hollowed(sources: readonly Rewritten[], stubs: readonly Move[]): Ratchet[] {
  const left = new Set(stubs.map((one) => one.from));
  const sizes = sources
    .filter(({ path }) => isMeasured(path))
    .map(({ path, before, after }) => ({ path, was: codeLines(path, before), is: codeLines(path, after) }));
  if (sizes.reduce((sum, { was, is }) => sum + is - was, 0) >= 0) return [];
  return sizes
    .filter(({ path, was, is }) => was >= leastLines && 2 * is < was && !left.has(path))
    .map(({ path, was, is }) => {
      const title = `most of the code of ${shownPath(path)} is gone`;
      const id = `doubt:hollow:${path}`;
      return { id, title, file: path, kind: 'doubt', before: was, after: is, message: title };
    });
}

const leastLines = 5;

const codeLines = (path: string, text: string): number =>
  anatomyOf(path, text)
    .code.split('\n')
    .filter((line) => /\w/.test(line)).length;

/** Sources that were moved among what is taken for generated or foreign. */
function leftSight(moves: readonly Move[]): Ratchet[] {
  return moves
    .filter(({ from, to }) => isMeasured(from) && !isMeasured(to) && kindOf(from) === null)
    .map(({ from, to }) => {
      const title = `${shownPath(from)} was moved to ${shownPath(to)}, where nobody looks`;
      return { id: `smell:moved:${to}`, title, file: to, kind: 'smell', before: 0, after: 1, message: title };
    });
}

/** New links that lead out of the workspace. */
async function strayLinks(pairs: readonly Pair[], reader: TreeReader): Promise<Ratchet[]> {
  const found: Ratchet[] = [];
  for (const { path, before, after } of pairs) {
    if (after === null || !isLink(after) || before?.oid === after.oid || found.length >= 50) continue;
    const target = textOf(await reader.read(after.oid));
    if (!leadsOut(path, target)) continue;
    const title = `${shownPath(path)} is a link out of the workspace`;
    const message = `${title}, to ${shownPath(target.slice(0, 200))}`;
    found.push({ id: `smell:link:${path}`, title, file: path, kind: 'smell', before: 0, after: 1, message });
  }
  return found;
}

function leadsOut(path: string, target: string): boolean {
  if (target.startsWith('/')) return true;
  let depth = path.split('/').length - 1;
  for (const part of target.split('/')) {
    if (part === '..') depth--;
    else if (part !== '.' && part !== '') depth++;
    if (depth < 0) return true;
  }
  return false;
}
