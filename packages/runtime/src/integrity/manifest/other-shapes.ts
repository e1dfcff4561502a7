import { parse, stringify } from 'yaml';
import { dependenciesAt, isSwapped, placeOf } from './dependencies.ts';
import { isGrown, parseJson } from './package-json.ts';
import { isDoc, written } from './reconcile.ts';
import type { Shape } from './shape.ts';

const composerPlaces = [['require'], ['require-dev']];
const composerFree = new Set(
  'name description version type keywords homepage readme time license authors support funding autoload suggest provide conflict bin archive'.split(
    ' ',
  ),
);

/** PHP: scripts, repositories, plugins and how tests are loaded belong to the baseline. */
export const composer: Shape = {
  parse: parseJson,
  write: (doc) => `${JSON.stringify(doc, null, 4)}\n`,
  isFree: () => (path) => placeOf(path, composerPlaces) !== undefined || composerFree.has(path[0] ?? ''),
  places: composerPlaces,
};

const pubspecPlaces = [['dependencies'], ['dev_dependencies']];

export const pubspec: Shape = {
  parse: parseYaml,
  write: (doc) => stringify(doc),
  isFree(base) {
    const before = dependenciesAt(base, pubspecPlaces);
    return (path, _was, is) => {
      const name = path[1] ?? '';
      if (placeOf(path, pubspecPlaces) !== undefined) {
        return path.length > 1 && !isSwapped(before.get(name), is === undefined ? undefined : written(is));
      }
      return /^(?:name|version|description|homepage|repository|flutter|environment|publish_to|topics|executables)$/.test(
        path[0] ?? '',
      );
    };
  },
  places: pubspecPlaces,
};

const catalogs = [['catalog'], ['catalogs', '*']];

/** pnpm: new packages and catalogues are the agent's; overrides, patches and settings are not. */
export const pnpmWorkspace: Shape = {
  parse: parseYaml,
  write: (doc) => stringify(doc),
  isFree(base) {
    const before = dependenciesAt(base, catalogs);
    return (path, was, is) => {
      const place = placeOf(path, catalogs);
      if (place === undefined) return path[0] === 'packages' && isGrown(was, is);
      const name = path[place.length];
      return name !== undefined && !isSwapped(before.get(name), typeof is === 'string' ? is : undefined);
    };
  },
  places: catalogs,
};

function parseYaml(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = parse(text, { maxAliasCount: 100 });
    return isDoc(value) ? value : null;
  } catch {
    return null;
  }
}
