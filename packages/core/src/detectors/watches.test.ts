import { describe, expect, it } from 'vitest';
import { play, specOf, failed, type Turn } from '../testing/play.ts';
import { watches } from './index.ts';

/** How every detector stands after these turns of an agent whose gate stays red. */
function standing(turns: Turn[], fields: Record<string, unknown> = {}) {
  const spec = specOf({
    gates: { tests: { run: 'x' } },
    strategy: 'fixed',
    stuck: 'off',
    detectors: { enabled: true },
    limits: { iterations: turns.length },
    ...fields,
  });
  const { state } = play(spec, { turn: (at) => turns[at - 1]!, judge: () => failed(['a', 'b']) });
  return Object.fromEntries(watches(spec, state.judged).map((one) => [one.name, one]));
}

const same = { tree: 'same' };

describe('how the detectors stand', () => {
  it('tells how much of a window shows the pattern', () => {
    expect(standing([{ tree: 'x' }, same, same])['snapshot-repeat']).toMatchObject({
      saw: null,
      near: 2,
      window: 3,
    });
  });
  it('tells what is seen once the window is full', () => {
    const { saw, near, code } = standing([same, same, same])['snapshot-repeat']!;
    expect([near, code]).toEqual([3, 'loop.snapshot-repeat']);
    expect(saw).toContain('iterations 1 to 3');
  });
  it('leaves out those that are off, and follows their own windows', () => {
    const off = { detectors: { enabled: true, 'snapshot-repeat': { enabled: false }, stall: { window: 7 } } };
    const all = standing([same, same, same], off);
    expect(all['snapshot-repeat']).toMatchObject({ isOn: false, saw: null, near: 0 });
    expect(all['stall']!.window).toBe(7);
  });
  it('is silent before the first iteration', () => {
    expect(watches(specOf({}), []).every((one) => one.saw === null && one.near === 0)).toBe(true);
  });
});
