import * as z from 'zod';
import type { FailureCode } from './protocol.ts';

const told = [
  'export',
  'interface',
  'config',
  'import',
  'threw',
  'garbage',
  'unable',
] as const satisfies FailureCode[];

const Frame = z.discriminatedUnion('kind', [
  z.object({ token: z.string(), kind: z.literal('started'), pid: z.number().int().positive() }),
  z.object({ token: z.string(), kind: z.literal('value'), value: z.unknown() }),
  z.object({
    token: z.string(),
    kind: z.literal('failed'),
    failure: z.object({ code: z.enum(told), detail: z.string(), where: z.string().optional() }),
  }),
]);
export type Frame = z.infer<typeof Frame>;

/** Longer than any answer; what is longer was not written by us. */
const maxLine = 1024 * 1024;
/** Deeper data could overflow the stack of whoever writes it down. */
const maxDepth = 64;

/** Reads frames out of bytes that a module may have mixed with anything else. Never throws, and memory is bounded. */
export class FrameReader {
  readonly #onFrame: (frame: Frame) => void;
  #parts: Buffer[] = [];
  #held = 0;

  constructor(onFrame: (frame: Frame) => void) {
    this.#onFrame = onFrame;
  }

  /** Bytes of memory in use; never more than one line. */
  get heldBytes(): number {
    return this.#parts.reduce((sum, part) => sum + part.length, 0);
  }

  take(chunk: Buffer): void {
    let from = 0;
    for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, from)) {
      this.#hold(chunk.subarray(from, at));
      this.#finish();
      from = at + 1;
    }
    this.#hold(chunk.subarray(from));
  }

  #hold(part: Buffer): void {
    this.#held += part.length;
    if (this.#held > maxLine) this.#parts = [];
    else if (part.length > 0) this.#parts.push(part);
  }

  #finish(): void {
    const line = this.#held > maxLine ? '' : Buffer.concat(this.#parts).toString('utf8');
    this.#parts = [];
    this.#held = 0;
    const frame = line === '' ? null : parseFrame(line);
    if (frame) this.#onFrame(frame);
  }
}

function parseFrame(line: string): Frame | null {
  const token = /^\{"token":"(\w+)"/.exec(line)?.[1];
  if (token === undefined) return null;
  if (depthOf(line) > maxDepth) {
    const detail = `gave an answer that nests deeper than ${maxDepth} levels`;
    return { token, kind: 'failed', failure: { code: 'garbage', detail } };
  }
  try {
    return Frame.safeParse(JSON.parse(line)).data ?? null;
  } catch {
    // Not ours: the module wrote into a descriptor that it was not given.
    return null;
  }
}

/** How deep the lists and groups of a JSON text nest. */
function depthOf(text: string): number {
  let [depth, deepest, quoted] = [0, 0, false];
  for (let at = 0; at < text.length; at++) {
    const mark = text[at];
    if (mark === '"') quoted = !quoted;
    else if (quoted) at += mark === '\\' ? 1 : 0;
    else if (mark === '{' || mark === '[') deepest = Math.max(deepest, ++depth);
    else if (mark === '}' || mark === ']') depth--;
  }
  return deepest;
}
