import { normaliseSpec, SpecLayers, type SpecMetadata, type SpecProblem, showPath } from '@agentgate/core';
import type { LocatedProblem, SpecSource } from './source.ts';

type Path = readonly (string | number)[];

/** A field that a flag sets over the files. */
export interface Override {
  path: string[];
  /** The value, or what becomes of the one that is there. */
  value: unknown | ((there: unknown) => unknown);
  flag: string;
  /** Where something in it stands, if it comes from a file after all. */
  where?: (path: Path, inName?: boolean) => string;
}

/** An older name or form that was accepted, with its place. */
export interface LocatedNote {
  where: string;
  path: string;
  message: string;
}

/** Who said something, and where in their own text. */
interface Layer {
  originOf(path: Path): Path;
  where(path: Path, inName?: boolean): string;
}

/** Files and flags, one upon the other, each in today's form. */
export interface SpecStack {
  readonly value: unknown;
  readonly notes: LocatedNote[];
  readonly problems: LocatedProblem[];
  readonly metadata: SpecMetadata | undefined;
  set(overrides: readonly Override[]): void;
  originOf(path: Path): Path;
  /** Puts a problem of the whole where it stands in the text that caused it. */
  locate(problem: SpecProblem): LocatedProblem;
  /** Where the value at this path was said. */
  whereOf(path: Path): string;
}

export function makeStack(sources: readonly SpecSource[]): SpecStack {
  const layers = new SpecLayers<Layer>();
  const notes: LocatedNote[] = [];
  const problems: LocatedProblem[] = [];
  let metadata: SpecMetadata | undefined;

  const put = (value: unknown, where: Layer['where'], depth?: number) => {
    const kind = layers.at(['strategy', 'kind']);
    const read = normaliseSpec(value, typeof kind === 'string' ? kind : undefined);
    const place = ({ path, message, inName }: SpecProblem) => ({
      where: where(path, inName),
      path: showPath(path),
      message,
    });
    notes.push(...read.notes.map((note) => place({ ...note, inName: true })));
    problems.push(...read.problems.map(place));
    metadata = read.metadata ?? metadata;
    layers.add({ originOf: read.originOf, where }, read.value, depth);
  };

  for (const source of sources) put(withoutExtends(source.value), source.where);
  const ownerOf = (path: Path) => layers.ownerOf(path);
  const originOf = (path: Path) => ownerOf(path)?.originOf(path) ?? path;
  return {
    get value() {
      return layers.value;
    },
    notes,
    problems,
    get metadata() {
      return metadata;
    },
    set(overrides) {
      for (const { path, value, flag, where } of overrides) {
        const set =
          typeof value === 'function' ? (value as (there: unknown) => unknown)(layers.at(path)) : value;
        put(nest(path, set), where ?? (() => flag), path.length);
      }
    },
    originOf,
    locate({ path, message, inName }) {
      const from = originOf(path);
      return { where: ownerOf(path)?.where(from, inName) ?? 'command line', path: showPath(from), message };
    },
    whereOf: (path) => ownerOf(path)?.where(originOf(path)) ?? 'command line',
  };
}

function withoutExtends(value: unknown): unknown {
  const { extends: _, ...rest } = value as { extends?: unknown };
  return rest;
}

/** A value under a path of names, as a spec that says nothing else. */
function nest(path: readonly string[], value: unknown): unknown {
  return path.reduceRight<unknown>((inner, key) => Object.fromEntries([[key, inner]]), value);
}
