import { setTimeout as sleep } from 'node:timers/promises';
import { ask, type Asked } from '../../net/ask.ts';
import { bodyOf, type HttpGate } from './gate.ts';

const mostHops = 5;
const isRedirect = (status: number): boolean => [301, 302, 303, 307, 308].includes(status);

/** The whole conversation of a gate: asks again while nobody listens, and follows where it may. */
export async function call(
  gate: HttpGate,
  headers: Record<string, string>,
  untilMs: number,
  signal: AbortSignal,
): Promise<Asked> {
  const from = performance.now();
  for (let tries = 1; ; tries++) {
    const asked = await askOnce(gate, headers, untilMs, signal);
    const { times = Infinity, for: forMs = Infinity, every } = gate.retry ?? { times: 0, every: 0 };
    const pastMs = performance.now() + every;
    const again = asked.kind === 'refused' && tries <= times && pastMs - from <= forMs && pastMs < untilMs;
    if (!again || signal.aborted) return asked;
    await sleep(every, undefined, { signal }).catch(() => {}); // An aborted pause is noticed by the next look.
  }
}

async function askOnce(
  gate: HttpGate,
  headers: Record<string, string>,
  untilMs: number,
  signal: AbortSignal,
): Promise<Asked> {
  const home = new URL(gate.url);
  let url = home;
  let { method } = gate as { method: string };
  for (let hops = 0; ; hops++) {
    const timeoutMs = Math.max(1, Math.min(gate.responseTimeout, untilMs - performance.now()));
    const isHome = url.origin === home.origin;
    // What was written for one server, secrets above all, is not handed to another.
    const body = isHome && method === gate.method ? bodyOf(gate) : undefined;
    const asked = await ask({ url, method, headers: isHome ? headers : {}, body, timeoutMs, signal });
    const target =
      asked.kind === 'answered' && gate.follow && isRedirect(asked.status) ? asked.location : undefined;
    if (asked.kind !== 'answered' || target === undefined) return asked;
    if (hops === mostHops || !URL.canParse(target, url.href))
      return { kind: 'broken', why: `it redirects without end, last to ${target}` };
    url = new URL(target, url);
    if (!/^https?:$/.test(url.protocol)) return { kind: 'broken', why: `it redirects to ${url.protocol}` };
    if (asked.status === 303 || (asked.status < 303 && method === 'POST')) method = 'GET';
  }
}
