import { deliveryOptions, gitOptions } from '../aliases/delivery.ts';
import { apiVersion, convergenceOptions, executionOptions, resourceKind } from '../aliases/resource.ts';
import type { JsonSchema } from './short-forms.ts';

const text = { type: 'string', pattern: String.raw`\S` } as const;
const texts = { type: 'object', additionalProperties: { type: 'string' } } as const;
const flag = { type: 'boolean' } as const;

const group = (properties: Record<string, JsonSchema>, required: string[] = []): JsonSchema => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
});

const pick = (names: readonly string[], from: Record<string, JsonSchema>): Record<string, JsonSchema> =>
  Object.fromEntries(names.map((name) => [name, from[name] ?? {}]));

/** What a goal says, in a resource or at the top of a flat spec. */
export const goal = group(
  {
    prompt: text,
    context: text,
    desiredState: group({ allGatesPassed: flag, specificGates: { type: 'array', items: text, minItems: 1 } }),
  },
  ['prompt'],
);

/** The resource form, made of the same parts as the flat one. */
export function resourceSchema(
  flat: Record<string, JsonSchema>,
  deliver: Record<string, JsonSchema>,
): JsonSchema {
  const workspace = flat['workspace'] as JsonSchema;
  const execution = pick(executionOptions, {
    ...flat,
    sandbox: {},
    workspace: { ...workspace, properties: { ...workspace.properties, source: {} } } as JsonSchema,
  });
  const git = pick(gitOptions, {
    ...deliver,
    mode: { enum: ['local', 'github-pr'] },
    autoCommit: flag,
    autoPush: { const: false },
  });
  return group(
    {
      $schema: { type: 'string' },
      extends: flat['extends']!,
      apiVersion: { const: apiVersion },
      kind: { const: resourceKind },
      metadata: group(
        { name: { ...text, maxLength: 128 }, namespace: text, labels: texts, annotations: texts },
        ['name'],
      ),
      spec: group({
        goal,
        convergence: group(pick(convergenceOptions, { ...flat, config: { type: 'object' } })),
        execution: group(execution),
        delivery: group(pick(deliveryOptions, { ...deliver, notify: flat['notify']!, git: group(git) })),
      }),
    },
    ['apiVersion', 'kind', 'metadata', 'spec'],
  );
}
