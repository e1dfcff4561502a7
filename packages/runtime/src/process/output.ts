import type { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import type { ProcessRequest } from './request.ts';
import { redactKept } from './redacted.ts';
import { Ring } from './ring.ts';
import { CharacterEdge } from './utf8.ts';

const KEPT_BYTES = 256 * 1024;

interface Source {
  stream: Readable;
  name: 'stdout' | 'stderr';
  edge: CharacterEdge;
  rings: Ring[];
}

/** Collects what a program writes, in bounded memory, and passes it on as whole characters. */
export class Output {
  readonly #both: Ring;
  readonly #stdout: Ring | null;
  readonly #stderr: Ring | null;
  readonly #tell: ProcessRequest['onOutput'];
  readonly #sources: Source[] = [];
  #bytes = 0;
  #chunks = 0;

  constructor(request: Pick<ProcessRequest, 'headBytes' | 'tailBytes' | 'onOutput' | 'separate'>) {
    const openRing = () => new Ring(request.headBytes ?? KEPT_BYTES, request.tailBytes ?? KEPT_BYTES);
    this.#both = openRing();
    this.#stdout = request.separate === true ? openRing() : null;
    this.#stderr = request.separate === true ? openRing() : null;
    this.#tell = request.onOutput;
  }

  /** `stderr` is null when the program writes both to one pipe. */
  listen(stdout: Readable, stderr: Readable | null): void {
    this.#add(stdout, 'stdout', this.#stdout === null ? [this.#both] : [this.#both, this.#stdout]);
    if (stderr !== null)
      this.#add(stderr, 'stderr', this.#stderr === null ? [this.#both] : [this.#both, this.#stderr]);
  }

  /** Reads what the pipes still hold, then closes them, whoever else holds their other end. */
  async drain(limitMs: number): Promise<void> {
    const deadlineMs = performance.now() + limitMs;
    // Nobody of ours writes any more, so all there is lies in the pipe, and every turn of the event
    // loop reads some of it. Two turns without a byte: it is empty, even if a stranger keeps it open.
    for (let quiet = 0; quiet < 2 && !this.#ended() && performance.now() < deadlineMs; ) {
      const before = this.#chunks;
      await setImmediate();
      quiet = this.#chunks === before ? quiet + 1 : 0;
    }
    for (const source of this.#sources) {
      source.stream.destroy();
      this.#keep(source.edge.rest(), source);
    }
  }

  /** Secrets are hidden here, before anybody reads, cuts or keeps what a program said. */
  result(): { output: string; stdout: string; stderr: string; bytes: number; truncated: boolean } {
    return {
      output: redactKept(this.#both.kept()),
      stdout: this.#stdout ? redactKept(this.#stdout.kept()) : '',
      stderr: this.#stderr ? redactKept(this.#stderr.kept()) : '',
      bytes: this.#bytes,
      truncated: this.#both.truncated,
    };
  }

  #add(stream: Readable, name: Source['name'], rings: Ring[]): void {
    const edge = new CharacterEdge();
    const source = { stream, name, edge, rings };
    this.#sources.push(source);
    stream.on('data', (chunk: Buffer) => {
      this.#chunks++;
      this.#bytes += chunk.length;
      this.#keep(edge.take(chunk), source);
    });
    // A broken pipe ends the output; the exit of the main process tells how the program ended.
    stream.on('error', () => stream.destroy());
  }

  #keep(bytes: Uint8Array, { rings, name }: Source): void {
    if (bytes.length === 0) return;
    for (const ring of rings) ring.write(bytes);
    this.#tell?.(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8'), name);
  }

  #ended(): boolean {
    return this.#sources.every(({ stream }) => stream.readableEnded || stream.destroyed);
  }
}
