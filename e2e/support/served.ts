import type { ChildProcess } from 'node:child_process';
import { type Client, makeClient } from '../../packages/server/src/contract/client.ts';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Ended, type Place, start } from './command.ts';

/** The command `serve`, as a user starts it, once it answers. */
export interface Served {
  url: string;
  link: string;
  token: string;
  child: ChildProcess;
  ended: Promise<Ended>;
  ask: Client;
  /** Asks it to end, and waits until it has. */
  end(signal?: NodeJS.Signals): Promise<Ended>;
}

export async function served(place: Place, ...args: string[]): Promise<Served> {
  const { child, ended } = start(place, ['serve', '--json', ...args]);
  const { url, link } = await firstLine(child, ended);
  const token = readFileSync(join(place.state, 'agentgate', 'server', 'token'), 'utf8');
  return {
    url,
    link,
    token,
    child,
    ended,
    ask: makeClient({ base: url, token }),
    end(signal = 'SIGTERM') {
      child.kill(signal);
      return ended;
    },
  };
}

function firstLine(child: ChildProcess, ended: Promise<Ended>): Promise<{ url: string; link: string }> {
  return new Promise((done, fail) => {
    let text = '';
    child.stdout?.on('data', (part: string) => {
      text += part;
      const end = text.indexOf('\n');
      if (end !== -1) done(JSON.parse(text.slice(0, end)) as { url: string; link: string });
    });
    void ended.then(({ exit, stderr }) => fail(new Error(`serve ended with ${exit}: ${stderr}`)));
  });
}

/** The cookie that a link is exchanged for. */
export async function enter(link: string): Promise<string> {
  const response = await fetch(link);
  if (!response.ok) throw new Error(`the link was answered with ${response.status}`);
  return (response.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
}

/** Asks again and again until the answer is the one that is waited for. */
export async function eventually<T>(ask: () => Promise<T>, holds: (value: T) => boolean): Promise<T> {
  for (let last: unknown; ; ) {
    try {
      const value = await ask();
      if (holds(value)) return value;
      last = undefined;
    } catch (error) {
      // Not there yet; the test's own time limit ends it.
      last = error;
    }
    await new Promise((done) => setTimeout(done, last === undefined ? 20 : 50));
  }
}
