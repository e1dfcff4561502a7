import { explain } from '../parse-spec/explain.ts';
import type { Path, SpecProblem } from '../parse-spec/problem.ts';
import { isRecord } from '../spec/words.ts';
import { readGates } from './gates.ts';
import { readTask, softenOthers } from './goal.ts';
import { Group } from './group.ts';
import { readLimits } from './limits.ts';
import { Reading, type SpecNote } from './reading.ts';
import { isResource, metadataOf, readResource, resourcePlaces, type SpecMetadata } from './resource.ts';
import { readStrategy } from './strategy.ts';

export { completeSpec } from './complete-spec.ts';
export { SpecLayers } from './layers.ts';
export type { SpecNote } from './reading.ts';
export type { SpecMetadata } from './resource.ts';

/** A spec in today's flat form, what was changed on the way, and the way back to the user's own text. */
export interface Normalised {
  value: unknown;
  notes: SpecNote[];
  /** Mistakes that the flat form could not show any more, at their own places. */
  problems: SpecProblem[];
  metadata?: SpecMetadata;
  originOf(path: Path): Path;
}

/** Brings a spec of any accepted form into the flat form of today. `kindBelow` is the strategy it builds upon. */
export function normaliseSpec(value: unknown, kindBelow?: string): Normalised {
  if (!isRecord(value)) return { value, notes: [], problems: [], originOf: (path) => path };
  const { $schema: _, ...given } = value;
  const resource = isResource(given);
  const reading = new Reading(resource);
  const top = resource ? readResource(reading, given) : new Group([], given);
  const wanted = readTask(reading, top);
  readLimits(reading, top);
  readStrategy(reading, top, kindBelow);
  readGates(reading, top);
  if (wanted) softenOthers(reading, top, wanted);
  const origins = new Map<string, Path>(
    resource ? resourcePlaces.map(([key, from]) => [JSON.stringify([key]), from]) : [],
  );
  const flat = top.close((path, from) => origins.set(JSON.stringify(path), from));
  return {
    value: flat,
    notes: reading.notes,
    problems: reading.problems,
    originOf: (path) => originOf(origins, path),
    ...(resource ? describe(given, reading) : {}),
  };
}

/** The longest beginning of the path that has a place of its own, and the rest as it stands. */
function originOf(origins: ReadonlyMap<string, Path>, path: Path): Path {
  for (let length = path.length; length > 0; length--) {
    const from = origins.get(JSON.stringify(path.slice(0, length)));
    if (from) return [...from, ...path.slice(length)];
  }
  return path;
}

function describe(given: Record<string, unknown>, reading: Reading): { metadata?: SpecMetadata } {
  const metadata = metadataOf(given);
  if (metadata.success) return { metadata: metadata.data };
  const around = { originOf: (path: Path) => path, olderNames: () => [] };
  for (const issue of metadata.error.issues) {
    const place = { ...issue, path: ['metadata', ...issue.path] };
    reading.problems.push(...explain(place, given, around));
  }
  return {};
}
