import { Validator } from '@cfworker/json-schema';
import { describe, expect, it } from 'vitest';
import { specJsonSchema } from '../json-schema.ts';
import { parseSpec } from '../parse-spec.ts';

const validator = new Validator(
  specJsonSchema() as ConstructorParameters<typeof Validator>[0],
  '2020-12',
  false,
);
const keepsSchema = (value: unknown) => validator.validate(value).valid;
const mistakes = (value: unknown) =>
  validator
    .validate(value)
    .errors.slice(-3)
    .map((one) => `${one.instanceLocation} ${one.error}`);
const isRead = (value: unknown) => parseSpec(value).kind === 'spec';
const least = { task: 'x', agent: ['true'], gates: { any: 'true' } };

describe('the schema and the reader agree', () => {
  const resource = {
    apiVersion: 'agentgate.io/v1',
    kind: 'TaskSpec',
    metadata: { name: 'x' },
    spec: {
      goal: { prompt: 'x' },
      convergence: { gates: [{ name: 't', run: 'x' }] },
      execution: { agent: ['x'] },
    },
  };
  it.each<[Record<string, unknown>]>([
    [{}],
    [{ task: { file: 'a.md' } }],
    [{ agent: { run: 'x', timeout: '5m', escalate: ['y', ['z'], { run: 'z' }] } }],
    [{ agent: { kind: 'scripted', script: 'a.yaml' } }],
    [{ agent: 'claude' }],
    [{ agent: { kind: 'codex', model: 'm', effort: 'high', context: 'fresh', allow: ['make'] } }],
    [{ agent: { kind: 'claude', escalate: ['opus', { model: 'opus', effort: 'max' }, { kind: 'codex' }] } }],
    [{ agent: { kind: 'acp', run: ['gemini', '--acp'], login: 'gemini-api-key', escalate: ['claude'] } }],
    [{ gates: { a: ['npm', 'test'], b: { run: 'x', report: { format: 'tap', path: 'r.tap' } } } }],
    [{ gates: { a: { exists: 'x', contains: [{ path: 'a', text: 'b' }] } } }],
    [
      {
        gates: { a: { contracts: true, tests: { setup: 'x', run: [['a', 'b'], { run: 'c' }] }, sanity: {} } },
      },
    ],
    [
      {
        gates: {
          a: { url: 'http://localhost:1', retry: 5, start: 'x' },
          b: { url: 'http://h', retry: '5s' },
        },
      },
    ],
    [{ gates: { a: { items: [{ any_of: [{ command: 'x' }, { file: 'y' }] }, { not_file: 'z' }] } } }],
    [{ gates: { a: { items: [{ check: { type: 'command', value: 'x' } }, { group: [{ file: 'x' }] }] } } }],
    [{ gates: { a: { type: 'file', value: 'x' } } }],
    [{ gates: { a: { kind: 'convergence' }, b: { approvers: ['ann'] }, c: { module: './g.mjs' } } }],
    [{ gates: { a: { run: 'x', feedback: { text: 'y' }, backoff: {}, skipIf: 'iteration < 2' } } }],
    [{ gates: { a: { run: 'x', onFailure: { action: 'stop' }, condition: { when: 'always' } } } }],
    [{ gates: [{ name: 'a', check: { type: 'custom', command: 'x' }, onSuccess: 'continue' }] }],
    [{ gates: { a: { kind: 'ci' }, b: { provider: 'github', checks: 'x', poll: '1m' } } }],
    [{ gates: { a: { rubric: 'x', run: 'y', severity: 'soft' } } }],
    [{ gates: { a: { kind: 'judge', rubric: { file: 'x' }, run: 'y', confirm: 'person' } } }],
    [{ gates: [{ name: 'a', check: { type: 'github-actions', workflows: ['ci.yml'] } }] }],
    [{ strategy: 'adaptive' }],
    [{ strategy: { kind: 'adaptive', mode: 'value', value: '5usd', explore: 0 } }],
    [{ strategy: { mode: 'adaptive', target: 0.97 } }],
    [{ strategy: { base: 3 } }],
    [{ strategy: { mode: 'ralph', maxIterations: 4, convergenceThreshold: 0.05 } }],
    [{ strategy: { kind: 'hybrid', completionCriteria: ['verification_pass'], requireCI: false } }],
    [{ strategy: { kind: 'custom', modulePath: './s.mjs', config: { any: ['thing'] } } }],
    [{ mode: 'fixed', maxIterations: 4, maxWallClockSeconds: 60 }],
    [{ limits: { maxIterations: 4, maxTimeMs: null, tokens: 5, cost: '$5' } }],
    [{ stuck: 'off' }],
    [{ stuck: { moves: ['ask'] } }],
    [{ detectors: { enabled: true, stall: false, 'output-similarity': { measure: 'jaccard' } } }],
    [{ deliver: 'branch', notify: ['a', 'b'], workspace: { include: 'x' }, $schema: 'x' }],
    [{ deliver: { as: 'commit', on: 'any' }, notify: { webhook: 'https://h' }, stateDir: '.agent' }],
  ])('that %j is good', (fields) => {
    const value = { ...least, ...fields };
    expect(mistakes(value)).toEqual([]);
    expect(isRead(value)).toBe(true);
  });
  it.each<[Record<string, unknown>]>([
    [{ tsak: 'x' }],
    [{ agent: 'aider' }],
    [{ agent: { kind: 'acp' } }],
    [{ agent: { kind: 'claude', permissions: 'some' } }],
    [{ agent: { kind: 'command' } }],
    [{ gates: {} }],
    [{ gates: { a: { severity: 'soft' } } }],
    [{ gates: { a: { run: 'x', severity: 'sfot' } } }],
    [{ gates: { a: { run: 'x', exists: 'y' } } }],
    [{ gates: { a: { kind: 'ci', provider: 'bitbucket' } } }],
    [{ gates: { a: { kind: 'judge', run: 'x', severity: 'soft' } } }],
    [{ gates: { '-': 'x' } }],
    [{ gates: [{ run: 'x' }] }],
    [{ strategy: 'custom' }],
    [{ strategy: 'ralhp' }],
    [{ strategy: { max: 3 } }],
    [{ strategy: { kind: 'ralph', base: 3 } }],
    [{ limits: { wallClock: 60 } }],
    [{ limits: { wallClock: '1 fortnight' } }],
    [{ limits: { iterations: 0 } }],
    [{ stuck: 'on' }],
    [{ stuck: { moves: ['pray'] } }],
    [{ detectors: { stal: false } }],
    [{ deliver: 'push' }],
    [{ apiVersion: 'agentgate.io/v1' }],
  ])('that %j is bad', (fields) => {
    const value = { ...least, ...fields };
    expect({ schema: keepsSchema(value), reader: isRead(value) }).toEqual({ schema: false, reader: false });
  });
  it('about the resource form', () => {
    expect({ schema: keepsSchema(resource), reader: isRead(resource) }).toEqual({
      schema: true,
      reader: true,
    });
    for (const wrong of [
      { apiVersion: 'v2' },
      { kind: 'Task' },
      { metadata: {} },
      { spec: { gaol: {} } },
      { more: 1 },
    ]) {
      const value = { ...resource, ...wrong };
      expect({ schema: keepsSchema(value), reader: isRead(value) }).toEqual({ schema: false, reader: false });
    }
  });
});
