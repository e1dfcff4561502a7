import * as z from 'zod';
import { Duration } from '../../quantity.ts';
import { command, isRecord, list, oneOf, strict, whole } from '../words.ts';

/** A port, a command, or either one spelled out. */
const Ready = z.preprocess(
  (value) =>
    typeof value === 'number'
      ? { port: value }
      : isRecord(value) || value === undefined
        ? value
        : { run: value },
  z.union([strict({ port: whole(1, 65_535) }), strict({ run: command })], {
    error: () => 'a port such as 5432, or a command that succeeds once it is up',
  }),
);

const Service = z.preprocess(
  (value) => (isRecord(value) ? value : { run: value }),
  strict({ run: command, ready: Ready.optional(), timeout: Duration.default(30_000) }),
);

/** What a gate that runs programs needs around it. */
export const room = {
  /** A gate has no network unless it says so; its own loopback it always has. */
  network: z
    .preprocess(
      (value) => (typeof value === 'boolean' ? (value ? 'on' : 'off') : value),
      oneOf('off', 'loopback', 'on'),
    )
    .default('off'),
  /** Programs that must be up before the gate begins; they end with it. */
  services: z
    .record(z.string().regex(/^[\w-]{1,40}$/), Service, {
      error: ({ code }) =>
        code === 'invalid_key'
          ? 'a name of letters, digits and dashes'
          : 'services by name, such as {db: ./start-db}',
    })
    .default({}),
  /** Paths outside of the workspace that the gate reads. */
  data: list.default([]),
};

/** How dependencies are installed from the lock files. */
export const Prepare = z.preprocess(
  (value) => (isRecord(value) || value === undefined ? value : { run: value }),
  strict({ run: command, timeout: Duration.default(600_000) }).optional(),
);
