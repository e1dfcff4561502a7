import { type Ground, groundOf, groundsMeet } from './overlap.ts';
import type { WorkItem } from './work-item.ts';

/** The different lists of paths that the items of a plan name, and which of them each item works on. */
export class Grounds {
  /** For each item, in its order, the number of its list. */
  readonly of: Int32Array;
  readonly #lists: Ground[] = [];

  constructor(items: readonly WorkItem[]) {
    const known = new Map<string, number>();
    this.of = Int32Array.from(items, ({ paths }) => {
      const key = paths === null ? '' : paths.join('\0');
      const there = known.get(key);
      if (there !== undefined) return there;
      known.set(key, this.#lists.length);
      return this.#lists.push(groundOf(paths)) - 1;
    });
  }

  /** For each list 1 where it overlaps with none of these. */
  freeOf(beside: readonly (readonly string[] | null)[]): Uint8Array {
    const others = beside.map(groundOf);
    return Uint8Array.from(this.#lists, (one) => (others.some((other) => groundsMeet(one, other)) ? 0 : 1));
  }
}
