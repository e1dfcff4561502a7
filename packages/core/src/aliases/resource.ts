import * as z from 'zod';
import { show, showPath } from '../parse-spec/problem.ts';
import { isRecord, strict, text } from '../spec/words.ts';
import { readDelivery } from './delivery.ts';
import { Group } from './group.ts';
import type { Reading } from './reading.ts';

const labels = z.record(z.string(), z.string({ error: () => 'a text' }), { error: () => 'texts by name' });

/** What a resource says about itself. */
export const Metadata = strict({
  name: text('a name of 1 to 128 characters').max(128, { error: () => 'a name of 1 to 128 characters' }),
  namespace: text('a name').optional(),
  labels: labels.optional(),
  annotations: labels.optional(),
});
export type SpecMetadata = z.output<typeof Metadata>;

export const apiVersion = 'agentgate.io/v1';
export const resourceKind = 'TaskSpec';

/** What stands in the parts of a resource, and where it belongs in the flat form. */
export const convergenceOptions = ['strategy', 'config', 'gates', 'limits', 'detectors', 'stuck', 'feedback'];
export const executionOptions = ['agent', 'workspace', 'sandbox', 'stateDir', 'integrity'];

export const isResource = (value: Record<string, unknown>): boolean =>
  'apiVersion' in value || value['kind'] === resourceKind || ('metadata' in value && 'spec' in value);

/** Where the options of the flat form stand in a resource, for those that are missing. */
export const resourcePlaces: readonly (readonly [string, readonly string[]])[] = [
  ['task', ['spec', 'goal', 'prompt']],
  ['gates', ['spec', 'convergence', 'gates']],
  ['agent', ['spec', 'execution', 'agent']],
];

/** The resource form (`apiVersion`, `kind`, `metadata`, `spec`) as one flat group. */
export function readResource(reading: Reading, value: Record<string, unknown>): Group {
  const resource = new Group([], value);
  const flat = new Group([]);
  reading.only(resource, ['apiVersion', 'kind', 'metadata', 'spec']);
  expectWord(reading, resource, 'apiVersion', apiVersion);
  expectWord(reading, resource, 'kind', resourceKind);
  const spec = resource.open('spec');
  if (!spec) {
    reading.problem(['spec'], 'missing: expected goal, convergence, execution and delivery');
    return flat;
  }
  reading.only(spec, ['goal', 'convergence', 'execution', 'delivery']);
  const goal = spec.get('goal');
  if (goal) flat.put('goal', goal);
  readConvergence(reading, spec, flat);
  readExecution(reading, spec, flat);
  const delivery = part(reading, spec, 'delivery');
  if (delivery) readDelivery(reading, delivery, flat);
  return flat;
}

/** The metadata, or its mistakes. */
export function metadataOf(value: Record<string, unknown>): z.ZodSafeParseResult<SpecMetadata> {
  return Metadata.safeParse(value['metadata']);
}

function expectWord(reading: Reading, resource: Group, key: string, word: string): void {
  const entry = resource.get(key);
  if (!entry) reading.problem([key], `missing: expected ${word}`);
  else if (entry.value !== word) reading.problem(entry.from, `expected ${word}, found ${show(entry.value)}`);
}

function part(reading: Reading, spec: Group, name: string): Group | undefined {
  const entry = spec.get(name);
  const group = spec.open(name);
  if (entry && !group) reading.problem(entry.from, `expected a group of options, found ${show(entry.value)}`);
  return group;
}

function readConvergence(reading: Reading, spec: Group, flat: Group): void {
  const convergence = part(reading, spec, 'convergence');
  if (!convergence) return;
  reading.only(convergence, convergenceOptions);
  const config = convergence.open('config');
  const strategy = convergence.get('strategy');
  if (config) {
    convergence.take('config');
    if (typeof strategy?.value === 'string') config.put('kind', strategy);
    else if (strategy)
      reading.problem(config.from, 'stands beside options of strategy; give one of them', true);
    convergence.put('strategy', { value: config, from: config.from });
  }
  move(convergence, flat);
}

function readExecution(reading: Reading, spec: Group, flat: Group): void {
  const execution = part(reading, spec, 'execution');
  if (!execution) return;
  reading.only(execution, executionOptions);
  readSandbox(reading, execution);
  const source = execution.open('workspace')?.take('source');
  const from = isRecord(source?.value) ? source.value['type'] : source?.value;
  if (source && from !== 'local')
    reading.problem(source.from, 'expected local: a run works in the directory it is started in');
  move(execution, flat);
}

/** Our own words go on as they are; the older form named what provides the sandbox. */
function readSandbox(reading: Reading, execution: Group): void {
  const sandbox = execution.get('sandbox');
  if (!sandbox) return;
  const { value, from } = sandbox;
  const isGroup = isRecord(value);
  const kind = isGroup ? (value['provider'] ?? value['kind']) : value;
  if (isGroup ? kind === undefined : ['auto', 'bwrap'].includes(String(kind))) return;
  execution.take('sandbox');
  if (['none', 'subprocess'].includes(String(kind)))
    reading.note(from, `${showPath(from)} is left out: that is how agents run anyway`);
  else
    reading.problem(
      from,
      `there is no sandbox ${show(kind)}; choose auto, bwrap or none, or run in a container of your own`,
    );
}

function move(part: Group, flat: Group): void {
  for (const key of part.keys()) flat.put(key, part.get(key)!);
}
