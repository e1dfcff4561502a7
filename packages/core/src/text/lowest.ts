/** Keeps the `limit` smallest distinct integers of a stream; most arrivals cost one comparison. */
export class Lowest {
  readonly #limit: number;
  readonly #kept: Int32Array;
  readonly #recent = new Int32Array(1024);
  #size = 0;
  #bar = 0x7fffffff;

  constructor(limit: number) {
    this.#limit = limit;
    this.#kept = new Int32Array(limit * 4);
    // An empty slot must not look like the value 0, which belongs to slot 0.
    this.#recent[0] = 1;
  }

  add(value: number): void {
    if (value > this.#bar) return;
    // Logs repeat themselves: without this a text of few distinct values would be sorted again and again.
    const slot = value & 1023;
    if (this.#recent[slot] === value) return;
    this.#recent[slot] = value;
    if (this.#size === this.#kept.length) this.#compact();
    this.#kept[this.#size++] = value;
  }

  /** Ascending, distinct. */
  values(): Int32Array {
    this.#compact();
    return this.#kept.slice(0, this.#size);
  }

  #compact(): void {
    const sorted = this.#kept.subarray(0, this.#size).sort();
    let size = 0;
    for (const value of sorted) {
      if (size === this.#limit) break;
      if (size === 0 || value !== sorted[size - 1]) sorted[size++] = value;
    }
    this.#size = size;
    if (size === this.#limit) this.#bar = sorted[size - 1] ?? this.#bar;
  }
}
