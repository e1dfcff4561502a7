import { describe, expect, test } from 'vitest';
import { readJsonSchema } from './json-schema.ts';

const check = (schema: unknown, value: unknown): string[] => {
  const read = readJsonSchema(schema);
  return read.kind === 'schema' ? read.problemsOf(value) : [`unusable: ${read.problem}`];
};

describe('a value', () => {
  test.each<[unknown, unknown, (string | RegExp)[]]>([
    [{ type: 'object', required: ['a'] }, { a: 1 }, []],
    [{ type: 'object', required: ['a'] }, {}, [/the whole: .*required property "a"/]],
    [{ properties: { a: { type: 'string' } } }, { a: 1 }, [/^\/a: Instance type "number" is invalid/]],
    [{ additionalProperties: false, properties: { a: true } }, { a: 1, b: 2 }, [/^\/b: /]],
    [{ items: { $ref: '#/$defs/n' }, $defs: { n: { minimum: 3 } } }, [3, 4], []],
    [{ items: { $ref: '#/$defs/n' }, $defs: { n: { minimum: 3 } } }, [3, 1], [/^\/1: 1 is less than 3/]],
    [{ format: 'email' }, 'no', [/format "email"/]],
    [{ $schema: 'http://json-schema.org/draft-07/schema#', const: { a: [1] } }, { a: [1] }, []],
    [{ anyOf: [{ type: 'string' }, { type: 'number' }] }, true, [/./, /./, /./]],
    [true, 1, []],
    [false, 1, [/False boolean/]],
  ])('%j against %j', (schema, value, expected) => {
    const problems = check(schema, value);
    expect(problems).toHaveLength(expected.length);
    expected.forEach((one, at) => expect(problems[at]).toMatch(one));
  });

  test('that takes for ever is not passed', () => {
    expect(check({ pattern: '^(a+)+$' }, `${'a'.repeat(60)}!`)).toEqual([
      expect.stringContaining('takes too long'),
    ]);
  });
});

describe('a schema that would not be checked whole is unusable', () => {
  test.each<[unknown, RegExp]>([
    [[], /neither a group/],
    ['text', /neither a group/],
    [{ requried: ['a'] }, /the keyword requried at \/ is not known/],
    [{ properties: { a: { minLenght: 3 } } }, /minLenght at \/properties/],
    [{ $dynamicRef: '#x' }, /\$dynamicRef/],
    [{ format: 'zip-code' }, /the format zip-code/],
    [{ anyOf: [{ $ref: '#/$defs/none' }, true] }, /#\/\$defs\/none leads nowhere/],
    [{ $ref: 'https://example.org/other.json' }, /leads nowhere/],
    [{ $schema: 'http://json-schema.org/draft-03/schema#' }, /written for .*draft-03/],
    [{ pattern: '(' }, /[Rr]egular expression/],
    [{ allOf: [7] }, /\/allOf is no schema/],
  ])('%j', (schema, message) => {
    expect(check(schema, {})).toEqual([expect.stringMatching(message)]);
  });

  test('but notes of its author are welcome', () => {
    expect(check({ 'x-owner': 'me', title: 'T', examples: [{ requried: 1 }], default: {} }, 1)).toEqual([]);
  });
});
