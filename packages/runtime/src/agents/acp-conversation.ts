import { Writable, type PassThrough } from 'node:stream';
import type { ClientContext, SessionUpdate } from '@agentclientprotocol/sdk';
import type { Activity } from '@agentgate/core';
import { answerTo } from './acp-permission.ts';
import { group, number, oneLine, subject, text } from './programs/values.ts';

interface Wanted {
  root: string;
  prompt: string;
  sessionId: string | undefined;
  mode: string | undefined;
  model: string | undefined;
  login: string | undefined;
  isAll: boolean;
  commands: readonly string[];
  tell(activity: Activity): void;
}

/** How a conversation came to its end, and what it cost. */
export type Said = {
  sessionId?: string;
  tokens?: number;
  /** It tells less than it used. */
  atLeast?: true;
  costUsd?: number;
} & ({ kind: 'answered'; stopReason: string } | { kind: 'broken'; problem: string; isLogin: boolean });

/** The codes by which an agent says that somebody must log in first. */
const loginNeeded = -32_000;

/** One prompt in one session of an agent, over its standard input and output. */
export class Conversation {
  readonly #wanted: Wanted;
  readonly #toAgent: PassThrough;
  readonly #fromAgent: ReadableStream<Uint8Array>;
  #line!: ReadableStreamDefaultController<Uint8Array>;
  #isOpen = true;
  /** What an agent tells while it loads a session was said before. */
  #isListening = false;
  #isInWords = false;
  #sessionId: string | undefined;
  #costUsd: number | undefined;
  #tellsLastCallOnly = false;

  constructor(toAgent: PassThrough, wanted: Wanted) {
    this.#wanted = wanted;
    this.#toAgent = toAgent;
    this.#fromAgent = new ReadableStream({
      start: (line) => void (this.#line = line),
      cancel: () => void (this.#isOpen = false),
    });
  }

  hear(chunk: string): void {
    if (this.#isOpen) this.#line.enqueue(Buffer.from(chunk));
  }

  /** Nobody answers any more. */
  hangUp(): void {
    if (this.#isOpen) this.#line.close();
    this.#isOpen = false;
  }

  /** Never rejects. */
  async said(): Promise<Said> {
    try {
      const told = await this.#talk();
      return { ...told, ...this.#spent() };
    } catch (error) {
      const { message, code, data } = group(error) as { message?: string; code?: number; data?: unknown };
      const detail = text(group(data)['details']) || text(group(data)['message']);
      const problem = oneLine([text(message) || String(error), detail].filter(Boolean).join(': '), 300);
      return { kind: 'broken', problem, isLogin: code === loginNeeded, ...this.#spent() };
    }
  }

  #spent(): Pick<Said, 'sessionId' | 'costUsd'> {
    return {
      ...(this.#sessionId === undefined ? {} : { sessionId: this.#sessionId }),
      ...(this.#costUsd === undefined ? {} : { costUsd: this.#costUsd }),
    };
  }

  async #talk(): Promise<Said> {
    // Large, and few runs need it.
    const acp = await import('@agentclientprotocol/sdk');
    const { root, isAll, commands, tell } = this.#wanted;
    const app = acp
      .client({ name: 'agentgate' })
      .onNotification(acp.methods.client.session.update, ({ params }) => this.#take(params.update))
      .onRequest(acp.methods.client.session.requestPermission, ({ params }) =>
        answerTo(params, { root, isAll, commands, tell }),
      );
    const stream = acp.ndJsonStream(Writable.toWeb(this.#toAgent), this.#fromAgent);
    return app.connectWith(stream, (agent) => this.#prompt(agent));
  }

  async #prompt(agent: ClientContext): Promise<Said> {
    const { prompt, mode, model, login } = this.#wanted;
    const { agentCapabilities, agentInfo } = await agent.request('initialize', {
      protocolVersion: 1,
      clientInfo: { name: 'agentgate', version: '0' },
      clientCapabilities: { fs: { readTextFile: false, writeTextFile: false }, terminal: false },
    });
    // It tells what the last call of its model used; a prompt of many calls used more.
    this.#tellsLastCallOnly = /opencode/i.test(text(agentInfo?.name));
    if (login !== undefined) await agent.request('authenticate', { methodId: login });
    const sessionId = await this.#enter(agent, agentCapabilities);
    this.#sessionId = sessionId;
    if (mode !== undefined) await agent.request('session/set_mode', { sessionId, modeId: mode });
    if (model !== undefined) await agent.request('session/set_model', { sessionId, modelId: model });
    this.#isListening = true;
    const answer = await agent.request('session/prompt', {
      sessionId,
      prompt: [{ type: 'text', text: prompt }],
    });
    this.#endWords();
    const tokens = tokensIn(group(group(answer)['usage']));
    const told =
      tokens === 0 ? {} : { tokens, ...(this.#tellsLastCallOnly ? { atLeast: true as const } : {}) };
    return { kind: 'answered', stopReason: answer.stopReason, ...told };
  }

  /** The session from before where the agent can go on in one, else a new one. */
  async #enter(agent: ClientContext, capabilities: unknown): Promise<string> {
    const { root, sessionId } = this.#wanted;
    if (sessionId !== undefined) {
      const able = group(capabilities);
      const way = group(able['sessionCapabilities'])['resume']
        ? 'session/resume'
        : able['loadSession'] === true
          ? 'session/load'
          : null;
      try {
        if (way !== null) {
          await agent.request(way, { cwd: root, mcpServers: [], sessionId });
          return sessionId;
        }
      } catch {
        // It has forgotten the session; the prompt holds all that a fresh context needs.
      }
    }
    const made = await agent.request('session/new', { cwd: root, mcpServers: [] });
    return made.sessionId;
  }

  #take(update: SessionUpdate): void {
    if (!this.#isListening) return;
    const { tell } = this.#wanted;
    switch (update.sessionUpdate) {
      case 'agent_message_chunk':
        if (update.content.type !== 'text') return;
        this.#isInWords = true;
        return tell({ kind: 'text', text: update.content.text });
      case 'tool_call':
        this.#endWords();
        return tell({
          kind: 'tool',
          tool: update.kind ?? 'tool',
          what: subject(update.rawInput) || oneLine(update.title),
        });
      default: {
        const told = group(update);
        const { amount, currency } = group(told['cost']);
        if (
          told['sessionUpdate'] === 'usage_update' &&
          typeof amount === 'number' &&
          [undefined, 'USD'].includes(currency as string)
        )
          this.#costUsd = amount;
      }
    }
  }

  /** Words come in pieces; the line ends where something else begins. */
  #endWords(): void {
    if (this.#isInWords) this.#wanted.tell({ kind: 'text', text: '\n' });
    this.#isInWords = false;
  }
}

/** Input that came out of a cache is not counted. */
const tokensIn = (usage: Record<string, unknown>): number =>
  Math.max(0, number(usage['totalTokens']) - number(usage['cachedReadTokens']));
