import * as z from 'zod';
import { Count, Duration, Money, Share } from '../quantity.ts';
import { SpecFile } from '../spec.ts';
import { agentOptions, PlainAgent } from '../spec/agents.ts';
import { common } from '../spec/gates/common.ts';
import { size } from '../spec/gates/matching.ts';
import { isRecord, command, list } from '../spec/words.ts';
import { type JsonSchema, shortForms } from './short-forms.ts';

/** What is used in many places stands once, under `$defs`. */
const named = z.registry<{ id: string }>();
for (const [id, schema] of Object.entries({
  command,
  paths: list,
  duration: Duration,
  money: Money,
  count: Count,
  share: Share,
}))
  named.add(schema, { id });
for (const [id, schema] of Object.entries(common)) named.add(schema, { id: `gate.${id}` });
for (const [id, schema] of Object.entries(agentOptions)) named.add(schema, { id: `agent.${id}` });
named.add(PlainAgent, { id: 'otherAgent' });

const part = String.raw`\d+(\.\d+)?\s*(ms|s|m|h|d)`;
const quantities = new Map<z.core.$ZodType, JsonSchema>([
  [Duration, { type: 'string', pattern: String.raw`^\s*(${part}\s*)+$`, examples: ['90s', '5m', '1h30m'] }],
  [Money, { type: ['number', 'string'], examples: ['5usd', '$2.50'] }],
  [Share, { type: ['number', 'string'], examples: ['80%'] }],
  [size, { type: 'string', examples: ['500KB', '10MB'] }],
  [Count, { type: ['number', 'string'], examples: [200_000, '500k', '2M'] }],
]);

/** The schema of the flat form as zod knows it, with the short forms beside the long ones. */
export function generateFlat(): JsonSchema {
  const schema = z.toJSONSchema(SpecFile, {
    io: 'input',
    target: 'draft-2020-12',
    unrepresentable: 'any',
    metadata: named,
    override: ({ zodSchema, jsonSchema }) => {
      const { id } = jsonSchema;
      const quantity = quantities.get(zodSchema);
      if (quantity) replace(jsonSchema, { ...quantity, ...(id ? { id } : {}) });
      const inner = defaultOf(zodSchema);
      if (inner) jsonSchema.default ??= writtenAs(inner.of, inner.value) as typeof jsonSchema.default;
      if (jsonSchema.default === undefined) delete jsonSchema.default;
      const short = shortForms(zodSchema, jsonSchema);
      if (short.length > 0) replace(jsonSchema, { anyOf: [...short, { ...jsonSchema }] });
    },
  });
  return anyJson(schema as JsonSchema);
}

/** A field with a default: what it is a default of, and its value after reading. */
function defaultOf(zodSchema: z.core.$ZodType): { of: z.core.$ZodType; value: unknown } | null {
  const def = zodSchema._zod.def as { type: string; innerType?: z.core.$ZodType; defaultValue?: unknown };
  return def.type === 'default' && def.innerType ? { of: def.innerType, value: def.defaultValue } : null;
}

/** How a person would write a default: units come back, and what is a value after reading may also be one before. */
function writtenAs(of: z.core.$ZodType, value: unknown): unknown {
  if (of === Duration) return durationText(value as number);
  if (of === size) return `${(value as number) / 2 ** 20}MB`;
  return z.safeParse(of, value).success ? value : undefined;
}

/** Milliseconds in the largest unit that divides them, as a person would write them. */
function durationText(ms: number): string {
  const units = [
    ['d', 86_400_000],
    ['h', 3_600_000],
    ['m', 60_000],
    ['s', 1_000],
  ] as const;
  const unit = units.find(([, size]) => ms % size === 0);
  return unit ? `${ms / unit[1]}${unit[0]}` : `${ms}ms`;
}

/** The definition of "any JSON" by recursion says no more than an empty schema, and names nobody chose are not kept. */
function anyJson(schema: JsonSchema): JsonSchema {
  const defs = (schema.$defs ?? {}) as Record<string, JsonSchema>;
  const anything = Object.keys(defs).filter((name) =>
    (defs[name]!.anyOf as JsonSchema[] | undefined)?.some(({ type }) => type === 'null'),
  );
  const checks = Object.keys(defs).find((name) => name.startsWith('__') && !anything.includes(name));
  const visit = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(visit);
    if (!isRecord(value)) return value;
    const ref = typeof value['$ref'] === 'string' ? value['$ref'].replace('#/$defs/', '') : '';
    if (anything.includes(ref)) return {};
    const { id: _, ...rest } = value;
    return Object.fromEntries(
      Object.entries(typeof value['id'] === 'string' ? rest : value)
        .filter(([key]) => !anything.includes(key))
        .map(([key, one]) => [
          key === checks ? 'checks' : key,
          key === '$ref' && ref === checks ? '#/$defs/checks' : visit(one),
        ]),
    );
  };
  return visit(schema) as JsonSchema;
}

function replace(target: JsonSchema, by: JsonSchema): void {
  for (const key of Object.keys(target)) delete (target as Record<string, unknown>)[key];
  Object.assign(target, by);
}
