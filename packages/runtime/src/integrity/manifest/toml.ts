import { parse, stringify } from 'smol-toml';
import { isSwapped, placeOf, someSwapped } from './dependencies.ts';
import { isGrown } from './package-json.ts';
import { type Doc, isDoc, own, written } from './reconcile.ts';
import type { Shape } from './shape.ts';

const pythonPlaces = [
  ['project', 'dependencies'],
  ['project', 'optional-dependencies', '*'],
  ['dependency-groups', '*'],
  ['tool', 'poetry', 'dependencies'],
  ['tool', 'poetry', 'dev-dependencies'],
  ['tool', 'poetry', 'group', '*', 'dependencies'],
  ['tool', 'uv', 'dev-dependencies'],
  ['tool', 'pdm', 'dev-dependencies', '*'],
  ['tool', 'hatch', 'envs', '*', 'dependencies'],
  ['tool', 'hatch', 'envs', '*', 'extra-dependencies'],
  ['packages'],
  ['dev-packages'],
];

/** Tools that make packages and versions, and judge nothing. */
const packagers = new Set(
  `poetry flit setuptools setuptools_scm setuptools-scm maturin towncrier commitizen bumpversion bumpver semantic_release
  poetry-dynamic-versioning versioneer scikit-build briefcase cibuildwheel hatch-vcs vcs-versioning git-cliff changelog`.split(
    /\s+/,
  ),
);

/** Python: what the project is, is the agent's; what its tools do, and what plugs into them, is not. */
export const pyproject: Shape = {
  ...readAndWrite(),
  isFree: () => (path, was, is) => {
    const place = placeOf(path, pythonPlaces);
    if (place !== undefined) return isHonest(path.length === place.length, was, is);
    const [top = '', tool = '', part = ''] = path;
    if (top === 'project') return path.length > 1 && tool !== 'entry-points' && !isOpen(path, pythonPlaces);
    if (top !== 'tool') return false;
    if (tool === 'hatch') return ['version', 'build', 'metadata', 'publish'].includes(part);
    if (!packagers.has(tool)) return false;
    return (
      path.length > 2 &&
      !['plugins', 'source', 'group', 'requires-plugins'].includes(part) &&
      !isOpen(path, pythonPlaces)
    );
  },
  places: pythonPlaces,
};

const rustPlaces = [
  ['dependencies'],
  ['dev-dependencies'],
  ['build-dependencies'],
  ['target', '*', 'dependencies'],
  ['target', '*', 'dev-dependencies'],
  ['target', '*', 'build-dependencies'],
  ['workspace', 'dependencies'],
];

const packageKeys = new Set(
  `name version authors description license license-file repository readme keywords categories documentation homepage edition rust-version
  publish include exclude default-run links metadata`.split(/\s+/),
);

/** Rust: dependencies and features are the agent's; lints, profiles, patches and what is tested are not. */
export const cargo: Shape = {
  ...readAndWrite(),
  isFree: () => (path, was, is) => {
    const place = placeOf(path, rustPlaces);
    if (place !== undefined) return isHonest(path.length === place.length, was, is);
    const [top = '', key = ''] = path;
    if (top === 'package') return packageKeys.has(key);
    if (top === 'workspace')
      return key === 'package' || key === 'metadata' || (key === 'members' && isGrown(was, is));
    if (top === 'bin' || top === 'example') return written(flagsOf(was)) === written(flagsOf(is));
    if (top === 'lib')
      return path.length > 1 && !['test', 'harness', 'doctest', 'bench', 'path'].includes(key);
    return top === 'features' || top === 'badges';
  },
  places: rustPlaces,
};

/** A path above or at dependencies, which are looked at one by one. */
function isOpen(path: readonly string[], places: readonly (readonly string[])[]): boolean {
  return places.some(
    (place) => path.every((key, i) => place[i] === '*' || place[i] === key) && path.length < place.length,
  );
}

/** A group of dependencies, or one of them, that comes from nowhere else than before. */
function isHonest(isGroup: boolean, was: unknown, is: unknown): boolean {
  return isGroup ? !someSwapped(was, is) : !isSwapped(specOf(was), specOf(is));
}

function specOf(value: unknown): string | undefined {
  if (value === undefined) return undefined;
  return typeof value === 'string' ? value : written(value);
}

/** Of the targets of a crate, which are left out of its tests. */
function flagsOf(value: unknown): unknown {
  const list = Array.isArray(value) ? value.filter(isDoc) : [];
  return list
    .filter((one: Doc) =>
      ['test', 'harness', 'bench', 'doctest'].some((flag) => own(one, flag) !== undefined),
    )
    .map((one: Doc) => [own(one, 'name'), own(one, 'test'), own(one, 'harness'), own(one, 'doctest')]);
}

function readAndWrite(): Pick<Shape, 'parse' | 'write'> {
  return {
    parse(text) {
      try {
        return parse(text.replace(/^\ufeff/, ''), { integersAsBigInt: 'asNeeded' });
      } catch {
        return null;
      }
    },
    write: (doc) => `${stringify(doc)}\n`,
  };
}
