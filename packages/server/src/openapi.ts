import * as z from 'zod';
import * as contract from './contract/index.ts';
import { type Route, routes } from './contract/index.ts';

type Json = Record<string, unknown>;

/** Shapes that are written down once and referred to by their names. */
const named = z.registry<{ id: string }>();
for (const [id, shape] of Object.entries(contract))
  if (shape instanceof z.ZodType && !id.endsWith('Request')) named.add(shape, { id });

/** The API in OpenAPI 3.1, made of the same schemas by which requests are read. */
export function openApi(version: string): Json {
  const schemas: Json = {};
  const paths: Record<string, Json> = {};
  for (const [key, route] of Object.entries(routes) as [string, Route][]) {
    const [method = '', path = ''] = key.split(' ');
    (paths[path] ??= {})[method.toLowerCase()] = operationOf(key, route, schemas);
  }
  const problem = shapeOf(contract.Problem, schemas, 'output');
  return {
    openapi: '3.1.0',
    info: {
      title: 'AgentGate',
      version,
      description: 'Runs, plans and their evidence, live, and the words of persons to them.',
    },
    servers: [{ url: '/' }],
    security: [{ token: [] }, { pass: [] }],
    paths,
    components: {
      schemas,
      responses: {
        Refused: {
          description: 'What is wrong, and what to do next',
          content: { 'application/json': { schema: problem } },
        },
      },
      securitySchemes: {
        token: { type: 'http', scheme: 'bearer', description: 'The token in the state directory' },
        pass: {
          type: 'apiKey',
          in: 'cookie',
          name: 'agentgate-…',
          description: 'Given by the one-time link',
        },
      },
    },
  };
}

function operationOf(key: string, { summary, query, body, answer, frames }: Route, schemas: Json): Json {
  const params = [...key.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));
  return {
    operationId: key.replace(/[^\w]+(\w)/g, (_, letter: string) => letter.toUpperCase()).replace(/\W/g, ''),
    summary,
    parameters: [...params, ...(query ? queryOf(query, schemas) : [])],
    ...(body
      ? {
          requestBody: {
            required: true,
            content: { 'application/json': { schema: shapeOf(body, schemas, 'input') } },
          },
        }
      : {}),
    responses: {
      200: { description: 'Done', content: contentOf(answer, frames, schemas) },
      '4XX': { $ref: '#/components/responses/Refused' },
      '5XX': { $ref: '#/components/responses/Refused' },
    },
  };
}

function contentOf(answer: Route['answer'], frames: Route['frames'], schemas: Json): Json {
  if (answer === 'json') return { 'application/json': { schema: {} } };
  if (answer === 'text') return { 'text/plain': { schema: { type: 'string' } } };
  if (answer === 'stream') {
    const data = Object.entries(frames ?? {}).map(([name, shape]) => [
      name,
      shapeOf(shape, schemas, 'output'),
    ]);
    // OpenAPI 3.1 has no words for the events of a stream.
    return { 'text/event-stream': { schema: { type: 'string' }, 'x-events': Object.fromEntries(data) } };
  }
  return { 'application/json': { schema: shapeOf(answer, schemas, 'output') } };
}

function queryOf(query: z.ZodType, schemas: Json): Json[] {
  const { properties = {}, required = [] } = shapeOf(query, schemas, 'output') as {
    properties?: Record<string, Json>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.includes(name) && !('default' in schema),
    schema,
    ...(schema['type'] === 'array' ? { style: 'form', explode: false } : {}),
  }));
}

/** A schema with what it refers to put among the named ones. */
function shapeOf(shape: z.ZodType, schemas: Json, io: 'input' | 'output'): Json {
  const made = z.toJSONSchema(shape, {
    metadata: named,
    unrepresentable: 'any',
    io,
    target: 'draft-2020-12',
  }) as Json;
  const text = JSON.stringify(made).replaceAll('"#/$defs/', '"#/components/schemas/');
  const { $schema: _, $defs: below, id, ...rest } = JSON.parse(text) as Json & { $defs?: Json };
  for (const [name, one] of Object.entries(below ?? {})) schemas[name] ??= withoutId(one as Json);
  if (typeof id !== 'string') return rest;
  schemas[id] ??= rest;
  return { $ref: `#/components/schemas/${id}` };
}

const withoutId = (shape: Json): Json =>
  Object.fromEntries(
    Object.entries(shape).filter(([key]) => key !== 'id' || typeof shape['id'] !== 'string'),
  );
