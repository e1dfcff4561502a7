import { expect, it } from 'vitest';
import { JsonLines } from './json-lines.ts';

function heard(...chunks: string[]): { events: unknown[]; text: string } {
  const events: unknown[] = [];
  const lines = new JsonLines((event) => events.push(event));
  for (const chunk of chunks) lines.take(chunk);
  lines.end();
  return { events, text: lines.otherText() };
}

it('finds the events of a stream, wherever it is cut', () => {
  const stream = '{"a":1}\n{"b":{"c":2}}\n{"d":3}';
  for (let at = 0; at <= stream.length; at++)
    expect(heard(stream.slice(0, at), stream.slice(at)).events).toEqual([
      { a: 1 },
      { b: { c: 2 } },
      { d: 3 },
    ]);
});

it('keeps what is no event as text', () => {
  const { events, text } = heard('Warning: old\n{"a":1}\n{ half\n[1]\n7\n\nerror: unknown option\n');
  expect(events).toEqual([{ a: 1 }]);
  expect(text).toBe('Warning: old\n{ half\n[1]\n7\nerror: unknown option\n');
});

it('passes over a line without an end, and hears the next one', () => {
  const flood = 'x'.repeat(6 * 1024 * 1024);
  expect(heard(`{"a":"${flood}`, flood, flood, '"}\n{"b":2}\n').events).toEqual([{ b: 2 }]);
});
