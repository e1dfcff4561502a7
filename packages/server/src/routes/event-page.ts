import type { LogTail } from '@agentgate/runtime';
import { Json } from './handler.ts';

const mostBytes = 4_000_000;

/** The events behind a position, as many as were asked for and as fit into an answer; one at least where there is one. */
export function eventPage(tail: LogTail, { after, limit }: { after: number; limit: number }): Json {
  tail.look();
  const page: string[] = [];
  let left = mostBytes;
  for (let at = after; page.length < limit && left > 0; ) {
    const { texts, last } = tail.chunk(at, left);
    if (texts.length === 0) break;
    page.push(...texts.slice(0, limit - page.length));
    left -= texts.reduce((sum, text) => sum + text.length, 0);
    at = last;
  }
  return new Json(`{"events":[${page.join(',')}],"after":${after},"position":${tail.count()}}`);
}
