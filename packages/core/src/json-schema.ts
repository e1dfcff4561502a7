import { describe } from './json-schema/descriptions.ts';
import { generateFlat } from './json-schema/generate.ts';
import { type GateSchemas, widenGates } from './json-schema/gates.ts';
import { addOlderChecks, addOlderLimits, addOlderOptions, tellKind } from './json-schema/older.ts';
import { goal, resourceSchema } from './json-schema/resource.ts';
import { type JsonSchema, variantsOf } from './json-schema/short-forms.ts';

export type { JsonSchema } from './json-schema/short-forms.ts';

/** The JSON Schema of everything `parseSpec` reads: short and long forms, older names, the resource form. */
export function specJsonSchema(): JsonSchema {
  const flat = generateFlat();
  describe(flat);
  const { $defs, $schema, ...top } = flat;
  const properties = top.properties as Record<string, JsonSchema>;
  const { limits, strategy, agent } = properties as Record<'limits' | 'strategy' | 'agent', JsonSchema>;
  const { gates, part } = widenGates(properties['gates']!, $defs as Record<string, JsonSchema>);
  for (const one of variantsOf(agent.anyOf!.at(-1) as JsonSchema)) tellKind(one);
  for (const one of variantsOf(strategy.anyOf!.at(-1) as JsonSchema)) addOlderOptions(one);
  addOlderLimits(limits, limits);
  addOlderChecks($defs as Record<string, JsonSchema>);
  const shared = { agent, strategy, limits, gates };
  for (const name of Object.keys(shared)) properties[name] = ref(name);
  const extending: JsonSchema = {
    anyOf: [
      { type: 'string', pattern: String.raw`\S` },
      { type: 'array', items: { type: 'string', pattern: String.raw`\S` } },
    ],
    description: 'The profiles this spec builds upon, by name; later ones win.',
  };
  properties['extends'] = extending;
  const resource = resourceSchema(properties, deliverOptions(properties['deliver']!));
  addOlderTop(properties, limits);
  return {
    $schema,
    title: 'AgentGate',
    description:
      'What to do, who does it, and what proves that it is done. Task, agent and gates may also come from a profile or from flags.',
    type: 'object',
    if: {
      anyOf: [
        { required: ['apiVersion'] },
        { required: ['kind'], properties: { kind: { const: 'TaskSpec' } } },
        { required: ['metadata', 'spec'] },
      ],
    },
    // A word of JSON Schema; nobody awaits this object.
    // oxlint-disable-next-line unicorn/no-thenable
    then: ref('resource'),
    else: ref('flat'),
    $defs: { ...($defs as object), ...shared, flat: flatSchema(top, properties, part), resource },
  } as JsonSchema;
}

const ref = (name: string): JsonSchema => ({ $ref: `#/$defs/${name}` });

/** The flat form. Upon a profile, groups may be parts of what the profile says. */
function flatSchema(
  top: JsonSchema,
  properties: Record<string, JsonSchema>,
  part: GateSchemas['part'],
): JsonSchema {
  const group: JsonSchema = { type: 'object' };
  const upon = {
    agent: { anyOf: [ref('agent'), group] },
    strategy: { anyOf: [ref('strategy'), group] },
    gates: { anyOf: [ref('gates'), { ...group, additionalProperties: { anyOf: [ref('command'), part] } }] },
  };
  const alone = Object.fromEntries(Object.keys(upon).map((name) => [name, ref(name)]));
  const open = Object.fromEntries(Object.keys(upon).map((name) => [name, {}]));
  return {
    ...top,
    properties: { ...properties, ...open },
    required: [],
    if: { required: ['extends'] },
    // Words of JSON Schema; nobody awaits this object.
    // oxlint-disable-next-line unicorn/no-thenable
    then: { properties: upon },
    else: { properties: alone },
  } as JsonSchema;
}

function deliverOptions(deliver: JsonSchema): Record<string, JsonSchema> {
  const group = variantsOf(deliver).find(({ type }) => type === 'object');
  return (group?.properties ?? {}) as Record<string, JsonSchema>;
}

function addOlderTop(properties: Record<string, JsonSchema>, limits: JsonSchema): void {
  const older = (now: string, schema: JsonSchema) => ({
    ...schema,
    deprecated: true,
    description: `An older name of ${now}.`,
  });
  properties['$schema'] = { type: 'string', description: 'The address of this schema, for editors.' };
  for (const name of ['mode', 'loopStrategy'])
    properties[name] = older('strategy', { $ref: '#/$defs/strategy' });
  properties['prompt'] = older('task', { type: 'string' });
  properties['goal'] = older('task', { anyOf: [{ type: 'string' }, goal] });
  addOlderLimits({ properties } as JsonSchema, limits);
}
