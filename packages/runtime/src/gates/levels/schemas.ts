import type { Finding } from '@agentgate/core';
import { readRegularFile } from '../../regular-file.ts';
import { boundedCall } from '../bounded-call.ts';
import { brief } from '../failed.ts';
import { readField } from '../field.ts';
import { isGlob } from '../glob.ts';
import { look, outsideFault } from '../inside.ts';
import { hash } from '../normalise.ts';
import { type Halt, halt } from '../step.ts';
import { add, type LevelsGate, type Scene, type Seen } from './level.ts';
import { matcher } from './matcher.ts';
import { parseData, readSchema } from './reference.ts';

type Contract = NonNullable<LevelsGate['contracts']>['schemas'][number];
type Rule = Contract['rules'][number];

/** Judges what is written in JSON and YAML files. A contract that no file falls under is not kept. */
export async function judgeSchemas(scene: Scene, seen: Seen): Promise<Halt | undefined> {
  for (const contract of scene.gate.contracts?.schemas ?? []) {
    const schema =
      contract.jsonSchema === undefined ? undefined : await readSchema(scene.request, contract.jsonSchema);
    if (schema?.kind === 'halt') return schema;
    for (const pattern of contract.files) {
      const paths = isGlob(pattern) ? (await scene.files()).filter(matcher([pattern])) : [pattern];
      if (paths.length === 0)
        add(seen, `schema of ${pattern}`, [absent(pattern, `nothing matches ${pattern}`)]);
      for (const path of paths) {
        const found = await look(scene.request, path);
        if (found.kind === 'outside') {
          return halt({ kind: 'unable', fault: outsideFault(scene.gate.name, path) });
        }
        const findings =
          found.kind === 'inside'
            ? judgeFile(found.path, path, contract, schema)
            : [absent(path, `${path} does not exist`)];
        add(seen, `schema of ${path}`, findings);
      }
    }
  }
  return undefined;
}

function judgeFile(
  full: string,
  path: string,
  { rules }: Contract,
  schema: { problemsOf(value: unknown): string[] } | undefined,
): Finding[] {
  const text = readRegularFile(full);
  if (text === null) return [absent(path, `${path} cannot be read`)];
  const data = parseData(text, path);
  if (data.kind === 'broken') {
    return [{ id: `schema:${path}:syntax`, title: `${path} cannot be read: ${data.problem}`, file: path }];
  }
  const problems = schema?.problemsOf(data.value) ?? [];
  return [
    ...rules.flatMap((rule) => judgeRule(path, data.value, rule)),
    ...problems.map((problem) => ({
      id: `schema:${path}:${hash(problem, 8)}`,
      title: `${path} does not keep its JSON Schema`,
      file: path,
      message: problem,
    })),
  ];
}

function judgeRule(path: string, data: unknown, { field, exists, type, matches }: Rule): Finding[] {
  const read = readField(data, field);
  const unmet = (what: string, title: string): Finding[] => [
    { id: `schema:${path}:${field}:${what}`, title: `${path}: ${field} ${title}`, file: path },
  ];
  if (!read.found) return exists === false ? [] : unmet('exists', 'is missing');
  if (exists === false) return unmet('exists', 'must not be there');
  if (type !== undefined && !isOf(type, read.value)) return unmet('type', `is not of type ${type}`);
  if (matches === undefined) return [];
  const text = typeof read.value === 'string' ? read.value : JSON.stringify(read.value);
  return boundedCall(() => new RegExp(matches, 'mu').test(text)) === true
    ? []
    : unmet('matches', `does not match /${matches}/: ${brief(text)}`);
}

function isOf(type: NonNullable<Rule['type']>, value: unknown): boolean {
  if (type === 'integer') return Number.isInteger(value);
  if (type === 'null') return value === null;
  if (type === 'array') return Array.isArray(value);
  if (type === 'object') return typeof value === 'object' && value !== null && !Array.isArray(value);
  return typeof value === type;
}

const absent = (path: string, title: string): Finding => ({
  id: `schema:${path}:missing`,
  title,
  file: path,
});
