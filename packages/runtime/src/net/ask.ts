import {
  type ClientRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request as overHttp,
} from 'node:http';
import { request as overHttps } from 'node:https';

/** One request to make. */
export interface Question {
  url: URL;
  method: string;
  headers: Record<string, string>;
  body?: string | undefined;
  timeoutMs: number;
  signal: AbortSignal;
  /** How much of the answer is read; a megabyte unless told. */
  mostBytes?: number;
}

export interface Answered {
  kind: 'answered';
  status: number;
  headers: IncomingHttpHeaders;
  location: string | undefined;
  body: string;
  /** The body went on; only its beginning was read. */
  cut: boolean;
}

export type Asked =
  | Answered
  /** Nobody listens. */
  | { kind: 'refused' }
  /** No whole answer in time. */
  | { kind: 'late' }
  /** Somebody listens and breaks off. */
  | { kind: 'broken'; why: string }
  /** Nothing is known about who should have answered. */
  | { kind: 'unreachable'; why: string };

const megabyte = 1024 * 1024;

/** Asks once, over a connection of its own. Never throws for what comes back. */
export function ask(question: Question): Promise<Asked> {
  const { url, method, headers, body, timeoutMs, signal, mostBytes = megabyte } = question;
  return new Promise((resolve) => {
    const asking = begin({ url, method, headers });
    if ('kind' in asking) return resolve(asking);
    const onAbort = () => settle({ kind: 'broken', why: 'the run was stopped' });
    const timer = setTimeout(() => settle({ kind: 'late' }), timeoutMs);
    const settle = (asked: Asked) => {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
      resolve(asked);
      asking.destroy();
    };
    asking.on('error', (error) => settle(readError(error)));
    asking.on('response', (response) => readAnswer(response, mostBytes, settle));
    signal.addEventListener('abort', onAbort);
    asking.end(body);
    if (signal.aborted) onAbort();
  });
}

function begin({
  url,
  method,
  headers,
}: Pick<Question, 'url' | 'method' | 'headers'>): ClientRequest | Asked {
  const send = url.protocol === 'https:' ? overHttps : overHttp;
  try {
    // A connection that was kept open could lead to a server that was ended since.
    return send(url, { method, headers, agent: false });
  } catch (error) {
    // A header or an address with a character that cannot be sent.
    return { kind: 'unreachable', why: (error as Error).message };
  }
}

function readAnswer(response: IncomingMessage, mostBytes: number, settle: (asked: Asked) => void): void {
  const chunks: Buffer[] = [];
  let bytes = 0;
  const answer = (cut: boolean) =>
    settle({
      kind: 'answered',
      status: response.statusCode ?? 0,
      headers: response.headers,
      location: response.headers.location,
      body: Buffer.concat(chunks).subarray(0, mostBytes).toString('utf8'),
      cut,
    });
  response.on('data', (chunk: Buffer) => {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > mostBytes) answer(true);
  });
  response.on('end', () => answer(false));
  response.on('error', (error) => settle(readError(error)));
}

function readError(error: NodeJS.ErrnoException): Asked {
  const code = error.code ?? '';
  if (code === 'ECONNREFUSED') return { kind: 'refused' };
  if (code === 'ETIMEDOUT') return { kind: 'late' };
  const why = `${code === '' ? '' : `${code}: `}${error.message || 'no reason was given'}`;
  return unreachable.test(code) ? { kind: 'unreachable', why } : { kind: 'broken', why };
}

// Names that nobody knows, networks that are not there, certificates that prove nothing.
const unreachable =
  /^(?:ENOTFOUND|EAI_\w+|EHOSTUNREACH|ENETUNREACH|ENETDOWN|EADDRNOTAVAIL|EACCES|EPERM|ERR_TLS\w*|ERR_SSL\w*|EPROTO|CERT_\w+|DEPTH_ZERO\w*|SELF_SIGNED\w*|UNABLE_TO\w*|HOSTNAME_MISMATCH|ERR_INVALID\w*)$/;
