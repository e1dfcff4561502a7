import { nested, olderCiOptions, olderGateOptions, olderKinds } from '../aliases/gate.ts';
import { olderLimits } from '../aliases/limits.ts';
import { idleOptions, olderOptions } from '../aliases/strategy.ts';
import { gateKinds } from '../spec.ts';
import { common } from '../spec/gates/common.ts';
import { toldBy } from '../spec/gates/index.ts';
import { type JsonSchema, kindOf, variantsOf } from './short-forms.ts';

const older = (now: string, schema: JsonSchema = {}): JsonSchema => {
  const { default: _, ...rest } = schema;
  return { ...rest, deprecated: true, description: `An older name of ${now}.` };
};

const number = { type: 'number', exclusiveMinimum: 0 } as const;
const propertiesOf = (schema: JsonSchema): Record<string, JsonSchema> =>
  schema.properties as Record<string, JsonSchema>;

/** Lets the limits, here or at the top of the file, be called as they were. */
export function addOlderLimits(target: JsonSchema, limits: JsonSchema): void {
  for (const [old, { now, unit }] of Object.entries(olderLimits)) {
    const schema = unit ? { anyOf: [number, { type: 'null' as const }] } : propertiesOf(limits)[now]!;
    propertiesOf(target)[old] = older(`limits.${now}`, schema);
  }
}

/** Lets the options of one strategy be called as they were. */
export function addOlderOptions(strategy: JsonSchema): void {
  const properties = propertiesOf(strategy);
  const kind = kindOf(strategy);
  const before = Object.keys(properties);
  for (const [old, now] of Object.entries(olderOptions))
    if (before.includes(now) && !before.includes(old)) properties[old] = older(now, properties[now]);
  if (kind === 'adaptive') properties['mode'] = orKind(properties['mode']!, kind);
  const most = { fixed: 'iterations', hybrid: 'base and bonus together', ralph: 'max', custom: 'max' }[
    kind ?? ''
  ];
  if (most) properties['maxIterations'] = older(most, { type: 'integer', minimum: 1 });
  if (kind === 'ralph') properties['convergenceThreshold'] = older('similarityThreshold', share);
  if (kind === 'hybrid') {
    properties['requireCI'] = older('the criterion ci-pass', { type: 'boolean' });
    for (const name of ['criteria', 'completionCriteria'])
      properties[name] = withUnderscores(properties[name]!);
  }
  if (kind !== 'ralph') properties['loopDetection'] = older('detectors.enabled', { type: 'boolean' });
  properties['stateDir'] = older('stateDir of the spec', { type: 'string' });
  for (const [idle, why] of Object.entries(idleOptions))
    properties[idle] = { deprecated: true, description: `Left out: ${why}.` };
  // Without a name the options are those of the strategy that runs by default.
  const needed = strategy.required?.filter((name) => name !== 'kind' || kind !== 'hybrid') ?? [];
  strategy.required = [];
  const each = needed.map((now) => ({ anyOf: namesOf(now).map((name) => ({ required: [name] })) }));
  // An empty list is no valid schema.
  if (each.length > 0) strategy.allOf = each;
}

/** Without its kind, a mode is what the strategy was called by. */
function orKind({ description, default: usual, ...mode }: JsonSchema, kind: string): JsonSchema {
  return {
    ...(description && { description }),
    default: usual,
    anyOf: [mode, older('kind', { const: kind })],
  };
}

const namesOf = (now: string): string[] => [
  now,
  ...Object.keys(olderOptions).filter((old) => olderOptions[old] === now),
];

const share = { type: 'number', minimum: 0, maximum: 1 } as const;

function withUnderscores(criteria: JsonSchema): JsonSchema {
  const items = criteria.items as JsonSchema;
  const names = (items.enum as string[]) ?? [];
  const others = names.flatMap((name) => [
    name.replaceAll('-', '_'),
    name.replaceAll('-', '_').toUpperCase(),
  ]);
  return { ...criteria, items: { anyOf: [{ ...items }, { enum: others, deprecated: true }] } };
}

const toldOfAgents = [
  ['run', 'command'],
  ['script', 'scripted'],
] as const;

/** A gate or an agent without its kind, where its options tell it. */
export function tellKind(gate: JsonSchema): void {
  const kind = kindOf(gate)!;
  const telling = [...toldBy, ...toldOfAgents].filter(([, told]) => told === kind).map(([option]) => option);
  const needed = gate.required?.filter((name) => name !== 'kind') ?? [];
  gate.required = needed;
  if (!telling.some((option) => needed.includes(option)))
    gate.anyOf = ['kind', ...telling].map((name) => ({ required: [name] }));
}

/** What failing, passing and conditions could also be written as, beside what they are today. */
export function olderGroups(defs: Record<string, JsonSchema>): Record<string, JsonSchema> {
  return Object.fromEntries(
    Object.entries(nested).flatMap(([name, inner]) => {
      if (!inner) return [];
      const options = Object.entries(inner).map(([old, now]) => [old, defs[`gate.${now}`]!]);
      const group: JsonSchema = {
        type: 'object',
        properties: Object.fromEntries(options),
        additionalProperties: false,
        deprecated: true,
      };
      const today = defs[`gate.${name}`];
      const { description, default: otherwise, ...plain } = today ?? {};
      const about = {
        ...(description ? { description } : {}),
        ...(otherwise === undefined ? {} : { default: otherwise }),
      };
      return [[`gate.${name}`, today ? { ...about, anyOf: [plain, group] } : group]];
    }),
  );
}

/** A gate as older designs wrote it, alone or in a list: what it checks in a group of its own, or by a type. */
export function olderGate(names: readonly string[]): JsonSchema {
  const types = ['custom', ...Object.keys(olderKinds), ...gateKinds];
  const check: JsonSchema = {
    anyOf: [{ $ref: '#/$defs/command' }, { type: 'object', properties: { type: { enum: types } } }],
  };
  const free = [
    ...names,
    ...Object.keys(olderGateOptions),
    ...Object.keys(olderCiOptions),
    'value',
    'levels',
  ];
  return {
    type: 'object',
    deprecated: true,
    properties: { ...Object.fromEntries(free.map((name) => [name, optionOf(name)])), check },
    additionalProperties: false,
  };
}

/** Common options keep their form; the rest depends on a kind that is written elsewhere. */
const optionOf = (name: string): JsonSchema =>
  name in common || name in nested ? { $ref: `#/$defs/gate.${name}` } : {};

/** The items of a checklist, as the older forms wrote them. */
export function addOlderChecks(defs: Record<string, JsonSchema>): void {
  const { checks } = defs;
  const item = checks?.items as JsonSchema | undefined;
  if (!checks || !item) return;
  const properties = propertiesOf(item);
  for (const [now, ...names] of [
    ['all_of', 'allOf', 'group'],
    ['any_of', 'anyOf'],
    ['not_command', 'notCommand', 'not-command'],
    ['not_file', 'notFile', 'not-file'],
  ] as const)
    for (const old of names) if (properties[now]) properties[old] = older(now, properties[now]);
  const typed = ['type', 'check'].map((name) => ({ required: [name] }));
  checks.items = { anyOf: [item, { type: 'object', anyOf: typed, deprecated: true }] };
  const quality = variantsOf(properties['quality'] ?? {}).find(({ type }) => type === 'object');
  if (!quality) return;
  Object.assign(propertiesOf(quality), {
    rubric: older('criteria'),
    pass_threshold: older('threshold', { type: 'number' }),
  });
  quality.required = [];
  quality.anyOf = ['criteria', 'rubric'].map((name) => ({ required: [name] }));
}
