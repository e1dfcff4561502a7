import { continuationLength, wholeLength } from './utf8.ts';

/** What is left of a stream; without a tail it is all of it. */
export interface Kept {
  head: string;
  tail: string | null;
  /** How many bytes are missing between them. */
  leftOut: number;
}

/** Keeps the first and the last bytes of a stream of any length, in memory that never grows past both. */
export class Ring {
  readonly #headBytes: number;
  readonly #tailBytes: number;
  #head: Buffer | null = null;
  #tail: Buffer | null = null;
  #inHead = 0;
  #pastHead = 0;

  constructor(headBytes: number, tailBytes: number) {
    this.#headBytes = headBytes;
    this.#tailBytes = tailBytes;
  }

  /** Bytes of memory in use; at most head and tail together. */
  get heldBytes(): number {
    return (this.#head?.length ?? 0) + (this.#tail?.length ?? 0);
  }

  get truncated(): boolean {
    return this.#pastHead > this.#tailBytes;
  }

  write(chunk: Uint8Array): void {
    const forHead = chunk.subarray(0, this.#headBytes - this.#inHead);
    if (forHead.length > 0) this.#writeHead(forHead);
    if (chunk.length > forHead.length) this.#writeTail(chunk.subarray(forHead.length));
  }

  kept(): Kept {
    const head = this.#head?.subarray(0, this.#inHead) ?? Buffer.alloc(0);
    const tail = this.#readTail();
    if (!this.truncated)
      return { head: Buffer.concat([head, tail]).toString('utf8'), tail: null, leftOut: 0 };
    // The cut may run through a character; its halves count as left out.
    const headEnd = wholeLength(head);
    const tailStart = continuationLength(tail);
    const leftOut = this.#inHead - headEnd + (this.#pastHead - tail.length) + tailStart;
    return { head: head.toString('utf8', 0, headEnd), tail: tail.toString('utf8', tailStart), leftOut };
  }

  #writeHead(chunk: Uint8Array): void {
    this.#head ??= Buffer.allocUnsafe(this.#headBytes);
    this.#head.set(chunk, this.#inHead);
    this.#inHead += chunk.length;
  }

  #writeTail(chunk: Uint8Array): void {
    const kept = chunk.subarray(Math.max(0, chunk.length - this.#tailBytes));
    const skipped = chunk.length - kept.length;
    const at = (this.#pastHead + skipped) % Math.max(1, this.#tailBytes);
    this.#pastHead += chunk.length;
    if (kept.length === 0) return;
    this.#tail ??= Buffer.allocUnsafe(this.#tailBytes);
    const upToEdge = kept.subarray(0, this.#tailBytes - at);
    this.#tail.set(upToEdge, at);
    this.#tail.set(kept.subarray(upToEdge.length), 0);
  }

  #readTail(): Buffer {
    if (this.#tail === null) return Buffer.alloc(0);
    if (this.#pastHead <= this.#tailBytes) return this.#tail.subarray(0, this.#pastHead);
    const edge = this.#pastHead % this.#tailBytes;
    return Buffer.concat([this.#tail.subarray(edge), this.#tail.subarray(0, edge)]);
  }
}

/** The kept text as one; where bytes are missing it says how many. */
export function joinKept({ head, tail, leftOut }: Kept): string {
  return tail === null ? head : `${head}\n[${leftOut} bytes left out]\n${tail}`;
}
