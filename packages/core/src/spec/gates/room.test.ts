import { describe, expect, it } from 'vitest';
import { SpecFile } from '../../spec.ts';
import { GateInput } from './index.ts';

const gate = (options: Record<string, unknown>) => GateInput.safeParse({ run: 'npm test', ...options });

describe('what a gate says of its room', () => {
  it('is nothing unless told: no network, no services, no data', () => {
    expect(gate({}).data).toMatchObject({ network: 'off', services: {}, data: [] });
  });

  it.each([
    [{ network: true }, { network: 'on' }],
    [{ network: false }, { network: 'off' }],
    [{ network: 'loopback' }, { network: 'loopback' }],
    [{ data: '/srv/models' }, { data: ['/srv/models'] }],
    [{ services: { db: './start-db' } }, { services: { db: { run: './start-db', timeout: 30_000 } } }],
    [
      { services: { db: { run: ['pg', '-D'], ready: 5432, timeout: '5s' } } },
      { services: { db: { run: ['pg', '-D'], ready: { port: 5432 }, timeout: 5_000 } } },
    ],
    [
      { services: { db: { run: 'pg', ready: 'pg_isready' } } },
      { services: { db: { ready: { run: 'pg_isready' } } } },
    ],
  ])('takes %o', (written, read) => {
    expect(gate(written).data).toMatchObject(read);
  });

  it.each([
    { network: 'some' },
    { services: { 'a/b': 'x' } },
    { services: { db: { ready: 5432 } } },
    { services: { db: { run: 'x', ready: 0 } } },
    { data: [7] },
  ])('refuses %o', (written) => {
    expect(gate(written).success).toBe(false);
  });
});

describe('prepare', () => {
  const prepare = (value: unknown) =>
    SpecFile.safeParse({
      task: 'x',
      agent: ['a'],
      gates: { a: 'true' },
      ...(value === undefined ? {} : { prepare: value }),
    }).data?.prepare;

  it('is a command, alone or with its time', () => {
    expect(prepare('npm ci')).toEqual({ run: 'npm ci', timeout: 600_000 });
    expect(prepare({ run: ['npm', 'ci'], timeout: '1m' })).toEqual({ run: ['npm', 'ci'], timeout: 60_000 });
    expect(prepare(undefined)).toBeUndefined();
  });
});
