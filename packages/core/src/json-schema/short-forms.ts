import type * as z from 'zod';
import { isRecord } from '../spec/words.ts';

export type JsonSchema = z.core.JSONSchema.BaseSchema;

/** Values that a short form might begin with. */
const probes: readonly unknown[] = ['probe', ['probe'], true, false, 7, 'off', {}];

/**
 * The short forms that a field takes beside its long one. They live in functions, so each is found by asking: what
 * becomes of a bare text, list, switch or number? Where the answer holds it under a name, that option tells its form.
 */
export function shortForms(zodSchema: z.core.$ZodType, long: JsonSchema): JsonSchema[] {
  const widen = preprocessOf(zodSchema);
  if (!widen) return [];
  const changed = (probe: unknown) => !same(widen(probe), probe);
  const forms = probes.flatMap((probe) => {
    // A particular word says something only where not every text does.
    if (!changed(probe) || (probe === 'off' && changed('probe'))) return [];
    return formOf(probe, widen(probe), long, zodSchema);
  });
  return merged(forms);
}

/** The function in front of a schema, for a schema that was made with `z.preprocess`. */
function preprocessOf(zodSchema: z.core.$ZodType): ((value: unknown) => unknown) | null {
  const def = zodSchema._zod.def as { type: string; in?: z.core.$ZodType };
  const before = def.in?._zod.def as { type: string; transform?: unknown } | undefined;
  return def.type === 'pipe' && before?.type === 'transform'
    ? (before.transform as (value: unknown) => unknown)
    : null;
}

/** A schema, perhaps of several types, of which only these are meant. */
interface Form {
  schema: JsonSchema;
  type?: string;
}

function formOf(probe: unknown, made: unknown, long: JsonSchema, zodSchema: z.core.$ZodType): Form[] {
  if (Array.isArray(made)) return isRecord(long.items) ? [{ schema: long.items }] : [];
  if (!isRecord(made)) return [];
  const key = Object.keys(made).find((name) => same(made[name], probe));
  if (key === 'kind') return kindsAlone(long, zodSchema);
  const variants = variantsOf(long);
  const variant = variants.find((one) => kindOf(one) === made['kind']) ?? variants[0];
  const option = key === undefined ? undefined : (variant?.properties?.[key] as JsonSchema | undefined);
  if (option) return [{ schema: option, type: typeOf(probe) }];
  if (probe === 'off' || typeof probe === 'boolean') return [{ schema: { const: probe } }];
  return typeof probe === 'string' ? [{ schema: { type: 'string' } }] : [];
}

/** The kinds that need nothing but their name. */
function kindsAlone(long: JsonSchema, zodSchema: z.core.$ZodType): Form[] {
  const { out } = zodSchema._zod.def as { out?: z.ZodType };
  const names = variantsOf(long).flatMap((one) => kindOf(one) ?? []);
  const alone = names.filter((kind) => out?.safeParse({ kind }).success);
  return alone.length > 0 ? [{ schema: { type: 'string', enum: alone } }] : [];
}

/**
 * A text and a list that stand for one option are one form. What has no type of its own is narrowed to theirs. A
 * schema that is not filled in yet will be, so it is passed on itself and never copied.
 */
function merged(forms: readonly Form[]): JsonSchema[] {
  const schemas = [...new Set(forms.map(({ schema }) => schema))];
  return schemas.map((schema) => {
    const types = [...new Set(forms.flatMap((form) => (form.schema === schema ? (form.type ?? []) : [])))];
    if (types.length === 0) return schema;
    const type = types.length === 1 ? types[0] : types;
    if (Object.keys(schema).length === 0) return { type, allOf: [schema] } as JsonSchema;
    const { default: _, ...rest } = schema;
    return { type, ...rest } as JsonSchema;
  });
}

const typeOf = (probe: unknown): 'array' | 'string' | 'boolean' | 'number' =>
  Array.isArray(probe) ? 'array' : (typeof probe as 'string' | 'boolean' | 'number');

export const variantsOf = (schema: JsonSchema): JsonSchema[] =>
  ((schema.oneOf ?? schema.anyOf) as JsonSchema[] | undefined) ?? [schema];

export const kindOf = (schema: JsonSchema): string | undefined =>
  (schema.properties?.['kind'] as JsonSchema | undefined)?.const as string | undefined;

const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);
