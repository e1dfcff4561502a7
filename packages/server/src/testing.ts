import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Event, EventBody } from '@agentgate/core';
import { openHome, openRunStore, type RunStore, type WorkspaceHome } from '@agentgate/runtime';
import { type Client, makeClient } from './contract/client.ts';
import { chooseBind } from './entrance/bind.ts';
import { readToken } from './entrance/token.ts';
import { workspaceId } from './house.ts';
import { serve, type ServeRequest, type Serving } from './serve.ts';

/** A state of its own with a workspace, and a server over it. */
export interface Stage {
  home: WorkspaceHome;
  workspace: string;
  store: RunStore;
  token: string;
  serving: Serving;
  ask: Client;
  /** Anything over HTTP, with nothing added. */
  send(asked: Sent): Promise<Got>;
  close(): Promise<void>;
}

export interface Sent {
  path: string;
  method?: string;
  headers?: Record<string, string>;
  body?: string;
}

export interface Got {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
}

export async function openStage(more: Partial<ServeRequest> = {}): Promise<Stage> {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'server-')));
  const env = { PATH: process.env['PATH'], AGENTGATE_STATE_DIR: join(base, 'state') };
  mkdirSync(join(base, 'work'));
  const home = openHome(join(base, 'work'), env);
  const store = openRunStore(home.runs);
  const serving = await serve({
    bind: chooseBind({ port: 0 }),
    version: '1.2.3',
    env,
    command: ['/bin/false'],
    webDir: join(base, 'web'),
    onBug(error) {
      throw error;
    },
    ...more,
  });
  const token = readToken(join(base, 'state'));
  return {
    home,
    workspace: workspaceId(home),
    store,
    token,
    serving,
    ask: makeClient({ base: serving.url, token }),
    send: (asked) => send(serving.port, asked),
    async close() {
      store.close();
      await serving.close();
      rmSync(base, { recursive: true, force: true });
    },
  };
}

/** Unlike fetch it lets every header be said, and takes an address as it is. */
export function send(port: number, { path, method = 'GET', headers = {}, body }: Sent): Promise<Got> {
  return new Promise((done, fail) => {
    const sent = httpRequest({ host: '127.0.0.1', port, path, method, headers }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (part: string) => (text += part));
      response.on('end', () => done({ status: response.statusCode ?? 0, headers: response.headers, text }));
      response.on('error', fail);
    });
    sent.on('error', fail);
    sent.end(body);
  });
}

/** The first event of a run that a test writes by itself. */
export const runStarted = (runId: string, root: string, task = 'a task'): EventBody => ({
  kind: 'run.started',
  runId,
  version: '1.2.3',
  root,
  nonce: 'n',
  spec: {
    task,
    gates: [],
    agent: { kind: 'command' },
    strategy: { kind: 'ralph', max: 7 },
    limits: { iterations: 9, wallClock: 60_000, maxWait: 1 },
  } as never,
  specHash: '',
  source: '',
});

export const runEnded = (runId: string): EventBody => ({
  kind: 'run.ended',
  runId,
  status: 'stopped',
  code: 'user.stop',
  reason: 'a person stopped it',
  iterations: 0,
  tree: null,
  best: null,
  caveats: [],
  costUsd: null,
  tokens: null,
  goalSatisfied: false,
  activeMs: 1,
});

export async function writeRun(
  { store, home }: Pick<Stage, 'store' | 'home'>,
  runId: string,
  ...bodies: EventBody[]
): Promise<readonly Event[]> {
  store.create(runId);
  return store.append(runId, 0, [runStarted(runId, home.root), ...bodies]);
}

/** A frame of a stream. */
export interface Frame {
  event: string;
  id: string | null;
  data: unknown;
}

/** Reads frames of a stream until it is told that these are enough. */
export async function readFrames(
  url: string,
  headers: Record<string, string>,
  isEnough: (frames: readonly Frame[]) => boolean,
): Promise<Frame[]> {
  const away = new AbortController();
  const response = await fetch(url, { headers, signal: away.signal });
  if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`);
  const frames: Frame[] = [];
  let rest = '';
  const decoder = new TextDecoder();
  const reader = response.body!.getReader();
  while (!isEnough(frames)) {
    const { value, done } = await reader.read();
    if (done) break;
    rest += decoder.decode(value, { stream: true });
    const parts = rest.split('\n\n');
    rest = parts.pop() ?? '';
    frames.push(...parts.flatMap(frameIn));
  }
  away.abort();
  return frames;
}

function frameIn(text: string): Frame[] {
  const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(text)?.[1] ?? null;
  const [event, data] = [field('event'), field('data')];
  return event === null || data === null
    ? []
    : [{ event, id: field('id'), data: JSON.parse(data) as unknown }];
}
