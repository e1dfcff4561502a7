import { fault, type GateRequest } from '@agentgate/core';
import { parse } from 'yaml';
import { readRegularFile } from '../../regular-file.ts';
import { boundedCall } from '../bounded-call.ts';
import { look, outsideFault } from '../inside.ts';
import { type JsonSchema, readJsonSchema } from '../json-schema.ts';
import { type Halt, halt } from '../step.ts';

/**
 * Reads a file that the gate judges by. Without it nobody can judge, so a missing one is not a failure of the work.
 */
export async function readReference(
  request: GateRequest,
  path: string,
): Promise<{ kind: 'text'; text: string } | Halt> {
  const { gate } = request;
  const found = await look(request, path);
  if (found.kind === 'outside') return halt({ kind: 'unable', fault: outsideFault(gate.name, path) });
  const text = found.kind === 'inside' ? readRegularFile(found.path) : null;
  if (text !== null) return { kind: 'text', text };
  const message = `gate ${gate.name} cannot read ${path}, which it judges by; write it, or correct the path in the gate`;
  return halt({ kind: 'unable', fault: fault('gate.reference', message) });
}

/** The schema that a gate names, from a file or from the gate itself. */
export async function readSchema(
  request: GateRequest,
  source: string | Record<string, unknown>,
): Promise<Extract<JsonSchema, { kind: 'schema' }> | Halt> {
  let value: unknown = source;
  const where = typeof source === 'string' ? source : 'the JSON Schema in the gate';
  if (typeof source === 'string') {
    const read = await readReference(request, source);
    if (read.kind === 'halt') return read;
    const data = parseData(read.text, source);
    if (data.kind === 'broken') return unusable(request, where, data.problem);
    value = data.value;
  }
  const schema = readJsonSchema(value);
  return schema.kind === 'schema' ? schema : unusable(request, where, schema.problem);
}

/** JSON or YAML by the name of the file, JSON where it does not tell. */
export function parseData(
  text: string,
  path: string,
): { kind: 'data'; value: unknown } | { kind: 'broken'; problem: string } {
  const isYaml = /\.ya?ml$/i.test(path);
  try {
    const value = isYaml
      ? boundedCall(() => ({ of: parse(text) as unknown }))
      : { of: JSON.parse(text.replace(/^\uFEFF/, '')) as unknown };
    return value === 'too-long'
      ? { kind: 'broken', problem: 'it takes too long to read' }
      : { kind: 'data', value: value.of };
  } catch (error) {
    const said = error instanceof Error ? error.message.split('\n')[0] : String(error);
    return { kind: 'broken', problem: `it is not ${isYaml ? 'YAML' : 'JSON'}: ${said}` };
  }
}

function unusable({ gate }: GateRequest, where: string, problem: string): Halt {
  const message = `gate ${gate.name} cannot judge by ${where}: ${problem}; correct the schema`;
  return halt({ kind: 'unable', fault: fault('gate.schema', message) });
}
