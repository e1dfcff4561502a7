import { describe, expect, it } from 'vitest';
import { type Frame, FrameReader } from './frames.ts';

function read(...chunks: (string | Buffer)[]): Frame[] {
  const frames: Frame[] = [];
  const reader = new FrameReader((frame) => frames.push(frame));
  for (const chunk of chunks) reader.take(Buffer.from(chunk));
  return frames;
}

const value = (text = '1') => `\n{"token":"ab","kind":"value","value":${text}}\n`;
const one = { token: 'ab', kind: 'value', value: 1 };

describe('frames', () => {
  it('are read whole, in parts, and between whatever else was written', () => {
    expect(read(value())).toEqual([one]);
    expect(read('\n{"token":"ab","kind":"val', 'ue","value":1}\n')).toEqual([one]);
    expect(read('garbage without an end', value(), '\u0000\n{"continue":true}\nnull\n', value())).toEqual([
      one,
      one,
    ]);
    const wide = Buffer.from(value('"ü"'));
    expect(read(wide.subarray(0, 36), wide.subarray(36))).toMatchObject([{ value: 'ü' }]);
  });

  it.each([
    '{"token":"ab","kind":"verdict","value":1}',
    '{"token":"ab","kind":"failed","failure":{"code":"converged","detail":"x"}}',
    '{"token":"ab","kind":"started","pid":-1}',
    '{"token":"ab","kind":"value"',
    '{"kind":"value","token":"ab","value":1}',
  ])('are nothing else: %s', (line) => {
    expect(read(`${line}\n`)).toEqual([]);
  });

  it('are dropped when they are longer than anything we write, and the next one is read', () => {
    expect(read(value(`"${'x'.repeat(2 * 1024 * 1024)}"`), value())).toEqual([one]);
    expect(read('x'.repeat(5 * 1024 * 1024), '\n', value())).toEqual([one]);
  });

  it('take bounded memory, whatever is written', () => {
    const reader = new FrameReader(() => {});
    for (let at = 0; at < 100; at++) reader.take(Buffer.alloc(64 * 1024, 'x'));
    expect(reader.heldBytes).toBeLessThanOrEqual(1024 * 1024);
  });

  it('that nest too deep are no answers', () => {
    const deep = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
    expect(read(value(deep(60)))).toMatchObject([{ kind: 'value' }]);
    expect(read(value(deep(70)))).toMatchObject([{ kind: 'failed', failure: { code: 'garbage' } }]);
    expect(read(value(`"${'['.repeat(100)}\\"${'{'.repeat(100)}"`))).toMatchObject([{ kind: 'value' }]);
  });

  it('carry no prototype', () => {
    const [frame] = read(value('{"__proto__":{"polluted":1}}'));
    expect(frame).toBeDefined();
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });
});
