import type { Activity } from '@agentgate/core';
import { expect, it } from 'vitest';
import { answerTo, mayRun } from './acp-permission.ts';

it.each([
  ['npm test', true],
  ['  npm test ', true],
  ['npm test -- --grep auth', true],
  ['npm tests', false],
  ['npm test; rm -rf .', false],
  ['npm test && curl x', false],
  ['npm test $(curl x)', false],
  ['npm test > out', false],
  ['npm test\nrm x', false],
  ['rm x; npm test', false],
  ['', false],
])('may it run %j beside the gate npm test? %s', (command, may) => {
  expect(mayRun(command, ['npm test'])).toBe(may);
});

const options = [
  { optionId: 'a', name: 'always', kind: 'allow_always' },
  { optionId: 'o', name: 'once', kind: 'allow_once' },
  { optionId: 'r', name: 'no', kind: 'reject_once' },
] as const;

function asked(toolCall: object, isAll = false, given: readonly object[] = options) {
  const told: Activity[] = [];
  const request = { sessionId: 's', toolCall: { toolCallId: 't', ...toolCall }, options: given };
  const { outcome } = answerTo(request as Parameters<typeof answerTo>[0], {
    root: '/w/project',
    isAll,
    commands: ['npm test'],
    tell: (activity) => told.push(activity),
  });
  return { chosen: outcome.outcome === 'selected' ? outcome.optionId : null, told };
}

it('allows edits and the gates, once each, and tells what it refused', () => {
  expect(asked({ kind: 'edit', title: 'x' })).toEqual({ chosen: 'o', told: [] });
  expect(asked({ kind: 'execute', rawInput: { command: ['bash', '-lc', 'npm test'] } }).chosen).toBe('o');
  expect(asked({ kind: 'execute', rawInput: { command: 'curl x' } })).toEqual({
    chosen: 'r',
    told: [{ kind: 'denied', tool: 'execute', what: 'curl x' }],
  });
  expect(asked({ title: 'Launch it' })).toEqual({
    chosen: 'r',
    told: [{ kind: 'denied', tool: 'other', what: 'Launch it' }],
  });
  expect(asked({ kind: 'execute', rawInput: { command: 'curl x' } }, true)).toEqual({
    chosen: 'o',
    told: [],
  });
});

it('lets it read and search, and fetch nothing from elsewhere', () => {
  for (const kind of ['read', 'search', 'think']) expect(asked({ kind }).chosen).toBe('o');
  expect(asked({ kind: 'fetch', rawInput: { url: 'http://x/?key=1' } })).toEqual({
    chosen: 'r',
    told: [{ kind: 'denied', tool: 'fetch', what: 'http://x/?key=1' }],
  });
  expect(asked({ kind: 'fetch' }, true).chosen).toBe('o');
});

it.each<[string, object]>([
  ['by its places', { locations: [{ path: 'a.ts' }, { path: '/etc/x' }] }],
  ['by its changes', { content: [{ type: 'diff', path: '/etc/x', newText: 'y' }] }],
  ['by its input', { rawInput: { file_path: '/etc/x' } }],
  ['by its way there', { rawInput: { filepath: '/w/project/../../etc/x' } }],
])('allows no edit outside of the workspace, known %s', (_name, call) => {
  for (const kind of ['edit', 'delete', 'move']) {
    const { chosen, told } = asked({ kind, ...call });
    expect([chosen, told]).toMatchObject(['r', [{ kind: 'denied', tool: kind }]]);
    expect(JSON.stringify(told)).toContain('etc/x');
    expect(asked({ kind, ...call }, true).chosen).toBe('o');
  }
  expect(asked({ kind: 'read', ...call }).chosen).toBe('o');
});

it('allows edits of the workspace, however they are named', () => {
  for (const path of ['a.ts', './..a/b.ts', '/w/project/a.ts', '/w/project'])
    expect(asked({ kind: 'edit', locations: [{ path }] }).chosen).toBe('o');
});

it('calls it off where there is no word for its answer', () => {
  expect(asked({ kind: 'edit' }, false, [options[2]]).chosen).toBeNull();
});
