import { expect, it } from 'vitest';
import { trustIn } from './codex-hooks.ts';

const hooks = (...list: object[]) => ({ data: [{ cwd: '/w', hooks: list }] });
const ours = { command: 'agentgate hook answer' };

it.each([
  [
    'all of ours are trusted',
    hooks({ ...ours, trustStatus: 'trusted' }, { ...ours, trustStatus: 'managed' }),
    'trusted',
  ],
  [
    'one was changed since',
    hooks({ ...ours, trustStatus: 'trusted' }, { ...ours, trustStatus: 'modified' }),
    'untrusted',
  ],
  ['nobody looked at them', hooks({ ...ours, trustStatus: 'untrusted' }), 'untrusted'],
  ['only others are there', hooks({ command: 'lint', trustStatus: 'trusted' }), 'none'],
  ['another answer came', { error: 'unknown method' }, 'unknown'],
])('when %s', (_name, result, expected) => expect(trustIn(result)).toBe(expected));
