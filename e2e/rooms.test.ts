import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { probeSandbox } from '../packages/runtime/src/sandbox/index.ts';
import { kinds } from './rooms/kinds.ts';
import { leakNames, tryLeak } from './rooms/leaks.ts';
import { type Row, tryKind } from './rooms/try-kind.ts';

// `npm run rooms` tries every kind; each test run tries those that are quick and need no network.
const file = process.env['ROOMS_FILE'];
const rows: Row[] = [];
const sandbox = await probeSandbox();

describe.skipIf(sandbox.kind === 'none')('a gate in its room', () => {
  it.each(kinds.filter((kind) => file !== undefined || kind.short))(
    'judges $name as in place',
    async (kind) => {
      const row = await tryKind(kind);
      rows.push(row);
      if (row.result !== 'not run') expect(row.problems).toEqual([]);
    },
  );

  it.each(leakNames)('refuses %s', async (name) => {
    const row = await tryLeak(name);
    rows.push(row);
    expect(row.problems).toEqual([]);
  });
});

afterAll(() => {
  if (file === undefined) return;
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify({ why: sandbox.kind === 'none' ? sandbox.why : null, rows }));
});
