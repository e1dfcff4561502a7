/** Hands out bytes of one stream so that no character is split between two chunks. */
export class CharacterEdge {
  #held: Uint8Array = new Uint8Array(0);

  take(chunk: Uint8Array): Uint8Array {
    const joined = this.#held.length === 0 ? chunk : Buffer.concat([this.#held, chunk]);
    const length = wholeLength(joined);
    this.#held = joined.slice(length);
    return joined.subarray(0, length);
  }

  /** What is left when the stream ends: the beginning of a character that never came. */
  rest(): Uint8Array {
    return this.#held;
  }
}

/** How many bytes from the start end on a character; invalid bytes count as characters. */
export function wholeLength(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (!isContinuation(byte)) return sequenceLength(byte) > back ? bytes.length - back : bytes.length;
  }
  return bytes.length;
}

/** How many bytes at the start belong to a character that began before them. */
export function continuationLength(bytes: Uint8Array): number {
  let length = 0;
  while (length < 3 && isContinuation(bytes[length] ?? 0)) length++;
  return length;
}

function isContinuation(byte: number): boolean {
  return (byte & 0xc0) === 0x80;
}

function sequenceLength(lead: number): number {
  if (lead >= 0xf0) return 4;
  if (lead >= 0xe0) return 3;
  return lead >= 0xc0 ? 2 : 1;
}
