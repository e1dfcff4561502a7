import { expect, it } from 'vitest';
import { parseSpec } from './parse-spec.ts';
import { type ShutIn, sandboxCaveats, sandboxWish } from './sandbox.ts';
import type { RunSpec } from './spec.ts';

function specOf(more: object): RunSpec {
  const parsed = parseSpec({ task: 'x', agent: ['a'], gates: { a: 'true' }, ...more });
  if (parsed.kind === 'invalid') throw new Error(JSON.stringify(parsed.problems));
  return { ...parsed.spec, task: 'x' };
}

const none: ShutIn = { agent: 'none', gates: 'none', why: 'bubblewrap is not installed' };
const both: ShutIn = { agent: 'bwrap', gates: 'bwrap' };

it.each([
  [{}, 'none', 'auto'],
  [{ integrity: 'off' }, 'none', 'none'],
  [{ integrity: 'guarded' }, 'none', 'auto'],
  [{ integrity: 'strict' }, 'auto', 'auto'],
  [{ integrity: 'strict', sandbox: { agent: 'none' } }, 'none', 'auto'],
  [{ integrity: 'off', sandbox: 'auto' }, 'auto', 'none'],
  [{ sandbox: 'bwrap' }, 'bwrap', 'bwrap'],
  [{ integrity: 'strict', sandbox: 'none' }, 'none', 'none'],
])('%j asks for the agent %s and for gates %s', (more, agent, gates) => {
  expect(sandboxWish(specOf(more))).toEqual({ agent, gates });
});

it.each([
  ['nothing asked, nothing said', { integrity: 'off' }, none, []],
  ['everybody shut in', { integrity: 'strict' }, both, []],
  ['an old log that does not tell', { integrity: 'strict' }, null, []],
  ['no sandbox for a room', { integrity: 'guarded' }, none, [/^the gates .*bubblewrap is not installed/]],
  ['no sandbox for anyone', { integrity: 'strict' }, none, [/^the agent /, /^the gates /]],
  ['none by wish', { integrity: 'strict', sandbox: 'none' }, none, [/agent .*as asked/, /gates .*as asked/]],
  [
    'an agent free by wish',
    { integrity: 'strict', sandbox: { agent: 'none' } },
    { ...both, agent: 'none' },
    [/^the agent .*as asked/],
  ],
] as const)('the outcome of a run with %s', (_name, more, shutIn, expected) => {
  const caveats = sandboxCaveats(specOf(more), shutIn);
  expect(caveats).toEqual(expected.map((words) => expect.stringMatching(words)));
});

it.each(['docker', { agent: 'yes' }, { gate: 'auto' }, 7])('refuses sandbox %j', (sandbox) => {
  expect(() => specOf({ sandbox })).toThrow(/sandbox/);
});
