import { dependenciesAt, isSwapped, placeOf } from './dependencies.ts';
import { isEntryKey, isFreeEntry } from './entry-points.ts';
import { type Doc, isDoc, own } from './reconcile.ts';
import type { Shape } from './shape.ts';

const places = [
  ['dependencies'],
  ['devDependencies'],
  ['peerDependencies'],
  ['optionalDependencies'],
] as const;

/** What a package says about itself. Any other key may be the settings of a tool. */
const free = new Set(
  `name version description keywords author contributors maintainers license licenses repository bugs homepage funding private
  publishConfig files types typings typesVersions bin man directories sideEffects engines os cpu libc
  peerDependenciesMeta dependenciesMeta bundledDependencies bundleDependencies readme icon displayName publisher categories contributes activationEvents
  unpkg jsdelivr style sass esnext productName preview galleryBanner badges extensionKind capabilities qna markdown $schema`.split(
    /\s+/,
  ),
);

/** Scripts that npm runs of itself, and those whose name says that they judge. */
const judging =
  /^(?:pre|post)|^(?:install|prepare|prepublish|prepublishOnly|preparePack|dependencies|test|tests|lint|check|type|tsc|verify|validate|ci|coverage|build|unit|e2e)(?:$|[:._-])|^(?:type-?check|types)$/;

/** Scripts by which people work, whatever they are called after: none of them judges. */
const forPeople = /^(?!pre|post).*[:._-](?:watch|fix|dev|debug|ui|update|write)$/;

export const packageJson: Shape = {
  parse: parseJson,
  write: (doc) => `${JSON.stringify(doc, null, 2)}\n`,
  isFree(base, isThere) {
    const before = dependenciesAt(base, places);
    const scripts = own(base, 'scripts');
    const known = new Map(isDoc(scripts) ? Object.entries(scripts) : []);
    // Some scripts call others by a pattern, or where they are there.
    const isCalled = (name: string) =>
      [...known.values()].some((run) => String(run).includes('*') || String(run).includes(name));
    const isTool = (name: string) => !judging.test(name) || (forPeople.test(name) && !isCalled(name));
    return (path, was, is) => {
      const [key = '', name] = path;
      if (placeOf(path, places) !== undefined) {
        return name !== undefined && !isSwapped(before.get(name), typeof is === 'string' ? is : undefined);
      }
      if (key === 'scripts') return name !== undefined && !known.has(name) && isTool(name);
      if (key === 'workspaces') return isGrown(was, is);
      if (isEntryKey(key)) return isFreeEntry(base, path, was, is, isThere);
      return free.has(key);
    };
  },
  places,
};

/** Reads JSON; comments and trailing commas are no JSON, and no program of this kind of file takes them. */
export function parseJson(text: string): Doc | null {
  try {
    const value: unknown = JSON.parse(text.replace(/^\ufeff/, ''));
    return isDoc(value) ? value : null;
  } catch {
    return null;
  }
}

/** Whether a list has all that it had, so that nothing fell out of what is judged. */
export function isGrown(was: unknown, is: unknown): boolean {
  if (was === undefined || !Array.isArray(is) || !Array.isArray(was)) return false;
  return (
    was.every((part) => is.includes(part)) &&
    is.every((part) => !String(part).startsWith('!') || was.includes(part))
  );
}
