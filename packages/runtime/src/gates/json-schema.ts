import { dereference, format, type Schema, type SchemaDraft, Validator } from '@cfworker/json-schema';
import { boundedCall } from './bounded-call.ts';

/** A schema that can be checked as a whole, or the reason why it cannot. */
export type JsonSchema =
  | { kind: 'schema'; problemsOf(value: unknown): string[] }
  | { kind: 'unusable'; problem: string };

const mostProblems = 5;

/**
 * Reads a JSON Schema. A keyword or a format that nobody would check makes it unusable, because a value must not
 * pass by a rule that was never looked at.
 */
export function readJsonSchema(source: unknown): JsonSchema {
  if (typeof source === 'boolean') return make(source);
  if (typeof source !== 'object' || source === null || Array.isArray(source)) {
    return { kind: 'unusable', problem: 'it is neither a group nor true or false' };
  }
  // The validator leaves its own notes in the schema.
  const schema = structuredClone(source) as Schema;
  const draft = draftOf(schema.$schema);
  if (draft === undefined) return { kind: 'unusable', problem: `it is written for ${schema.$schema}` };
  try {
    const problem = uncheckedIn(schema, '') ?? missingIn(schema);
    return problem === undefined ? make(schema, draft) : { kind: 'unusable', problem };
  } catch (error) {
    // The library answers a schema that contradicts itself by throwing.
    return { kind: 'unusable', problem: error instanceof Error ? error.message : String(error) };
  }
}

function make(schema: Schema | boolean, draft: SchemaDraft = '2020-12'): JsonSchema {
  const validator = new Validator(schema, draft, false);
  return { kind: 'schema', problemsOf: (value) => problemsOf(validator, value) };
}

function problemsOf(validator: Validator, value: unknown): string[] {
  const result = validate(validator, value);
  if (typeof result === 'string') return [result];
  if (result.valid) return [];
  const leaves = result.errors.filter(({ keyword }) => !holders.has(keyword));
  return [...new Set((leaves.length === 0 ? result.errors : leaves).map(sayError))].slice(0, mostProblems);
}

function validate(validator: Validator, value: unknown) {
  try {
    const result = boundedCall(() => validator.validate(value));
    return result === 'too-long'
      ? 'checking it takes too long; the schema may hold a pattern that never ends'
      : result;
  } catch (error) {
    // A value nested without end uses up the stack.
    return `it cannot be checked: ${error instanceof Error ? error.message : String(error)}`;
  }
}

function sayError({ instanceLocation, error }: { instanceLocation: string; error: string }): string {
  const place = instanceLocation.replace(/^#\/?/, '/');
  return `${place === '/' ? 'the whole' : place}: ${error.replace(/\.$/, '')}`;
}

function draftOf(name: unknown): SchemaDraft | undefined {
  if (name === undefined) return '2020-12';
  const [, version] =
    /^https?:\/\/json-schema\.org\/draft(?:-0|\/)(4|6|7|2019-09|2020-12)\/schema#?$/.exec(String(name)) ?? [];
  return version === '6' ? '7' : (version as SchemaDraft | undefined);
}

/** The first thing in a schema that would not be checked, with its place. */
function uncheckedIn(schema: unknown, at: string): string | undefined {
  if (typeof schema === 'boolean') return undefined;
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema))
    return `${at || '/'} is no schema`;
  for (const [key, value] of Object.entries(schema)) {
    const problem = isSubschema.has(key)
      ? uncheckedAmong(Array.isArray(value) ? value : [value], `${at}/${key}`)
      : isMap.has(key)
        ? uncheckedAmong(
            Object.values(Object(value)).filter((one) => !Array.isArray(one)),
            `${at}/${key}`,
          )
        : uncheckedKeyword(key, value, at);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function uncheckedAmong(schemas: readonly unknown[], at: string): string | undefined {
  for (const schema of schemas) {
    const problem = uncheckedIn(schema, at);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function uncheckedKeyword(key: string, value: unknown, at: string): string | undefined {
  if (key === 'format' && !Object.hasOwn(format, String(value)))
    return `the format ${String(value)} at ${at || '/'} is not known`;
  // A pattern that cannot be read answers by throwing.
  if (key === 'pattern') RegExp(String(value), 'u');
  return isKnown.has(key) || key.startsWith('x-')
    ? undefined
    : `the keyword ${key} at ${at || '/'} is not known`;
}

/** A reference that leads nowhere; the library would find it only when a value gets there. */
function missingIn(schema: Schema): string | undefined {
  const lookup = dereference(schema);
  for (const one of Object.values(lookup)) {
    if (typeof one === 'boolean') continue;
    const target: unknown = (one as { __absolute_ref__?: string }).__absolute_ref__;
    if (typeof target === 'string' && lookup[target] === undefined)
      return `the reference ${one.$ref} leads nowhere`;
  }
  return undefined;
}

const names = (text: string): Set<string> => new Set(text.split(/\s+/));
const isMap = names('$defs definitions properties patternProperties dependentSchemas dependencies');
const isSubschema = names(
  'items prefixItems additionalItems unevaluatedItems contains additionalProperties unevaluatedProperties propertyNames not if then else allOf anyOf oneOf contentSchema',
);
const isKnown = names(
  '$schema $id id $anchor $ref $recursiveRef $recursiveAnchor $vocabulary $comment title description default examples deprecated readOnly writeOnly contentMediaType contentEncoding type const enum required dependentRequired minProperties maxProperties minContains maxContains minItems maxItems uniqueItems minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minLength maxLength pattern format',
);
/** Errors that only say that one below them holds the reason. */
const holders = names(
  'properties patternProperties items prefixItems additionalItems $ref allOf additionalProperties if contains dependentSchemas',
);
