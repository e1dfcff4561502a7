import * as z from 'zod';
import { Duration } from '../../quantity.ts';
import { command, flag, isRecord, oneOf, strict, whole } from '../words.ts';
import { common } from './common.ts';
import { json, patterns, texts } from './matching.ts';

const address = z.url({ protocol: /^https?$/, error: () => 'an http or https address' });

const pointer = z.string().regex(/^(?:\/.*)?$/s);

/** How long nobody may listen at the address: so many times, or for so long. */
const Retry = z.preprocess(
  (value) =>
    typeof value === 'number' ? { times: value } : typeof value === 'string' ? { for: value } : value,
  strict({
    times: whole(1, 10_000).optional(),
    for: Duration.optional(),
    every: Duration.default(500),
  }).refine((one) => one.times !== undefined || one.for !== undefined, {
    path: ['for'],
    error: () => 'how often or how long: times or for',
  }),
);

/** A server that lives as long as the gate. */
const Start = z.preprocess(
  (value) => (isRecord(value) ? value : { run: value }),
  strict({
    run: command,
    /** An address that answers with 2xx once the server is ready; without one, any answer at the gate's own counts. */
    ready: address.optional(),
    timeout: Duration.default(30_000),
  }),
);

/** One request and what its answer must be. Nothing is called that is not written here. */
export const HttpGate = strict({
  kind: z.literal('http'),
  url: address,
  method: oneOf('GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS').default('GET'),
  /** `${NAME}` in a value is taken from the environment and never shown. */
  headers: z
    .record(z.string().regex(/^[\w!#$%&'*+.^`|~-]+$/), z.string({ error: () => 'a text' }), {
      error: ({ code }) =>
        code === 'invalid_key' ? 'a name that a header may have' : 'headers and their values',
    })
    .default({}),
  /** A text is sent as it is, anything else as JSON. */
  body: json.optional(),
  status: z
    .union([whole(100, 599), z.array(whole(100, 599)).min(1, { error: () => 'at least one status' })], {
      error: () => 'a status such as 200, or a list of them',
    })
    .transform((value) => (typeof value === 'number' ? [value] : value))
    .default([200]),
  contains: texts.default([]),
  matches: patterns.default([]),
  json: z
    .record(pointer, json, {
      error: ({ code }) =>
        code === 'invalid_key'
          ? 'a JSON pointer such as /status or /items/0/id'
          : 'JSON pointers and the values expected there',
    })
    .default({}),
  responseTimeout: Duration.default(30_000),
  retry: Retry.optional(),
  follow: flag.default(false),
  start: Start.optional(),
  ...common,
}).refine((gate) => gate.method !== 'HEAD' || gate.contains.length + gate.matches.length === 0, {
  path: ['method'],
  error: () => 'a method whose answer has a body, since contains or matches look at it',
});
