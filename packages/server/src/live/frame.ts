const encoder = new TextEncoder();

/** One server-sent event. The texts are JSON already, which has no line breaks of its own. */
export function frameOf(event: string, data: string, id?: string): Uint8Array {
  return encoder.encode(`${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${data}\n\n`);
}

/** Says nothing, so that everybody between knows the connection is alive. */
export const heartbeat: Uint8Array = encoder.encode(': \n\n');
