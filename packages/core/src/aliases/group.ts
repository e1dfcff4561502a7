import type { Path } from '../parse-spec/problem.ts';
import { isRecord } from '../spec/words.ts';

/** What a table says of a name that somebody else chose; `constructor` is a name like any other. */
export const lookUp = <T>(table: Record<string, T>, name: unknown): T | undefined =>
  Object.hasOwn(table, String(name)) ? table[String(name)] : undefined;

/** One option and the place it came from. */
export interface Entry {
  value: unknown;
  from: Path;
}

/** A group of options while it is brought into today's form. Each remembers its place in the user's own text. */
export class Group {
  readonly from: Path;
  readonly #entries = new Map<string, Entry>();

  constructor(from: Path, value: object = {}) {
    this.from = from;
    for (const [key, one] of Object.entries(value))
      this.#entries.set(key, { value: one, from: [...from, key] });
  }

  keys(): string[] {
    return [...this.#entries.keys()];
  }

  has(key: string): boolean {
    return this.#entries.has(key);
  }

  get(key: string): Entry | undefined {
    return this.#entries.get(key);
  }

  put(key: string, entry: Entry): void {
    this.#entries.set(key, entry);
  }

  /** Takes an option out. */
  take(key: string): Entry | undefined {
    const entry = this.#entries.get(key);
    this.#entries.delete(key);
    return entry;
  }

  /** The group under this name, made ready for changes; undefined when there is something else, or nothing. */
  open(key: string): Group | undefined {
    const entry = this.#entries.get(key);
    if (entry?.value instanceof Group) return entry.value;
    if (!entry || !isRecord(entry.value)) return undefined;
    const group = new Group(entry.from, entry.value);
    entry.value = group;
    return group;
  }

  /** The same, made where there is nothing yet. */
  openOrMake(key: string, from: Path): Group | undefined {
    if (!this.#entries.has(key)) this.#entries.set(key, { value: new Group(from), from });
    return this.open(key);
  }

  /** The plain value; `place` is told where each option of it came from. */
  close(place: (path: Path, from: Path) => void = () => undefined, path: Path = []): Record<string, unknown> {
    return Object.fromEntries(
      [...this.#entries].map(([key, { value, from }]) => {
        const here = [...path, key];
        place(here, from);
        return [key, value instanceof Group ? value.close(place, here) : value];
      }),
    );
  }
}
