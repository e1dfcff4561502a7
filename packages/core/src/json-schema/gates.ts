import { olderGate, olderGroups, tellKind } from './older.ts';
import { type JsonSchema, variantsOf } from './short-forms.ts';

/** The gates of a spec, and what a gate may be that is laid upon one of a profile. */
export interface GateSchemas {
  gates: JsonSchema;
  part: JsonSchema;
}

/** Gates by name or as a list, in today's form or in the older one, with their kind left out where it is plain. */
export function widenGates(generated: JsonSchema, defs: Record<string, JsonSchema>): GateSchemas {
  const gate = generated.additionalProperties as JsonSchema;
  const short = gate.anyOf!.slice(0, -1);
  const variants = variantsOf(gate.anyOf!.at(-1) as JsonSchema);
  const names = [...new Set(variants.flatMap((one) => Object.keys(one.properties!))), 'condition'];
  Object.assign(defs, olderGroups(defs));
  for (const one of variants) {
    tellKind(one);
    Object.assign(one.properties!, { condition: { $ref: '#/$defs/gate.condition' } });
  }
  const part = olderGate(names);
  const older = { ...part, anyOf: ['check', 'type', 'command'].map((name) => ({ required: [name] })) };
  const { description, ...byName } = generated;
  const gates = {
    ...(description ? { description } : {}),
    anyOf: [
      {
        ...byName,
        minProperties: 1,
        propertyNames: { pattern: String.raw`^[\p{L}\p{N}][\p{L}\p{N} ._:-]{0,63}$` },
        additionalProperties: { anyOf: [...short, ...variants, older] },
      },
      {
        type: 'array',
        minItems: 1,
        items: { ...part, properties: { name: { type: 'string' }, ...part.properties }, required: ['name'] },
        deprecated: true,
      },
    ],
  };
  return { gates: gates as JsonSchema, part };
}
