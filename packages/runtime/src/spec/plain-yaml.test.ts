import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { readPlainYaml } from './plain-yaml.ts';

/** What the whole language makes of a text; undefined where it refuses it. */
function wholly(text: string): unknown {
  try {
    return parse(text, { uniqueKeys: true, logLevel: 'silent' }) as unknown;
  } catch {
    return undefined;
  }
}

const oddWords = fc.constantFrom(
  ...[
    ['a', 'b2', 'true', 'false', 'null', 'yes', 'No', '~', '0', '7', '010', '0x1', '1e3', '-1', '1.5', ''],
    ['"x"', "'y'", '"a, b"', "'it''s'", '"\\n"', '"a" b', 'a: b', 'a:', ':a', 'a #b', 'a#b', '# c', '*x'],
    ['[]', '[a, b]', '[a, [b]]', '[a b, "c"]', '[a,]', '{}', '{a: b}', '{a: 1, a: 2}', '{a: b, c: [d]}'],
    ['&x a', '!!str 1', '|', '>-', '- a', '? a', '@a', '%a', '`a', 'a\tb', 'é ü', 'true story', '2001-01-01'],
    ['{a}', '[a: b]', '{"a": 1}', 'src/**/*.ts', '[src/**, x*]', '.nan', '.inf', 'a, b', 'a]', '---', '...'],
  ].flat(),
);
const words = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.constantFrom('a', 'Do it, well.', '7', 'true', '"x: y"', '[]', '[a, b1]', '{a: 1}'),
  },
  { weight: 1, arbitrary: oddWords },
);
const oddKeys = fc.constantFrom(
  'a',
  'b',
  'items',
  'id',
  'x-1',
  'a.b',
  'true',
  'null',
  '1',
  '"a"',
  '<<',
  '__proto__',
);
const key = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom('a', 'b', 'c', 'd', 'items', 'x-1') },
  { weight: 1, arbitrary: oddKeys },
);
const line = fc
  .record({
    indent: fc.integer({ min: 0, max: 5 }),
    dash: fc.constantFrom('', '', '- ', '-  ', '-'),
    key,
    words,
    form: fc.nat(4),
  })
  .map(({ indent, dash, key: name, words: value, form }) => {
    const pad = ' '.repeat(indent);
    if (form === 0) return `${pad}${dash}${value}`;
    if (form === 1) return `${pad}${dash}${name}:`;
    return `${pad}${dash}${name}: ${value}`;
  });

/** Texts that a person might write: well indented ones, so that the plain part is met often. */
const block: fc.Arbitrary<string[]> = fc.letrec<{ block: string[] }>((tie) => ({
  block: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.array(
      fc.tuple(key, words).map(([name, value]) => `${name}: ${value}`),
      { minLength: 1, maxLength: 3 },
    ),
    fc.array(
      words.map((value) => `- ${value}`),
      { minLength: 1, maxLength: 3 },
    ),
    fc
      .tuple(key, tie('block'), fc.constantFrom('', ' ', '  '))
      .map(([name, inside, pad]) => [`${name}:`, ...inside.map((one) => pad + one)]),
    fc
      .array(tie('block'), { minLength: 1, maxLength: 2 })
      .map((all) => all.flatMap((inside) => inside.map((one, at) => `${at === 0 ? '- ' : '  '}${one}`))),
    fc.tuple(tie('block'), tie('block')).map(([one, other]) => [...one, ...other]),
  ),
})).block;

describe('the plain part of YAML', () => {
  it('means what the whole language means, or is left to it', () => {
    let read = 0;
    const texts = fc.oneof(block, fc.array(line, { maxLength: 5 })).map((lines) => lines.join('\n'));
    fc.assert(
      fc.property(texts, (text) => {
        const plain = readPlainYaml(text);
        if (plain === undefined) return;
        read += 1;
        expect(plain).toEqual(wholly(text));
      }),
      { numRuns: 4_000 },
    );
    expect(read).toBeGreaterThan(100);
  });
  it('has what a plan is made of', () => {
    const text = [
      '# a plan',
      'title: A small one',
      'gates: {t: "npm test"}',
      'limits:',
      '  session: 20',
      '',
      'items:',
      '  - id: a',
      "    task: 'Do it, well.'",
      '    dependsOn: []',
      '  - id: b',
      '    task: Then this; and that.',
      '    dependsOn: [a]',
      '    paths: [src/**, docs]',
      '    parts:',
      '    - id: c',
      '      done: true',
    ].join('\n');
    expect(readPlainYaml(text)).toEqual(parse(text));
    expect(readPlainYaml(text)).toMatchObject({ items: [{ id: 'a' }, { id: 'b', parts: [{ done: true }] }] });
  });
  it.each([
    'a: |\n  text',
    'a: b\n  c',
    'a: &x 1',
    'a: b # c',
    '---\na: 1',
    'a: 1\na: 2',
    'a: b: c',
    'a:\n',
    '- a',
  ])('leaves %j to the whole language', (text) => {
    expect(readPlainYaml(text)).toBeUndefined();
  });
});
