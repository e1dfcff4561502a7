import type { Problem } from './contract/index.ts';

type Read = { kind: 'read'; value: unknown } | { kind: 'refused'; status: 413 | 422; problem: Problem };

const mostBytes = 1_000_000;
/** Whoever sends a little too much is told so, which takes reading it to its end; beyond this nobody is heard out. */
const patientBytes = 16_000_000;

/** The body of a request as JSON; nothing at all counts as an empty object. */
export async function readJson(body: ReadableStream<Uint8Array> | null): Promise<Read> {
  const bytes = body === null ? Buffer.alloc(0) : await readBytes(body);
  if (bytes === null)
    return refused(413, 'request.large', `a request may have ${mostBytes / 1e6} MB at most`);
  const text = bytes.toString('utf8');
  try {
    return { kind: 'read', value: text.trim() === '' ? {} : (JSON.parse(text) as unknown) };
  } catch (error) {
    return refused(422, 'request.invalid', `the request is no JSON: ${(error as Error).message}`);
  }
}

async function readBytes(body: ReadableStream<Uint8Array>): Promise<Buffer | null> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of body) {
    size += part.length;
    if (size > patientBytes) break;
    if (size <= mostBytes) parts.push(part);
  }
  return size > mostBytes ? null : Buffer.concat(parts);
}

const refused = (status: 413 | 422, code: string, message: string): Read => ({
  kind: 'refused',
  status,
  problem: { kind: 'refused', code, message },
});
