/** The smallest of some whole numbers first. */
export class MinHeap {
  readonly #values: number[] = [];

  push(value: number): void {
    const values = this.#values;
    let at = values.length;
    values.push(value);
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (values[parent]! <= value) break;
      values[at] = values[parent]!;
      at = parent;
    }
    values[at] = value;
  }

  /** The smallest; null where there is none. */
  get top(): number | null {
    return this.#values[0] ?? null;
  }

  /** All of them, in no order. */
  get values(): readonly number[] {
    return this.#values;
  }

  pop(): number | null {
    const values = this.#values;
    const top = values[0];
    const last = values.pop();
    if (top === undefined || last === undefined) return null;
    if (values.length > 0) this.#sink(last);
    return top;
  }

  #sink(value: number): void {
    const values = this.#values;
    let at = 0;
    for (;;) {
      let child = at * 2 + 1;
      if (child >= values.length) break;
      if (child + 1 < values.length && values[child + 1]! < values[child]!) child += 1;
      if (values[child]! >= value) break;
      values[at] = values[child]!;
      at = child;
    }
    values[at] = value;
  }
}
