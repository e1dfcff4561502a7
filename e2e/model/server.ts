import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { deedOf } from './deeds.ts';
import { chat } from './protocols/chat.ts';
import { gemini } from './protocols/gemini.ts';
import { messages } from './protocols/messages.ts';
import type { Answer, Protocol } from './protocols/protocol.ts';
import { responses } from './protocols/responses.ts';
import { type Call, type Script, type Turn, turnFor } from './script.ts';

/** A model that says and does what a script tells, for real agent programs on the loopback. */
export interface Model {
  /** Without a path behind it. */
  url: string;
  /** What the model was asked, oldest first; calls without tools are left out. */
  calls: readonly Call[];
  close(): Promise<void>;
}

const protocols: readonly Protocol[] = [messages, responses, chat, gemini];

/** `root` is where the agent works: what the model writes lies there. */
export async function startModel(script: Script, root: string): Promise<Model> {
  const calls: Call[] = [];
  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      response.writeHead(500, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ error: { type: 'api_error', message: String(error) } }));
    });
  });

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = new URL(request.url ?? '/', 'http://model').pathname;
    const body = await bodyOf(request);
    const protocol = request.method === 'POST' ? protocols.find((one) => one.isFor(path)) : undefined;
    if (!protocol) return tellOf(path, request, response);
    const read = protocol.read(body, path);
    const call: Call = { ...read, protocol: protocol.name, number: calls.length };
    // Titles, summaries and the like are asked for without tools; a script is about the work.
    const isAside = call.tools.length === 0;
    if (!isAside) calls.push(call);
    await play(isAside ? { say: 'ok' } : turnFor(script, call), call, protocol, {
      root,
      response,
      isStream: body['stream'] === true || path.includes(':stream'),
    });
  }

  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    async close() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

async function play(
  turn: Turn,
  call: Call,
  protocol: Protocol,
  { root, response, isStream }: { root: string; response: ServerResponse; isStream: boolean },
): Promise<void> {
  await turn.until;
  if (turn.afterMs === 'never') return;
  if (turn.afterMs !== undefined) await new Promise((done) => setTimeout(done, turn.afterMs as number));
  if (turn.fail) {
    const { status, retryAfter, headers = {} } = turn.fail;
    const retry = retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) };
    response.writeHead(status, { 'content-type': 'application/json', ...headers, ...retry });
    response.end(JSON.stringify(protocol.failure(turn.fail)));
    return;
  }
  const made: Answer = {
    id: randomBytes(9).toString('hex'),
    model: call.model,
    say: turn.say ?? '',
    deeds: (turn.do ?? []).map((act) => ({ id: randomBytes(9).toString('hex'), ...deedOf(act, call, root) })),
    tokens: { input: 1_000, cached: 0, output: 20, ...turn.tokens },
  };
  if (!isStream) {
    response.writeHead(200, { 'content-type': 'application/json', ...turn.headers });
    response.end(JSON.stringify(protocol.whole(made)));
    return;
  }
  response.writeHead(200, {
    'content-type': 'text/event-stream',
    'cache-control': 'no-cache',
    ...turn.headers,
  });
  let told = 0;
  for (const { event, data } of protocol.stream(made)) {
    response.write(
      `${event === undefined ? '' : `event: ${event}\n`}data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`,
    );
    if (turn.cut && ++told === 3) return void response.destroy();
  }
  response.end();
}

/** Agents look around before they begin: which models there are, how long a text is. */
function tellOf(path: string, { method }: IncomingMessage, response: ServerResponse): void {
  const tell = (status: number, value: unknown) => {
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(method === 'HEAD' ? undefined : JSON.stringify(value));
  };
  if (path.endsWith('count_tokens')) return tell(200, { input_tokens: 100 });
  if (path.endsWith(':countTokens')) return tell(200, { totalTokens: 100 });
  if (/\/models\/?[^/]*$/.test(path)) return tell(200, { object: 'list', data: [], models: [] });
  tell(method === 'HEAD' ? 200 : 404, {
    error: { type: 'not_found_error', message: `there is nothing at ${path}` },
  });
}

async function bodyOf(request: IncomingMessage): Promise<Record<string, unknown>> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  try {
    return JSON.parse(Buffer.concat(parts).toString('utf8')) as Record<string, unknown>;
  } catch {
    return {};
  }
}
