import { describe, expect, it } from 'vitest';
import { SpecLayers } from './layers.ts';

const stack = (...values: unknown[]) => {
  const layers = new SpecLayers<number>();
  values.forEach((value, at) => layers.add(at, value));
  return layers;
};

describe('specs upon each other', () => {
  it.each<[string, unknown[], unknown]>([
    [
      'groups are merged',
      [{ limits: { iterations: 3, cost: 5 } }, { limits: { iterations: 4 } }],
      { limits: { iterations: 4, cost: 5 } },
    ],
    [
      'lists are replaced',
      [{ workspace: { exclude: ['a', 'b'] } }, { workspace: { exclude: ['c'] } }],
      { workspace: { exclude: ['c'] } },
    ],
    [
      'a group reaches into a short form',
      [
        { strategy: 'ralph', gates: { t: 'npm test', u: ['x'] }, stuck: 'off', detectors: { stall: false } },
        {
          strategy: { max: 3 },
          gates: { t: { timeout: '5m' }, u: { severity: 'soft' } },
          stuck: { patience: 4 },
          detectors: { stall: { window: 4 } },
        },
      ],
      {
        strategy: { kind: 'ralph', max: 3 },
        gates: { t: { run: 'npm test', timeout: '5m' }, u: { run: ['x'], severity: 'soft' } },
        stuck: { moves: [], patience: 4 },
        detectors: { stall: { enabled: false, window: 4 } },
      },
    ],
    [
      'a short form replaces a group',
      [{ strategy: { kind: 'ralph', max: 3 } }, { strategy: 'ralph' }],
      { strategy: 'ralph' },
    ],
    [
      'another kind replaces a group',
      [
        { strategy: { kind: 'hybrid', base: 3 }, gates: { t: { run: 'x' } }, agent: { script: 'a' } },
        { strategy: { kind: 'ralph' }, gates: { t: { exists: 'y' } }, agent: { run: 'b' } },
      ],
      { strategy: { kind: 'ralph' }, gates: { t: { exists: 'y' } }, agent: { run: 'b' } },
    ],
    [
      'one answer of several is not mixed with another',
      [{ gates: { t: { run: 'x', feedback: { text: 'a' } } } }, { gates: { t: { feedback: { run: 'b' } } } }],
      { gates: { t: { run: 'x', feedback: { run: 'b' } } } },
    ],
  ])('%s', (_name, values, expected) => expect(stack(...values).value).toEqual(expected));

  it('know whose each value is', () => {
    const layers = stack(
      { limits: { iterations: 3, cost: 5 }, gates: { t: { run: 'x' } } },
      { limits: { iterations: 4 } },
      { gates: { t: { timeout: '5m' } }, task: 'go' },
    );
    expect(layers.ownerOf(['limits', 'cost'])).toBe(0);
    expect(layers.ownerOf(['limits', 'iterations'])).toBe(1);
    expect(layers.ownerOf(['limits', 'unknown'])).toBe(1);
    expect(layers.ownerOf(['gates', 't', 'run'])).toBe(0);
    expect(layers.ownerOf(['gates', 't', 'timeout'])).toBe(2);
    expect(layers.ownerOf(['task'])).toBe(2);
  });
  it('let a flag set a value whole, and blame it for nothing else', () => {
    const layers = new SpecLayers<string>();
    layers.add('file', { gates: { t: { run: 'x', timeout: '5m' } } });
    layers.add('--gate', { gates: { t: { run: 'y' } } }, 2);
    expect(layers.value).toEqual({ gates: { t: { run: 'y' } } });
    expect(layers.ownerOf(['gates', 't', 'run'])).toBe('--gate');
    expect(layers.ownerOf(['agent'])).toBe('file');
    expect(new SpecLayers().ownerOf(['agent'])).toBeUndefined();
  });
  it('are looked into, also through a short form', () => {
    const layers = stack({ stuck: 'off', strategy: 'ralph', limits: { cost: 5 } });
    expect(layers.at(['stuck', 'moves'])).toEqual([]);
    expect(layers.at(['strategy', 'kind'])).toBe('ralph');
    expect(layers.at(['limits', 'cost'])).toBe(5);
    expect(layers.at(['limits', 'cost', 'more'])).toBeUndefined();
  });
  it('take a name such as __proto__ for a name', () => {
    const layers = stack(JSON.parse('{"gates": {"__proto__": {"run": "x"}}}'), {
      gates: { t: { run: 'y' } },
    });
    expect(Object.keys((layers.value as { gates: object }).gates)).toEqual(['__proto__', 't']);
    expect(({} as { run?: string }).run).toBeUndefined();
  });
});

describe('a group reaches into the short form of', () => {
  it.each<[string, object, object, object]>([
    ['a strategy', { strategy: 'ralph' }, { strategy: { max: 3 } }, { strategy: { kind: 'ralph', max: 3 } }],
    ['an agent', { agent: ['a'] }, { agent: { timeout: '1m' } }, { agent: { run: ['a'], timeout: '1m' } }],
    ['the ladder', { stuck: false }, { stuck: { patience: 3 } }, { stuck: { moves: [], patience: 3 } }],
    ['delivery', { deliver: 'branch' }, { deliver: { on: 'any' } }, { deliver: { as: 'branch', on: 'any' } }],
    ['a command to tell', { notify: 'a' }, { notify: { on: [] } }, { notify: { run: 'a', on: [] } }],
    ['words to tell', { notify: ['a'] }, { notify: { on: [] } }, { notify: { run: ['a'], on: [] } }],
  ])('%s', (_name, below, upper, expected) => expect(stack(below, upper).value).toEqual(expected));
  it.each<[string, object, object]>([
    ['a wrong strategy', { strategy: 3 }, { strategy: { max: 3 } }],
    ['a wrong agent', { agent: 'a' }, { agent: { timeout: '1m' } }],
    ['a wrong ladder', { stuck: 'on' }, { stuck: { patience: 3 } }],
    ['a wrong gate', { gates: { t: 3 } }, { gates: { t: { timeout: '1m' } } }],
    ['a wrong detector', { detectors: { stall: 'x' } }, { detectors: { stall: { window: 3 } } }],
    ['a wrong group of gates', { gates: 'x' }, { gates: { t: 'x' } }],
    ['something deeper', { gates: { t: { start: 'x' } } }, { gates: { t: { start: { ready: 'y' } } } }],
    ['a task', { task: { file: 'a' } }, { task: { text: 'b' } }],
    ['a report', { gates: { t: { report: { path: 'a' } } } }, { gates: { t: { report: { format: 'b' } } } }],
  ])('nothing: %s is replaced', (_name, below, upper) => expect(stack(below, upper).value).toEqual(upper));
});

describe('names that mean something elsewhere', () => {
  it('are names of gates here', () => {
    const layers = stack({ gates: { tests: 'a', run: 'b' } }, { gates: { items: 'c', url: 'd' } });
    expect(layers.value).toEqual({ gates: { tests: 'a', run: 'b', items: 'c', url: 'd' } });
  });
  it('are names of nothing where nobody knows them', () => {
    const odd = { constructor: { a: 1 }, toString: { b: 2 } };
    expect(stack(odd, { constructor: { c: 3 } }).value).toEqual({
      constructor: { a: 1, c: 3 },
      toString: { b: 2 },
    });
  });
  it('keep a group whose kind is not told', () => {
    const layers = stack({ gates: { t: { timeout: '1m' } } }, { gates: { t: { exists: 'x' } } });
    expect(layers.value).toEqual({ gates: { t: { timeout: '1m', exists: 'x' } } });
  });
});
