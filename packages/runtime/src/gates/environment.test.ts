import { tmpdir } from 'node:os';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { environmentOf } from './environment.ts';
import { gateFrom, gateWith, judgeGate } from './testing.ts';

const secret = 'AGENTLESS_TEST_SECRET';
beforeEach(() => {
  process.env[secret] = 'hunter2';
});
afterEach(() => {
  delete process.env[secret];
});

const base = { PATH: '/bin', DATABASE_URL: 'db', ANTHROPIC_API_KEY: 'key' };

test.each([
  { env: undefined, got: { PATH: '/bin' } },
  { env: ['DATABASE_URL', 'NOT_SET'], got: { PATH: '/bin', DATABASE_URL: 'db' } },
  {
    env: { NODE_ENV: 'test', RETRIES: 3, PATH: '/opt' },
    got: { PATH: '/opt', NODE_ENV: 'test', RETRIES: '3' },
  },
])('a gate with env $env gets it beside the harmless', ({ env, got }) => {
  const gate = gateFrom({ run: 'true', ...(env === undefined ? {} : { env }) });
  expect(environmentOf(gate, {}, base)).toEqual(got);
});

test.each([[['A B']], ['DATABASE_URL'], [{ 'A=B': 'x' }], [{ A: { b: 1 } }]])('env %j is refused', (env) => {
  expect(() => gateFrom({ run: 'true', env })).toThrow();
});

test('a command does not see what it is not given, and sees what it names', async () => {
  const run = `printenv ${secret} || echo without`;
  const without = await judgeGate(gateWith('command', { run }), tmpdir());
  expect(without.output).toBe('without\n');
  const given = await judgeGate(gateWith('command', { run, env: [secret] }), tmpdir());
  expect(given.output).toBe('hunter2\n');
});

test('a failure over a variable that is withheld says how to pass it on', async () => {
  const run = `test -n "$${secret}" || { echo "Error: ${secret} is not set"; exit 1; }`;
  const { verdict } = await judgeGate(gateWith('command', { run }), tmpdir());
  expect(verdict).toMatchObject({ kind: 'failed', excerpt: expect.stringContaining(`env: [${secret}]`) });
  const given = await judgeGate(gateWith('command', { run, env: [secret] }), tmpdir());
  expect(given.verdict.kind).toBe('passed');
});
