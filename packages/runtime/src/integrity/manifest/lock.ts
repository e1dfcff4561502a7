import { parse as parseToml } from 'smol-toml';
import { parse as parseYaml } from 'yaml';
import { parseJson } from './package-json.ts';
import { type Doc, isDoc, own, written } from './reconcile.ts';

/** What a lock file pins: a package at a version, and where from with which checksum. */
type Pins = ReadonlyMap<string, string>;

export interface LockComparison {
  /** Pins whose version stayed and whose source or checksum did not: another package under the same name. */
  swapped: string[];
  added: string[];
  removed: string[];
}

/** Compares two lock files pin by pin; null when one of them cannot be read so. */
export function compareLocks(path: string, base: string, now: string): LockComparison | null {
  const reader = readers.find(([shape]) => shape.test(path))?.[1];
  const before = reader?.(base) ?? null;
  const after = reader?.(now) ?? null;
  if (before === null || after === null) return null;
  return {
    swapped: [...after]
      .filter(([pin, from]) => before.has(pin) && before.get(pin) !== from)
      .map(([pin]) => pin),
    added: [...after.keys()].filter((pin) => !before.has(pin)),
    removed: [...before.keys()].filter((pin) => !after.has(pin)),
  };
}

const readers: readonly (readonly [RegExp, (text: string) => Pins | null])[] = [
  [/(?:^|\/)(?:package-lock|npm-shrinkwrap)\.json$/i, readNpm],
  [/(?:^|\/)composer\.lock$/i, readComposer],
  [/(?:^|\/)pipfile\.lock$/i, readPipfile],
  [/(?:^|\/)(?:cargo|poetry|uv|pdm)\.lock$/i, readPackages],
  [/(?:^|\/)pnpm-lock\.yaml$/i, readPnpm],
  [/(?:^|\/)yarn\.lock$/i, readYarn],
  [/(?:^|\/)go\.sum$/i, readGoSum],
];

function readNpm(text: string): Pins | null {
  const packages = own(parseJson(text) ?? {}, 'packages');
  if (!isDoc(packages)) return null;
  return pins(Object.entries(packages), ([place, entry]) => {
    // The first entry repeats the manifest, which is compared by itself.
    if (place === '' || !isDoc(entry)) return null;
    const from = ['resolved', 'integrity', 'link', 'bin', 'hasInstallScript'].map((key) => own(entry, key));
    return [
      `${place.replace(/^.*node_modules\//, '')}@${String(own(entry, 'version') ?? '')}`,
      written(from),
    ];
  });
}

function readComposer(text: string): Pins | null {
  const doc = parseJson(text);
  if (doc === null) return null;
  const list = ['packages', 'packages-dev'].flatMap((key) => listOf(own(doc, key)));
  return pins(list, (one) => [nameAt(one), written([own(one, 'source'), own(one, 'dist')])]);
}

function readPipfile(text: string): Pins | null {
  const doc = parseJson(text);
  if (doc === null) return null;
  const entries = ['default', 'develop'].flatMap((key) => {
    const part = own(doc, key);
    return isDoc(part) ? Object.entries(part) : [];
  });
  return pins(entries, ([name, entry]) =>
    isDoc(entry) ? [`${name}@${String(own(entry, 'version'))}`, written(entry)] : null,
  );
}

function readPackages(text: string): Pins | null {
  try {
    return pins(listOf(own(parseToml(text), 'package')), (one) => [
      nameAt(one),
      written(['source', 'checksum', 'files', 'sdist', 'wheels'].map((key) => own(one, key))),
    ]);
  } catch {
    return null;
  }
}

function readPnpm(text: string): Pins | null {
  try {
    const packages = own(parseYaml(text, { maxAliasCount: 100 }) as Doc, 'packages');
    if (!isDoc(packages)) return null;
    return pins(Object.entries(packages), ([pin, entry]) =>
      isDoc(entry) ? [pin.replace(/^\//, ''), written(own(entry, 'resolution'))] : null,
    );
  } catch {
    return null;
  }
}

function readYarn(text: string): Pins | null {
  const blocks = text
    .split(/\n(?=\S)/)
    .filter((block) => /^\S.*:\s*$/m.test(block) && !block.startsWith('#'));
  return pins(blocks, (block) => {
    const name = /^"?(@?[^@"\s]+)@/.exec(block)?.[1];
    const version = /^\s+version:?\s+"?([^"\s]+)"?/m.exec(block)?.[1];
    if (name === undefined || version === undefined) return null;
    const from = [...block.matchAll(/^\s+(?:resolved|integrity|resolution|checksum):?\s+(.*)$/gm)].map(
      (one) => one[1],
    );
    return [`${name}@${version}`, written(from)];
  });
}

function readGoSum(text: string): Pins | null {
  return pins(text.split(/\r?\n/), (line) => {
    const [name, version, sum] = line.trim().split(/\s+/);
    return name && version && sum ? [`${name}@${version}`, sum] : null;
  });
}

function pins<T>(entries: readonly T[], pinOf: (entry: T) => [string, string] | null): Map<string, string> {
  const found = new Map<string, string>();
  for (const entry of entries) {
    const pin = pinOf(entry);
    // The same package at the same version may be pinned twice; both count.
    if (pin !== null) found.set(pin[0], found.has(pin[0]) ? mixed(found.get(pin[0]) ?? '', pin[1]) : pin[1]);
  }
  return found;
}

const mixed = (a: string, b: string): string =>
  a === b || a.split('\n').includes(b) ? a : [a, b].sort().join('\n');

const listOf = (value: unknown): Doc[] => (Array.isArray(value) ? value.filter(isDoc) : []);

const nameAt = (one: Doc): string => `${String(own(one, 'name'))}@${String(own(one, 'version'))}`;
