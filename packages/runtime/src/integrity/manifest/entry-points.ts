import { posix } from 'node:path';
import { type Doc, isDoc, isSame, own } from './reconcile.ts';

/** Says of a path beside the manifest whether there is a file or a folder. */
export type IsThere = (path: string) => boolean;

/** Keys by which a package says what stands behind a name that its own tests may load. */
const single = new Set(['main', 'module', 'browser']);
const maps = new Set(['imports', 'exports']);

export const isEntryKey = (key: string): boolean => single.has(key) || maps.has(key);

/**
 * Whether an entry is the agent's to change. A name that was moved along with its file is; a name that is led away
 * from a file that is still there is not: the tests of before would judge another file than they did.
 */
export function isFreeEntry(
  base: Doc,
  [key = '', name]: readonly string[],
  was: unknown,
  is: unknown,
  isThere: IsThere,
): boolean {
  if (isSame(was, is)) return true;
  if (key === 'exports' && !Object.hasOwn(base, key) && !name?.startsWith('./'))
    return opensTheSame(base, is, isThere);
  if (maps.has(key) && name === undefined && (isDoc(was) || isDoc(is))) return false;
  const before = was === undefined ? standIns(base, key, name) : targetsOf(was);
  return !before.some((target) => leadsSomewhere(target, isThere));
}

/** What a name led to that was not written down: the file that is taken by itself, or a pattern that fits. */
function standIns(base: Doc, key: string, name: string | undefined): string[] {
  if (key === 'main') return ['./index.js'];
  const map = own(base, key);
  if (name === undefined || !isDoc(map)) return [];
  return Object.entries(map).flatMap(([pattern, value]) => {
    const [head = '', tail] = pattern.split('*');
    if (tail === undefined || !name.startsWith(head) || !name.endsWith(tail)) return [];
    const star = name.slice(head.length, name.length - tail.length);
    return targetsOf(value).map((target) => target.replaceAll('*', () => star));
  });
}

/** A package that gets a list of its entries, in which it is still the file that it was. */
function opensTheSame(base: Doc, is: unknown, isThere: IsThere): boolean {
  const main = own(base, 'main');
  const before = typeof main === 'string' ? main : './index.js';
  if (!leadsSomewhere(before, isThere)) return true;
  const opened = isDoc(is) && '.' in is ? is['.'] : is;
  const code = targetsOf(opened).filter((target) => !/\.d\.[cm]?ts$|\.json$/.test(target));
  return code.every((target) => posix.normalize(target) === posix.normalize(before));
}

/** Every file that a value names, under whatever conditions. */
function targetsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap(targetsOf);
  return isDoc(value) ? Object.values(value).flatMap(targetsOf) : [];
}

function leadsSomewhere(target: string, isThere: IsThere): boolean {
  // A package of somebody else is not led to by a path.
  if (!target.startsWith('.') && !/^[\w-][^:]*\.\w+$/.test(target)) return false;
  const [fixed = ''] = posix.normalize(target).split('*');
  const path = target.includes('*') ? posix.dirname(`${fixed}x`) : fixed.replace(/\/$/, '');
  return ['', '.js', '.cjs', '.mjs', '.ts', '.json'].some((ending) => isThere(`${path}${ending}`));
}
