import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

/** One request as the server saw it. */
export interface Seen {
  method: string;
  path: string;
  query: URLSearchParams;
  headers: IncomingHttpHeaders;
  /** What was sent; null where nothing was. */
  body: unknown;
}

/** What the server answers; `'never'` keeps the line open and silent. */
export type Reply = { status?: number; headers?: Record<string, string>; body?: unknown } | 'never';

/** A server on this machine that speaks the API of a forge. A text is sent as it is, anything else as JSON. */
export async function openForge(
  answer: (request: Seen) => Reply,
): Promise<{ url: string; seen: Seen[]; close(): Promise<void> }> {
  const seen: Seen[] = [];
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '/', 'http://forge');
    let words = '';
    for await (const part of request.setEncoding('utf8')) words += part as string;
    const one = {
      method: request.method ?? '',
      path: decodeURIComponent(url.pathname),
      query: url.searchParams,
      headers: request.headers,
      body: words === '' ? null : (JSON.parse(words) as unknown),
    };
    seen.push(one);
    const reply = answer(one);
    if (reply === 'never') return;
    const { status = 200, headers = {}, body = '' } = reply;
    response.writeHead(status, { 'content-type': 'application/json; charset=utf-8', ...headers });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  });
  await new Promise<void>((done) => void server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    seen,
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}
