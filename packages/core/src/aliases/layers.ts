import { type Path, valueAt } from '../parse-spec/problem.ts';
import { toldBy } from '../spec/gates/index.ts';
import { isRecord } from '../spec/words.ts';
import { lookUp } from './group.ts';

/**
 * Specs in flat form, one upon the other: groups are merged, everything else is replaced, lists too. A group of
 * another kind replaces the one below, whose options would mean nothing to it. Knows whose each value is.
 */
export class SpecLayers<Owner> {
  #value: unknown = {};
  readonly #owners = new Map<string, { path: Path; owner: Owner }>();

  get value(): unknown {
    return this.#value;
  }

  /** What stands at this path, also inside of a short form. */
  at(path: Path): unknown {
    let value = this.#value;
    for (const [depth, part] of path.entries())
      value = valueAt(longForm(path.slice(0, depth), value), [part]);
    return value;
  }

  /** Puts a spec on top. Deeper than `depth` nothing is merged: what a flag sets, it sets whole. */
  add(owner: Owner, value: unknown, depth = Number.POSITIVE_INFINITY): void {
    this.#value = this.#merge(this.#value, value, [], owner, depth);
  }

  /** Whose the value at this path is, or the nearest above it. */
  ownerOf(path: Path): Owner | undefined {
    for (let length = path.length; length >= 0; length--) {
      const found = this.#owners.get(JSON.stringify(path.slice(0, length)));
      if (found) return found.owner;
    }
    return undefined;
  }

  #merge(lower: unknown, upper: unknown, path: Path, owner: Owner, depth: number): unknown {
    const below = isRecord(upper) ? longForm(path, lower) : lower;
    const merges = path.length < depth && isRecord(below) && isRecord(upper) && !isWhole(path);
    if (!merges || isOtherKind(path, below, upper)) return this.#replace(upper, path, owner);
    // What stays of the group below keeps its owner, though the group itself gets a new one.
    for (const key of Object.keys(below)) {
      const kept = this.ownerOf([...path, key]);
      if (kept !== undefined) this.#own([...path, key], kept);
    }
    // A flag reaches through groups; what is missing in them is not its fault.
    if (depth === Number.POSITIVE_INFINITY) this.#own(path, owner);
    const merged = Object.entries(upper).map(([key, value]) => {
      const there = Object.hasOwn(below, key) ? below[key] : undefined;
      return [key, this.#merge(there, value, [...path, key], owner, depth)] as const;
    });
    return { ...below, ...Object.fromEntries(merged) };
  }

  #replace(value: unknown, path: Path, owner: Owner): unknown {
    for (const [key, { path: inner }] of this.#owners)
      if (path.every((part, at) => inner[at] === part)) this.#owners.delete(key);
    this.#own(path, owner);
    return value;
  }

  #own(path: Path, owner: Owner): void {
    this.#owners.set(JSON.stringify(path), { path, owner });
  }
}

/** The long form of a short one that a group reaches into. */
function longForm(path: Path, value: unknown): unknown {
  const table = path.length === 1 ? tops : path.length === 2 ? members : {};
  return lookUp(table, path[0])?.(value) ?? value;
}

type Widen = (value: unknown) => object | undefined;

const asCommand: Widen = (value) =>
  typeof value === 'string' || Array.isArray(value) ? { run: value } : undefined;
const asText =
  (name: string): Widen =>
  (value) =>
    typeof value === 'string' ? { [name]: value } : undefined;

const tops: Record<string, Widen> = {
  strategy: asText('kind'),
  agent: (value) => (Array.isArray(value) ? { run: value } : undefined),
  stuck: (value) => (value === 'off' || value === false ? { moves: [] } : undefined),
  deliver: asText('as'),
  notify: asCommand,
};

const members: Record<string, Widen> = {
  gates: asCommand,
  detectors: (value) => (typeof value === 'boolean' ? { enabled: value } : undefined),
};

/** Groups that are one answer out of several, so that a part of each would be none. */
function isWhole(path: Path): boolean {
  const [first] = path;
  return first === 'task' || (first === 'gates' && (path[2] === 'feedback' || path[2] === 'report'));
}

function isOtherKind(path: Path, below: unknown, upper: unknown): boolean {
  const [one, other] = [kindAt(path, below), kindAt(path, upper)];
  return one !== undefined && other !== undefined && one !== other;
}

const toldOfAgents: typeof toldBy = [
  ['run', 'command'],
  ['script', 'scripted'],
];

function kindAt(path: Path, value: unknown): unknown {
  const kind = valueAt(value, ['kind']);
  if (kind !== undefined || !isRecord(value)) return kind;
  const told = lookUp(
    path.length === 1 ? { agent: toldOfAgents } : path.length === 2 ? { gates: toldBy } : {},
    path[0],
  );
  return told?.find(([option]) => Object.hasOwn(value, option))?.[1];
}
