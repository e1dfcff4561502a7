import { describe, expect, it } from 'vitest';
import { parseSpec, showPath } from '../../parse-spec.ts';
import { GateInput } from '../../spec.ts';

const problems = (gate: unknown): string[] => {
  const parsed = parseSpec({ task: 'x', agent: ['true'], gates: { g: gate } });
  return parsed.kind === 'invalid'
    ? parsed.problems.map(({ path, message }) => `${showPath(path.slice(2))}: ${message}`)
    : [];
};

describe('a gate tells its kind by its options', () => {
  it.each<[Record<string, unknown>, string]>([
    [{ run: 'x' }, 'command'],
    [{ exists: 'x' }, 'artifact'],
    [{ url: 'http://localhost/', contains: 'x' }, 'http'],
    [{ items: [{ file: 'a' }] }, 'checklist'],
    [{ type: 'file', value: 'a' }, 'checklist'],
    [{ contracts: true }, 'levels'],
    [{ tests: { run: 'x' } }, 'levels'],
    [{ sanity: true }, 'levels'],
    [{ approvers: ['me'] }, 'approval'],
    [{ provider: 'gitlab' }, 'ci'],
    [{ workflow: 'ci.yml' }, 'ci'],
    [{ checks: ['build'] }, 'ci'],
    [{ rubric: 'x', run: 'y', severity: 'soft' }, 'judge'],
  ])('%j is %s', (options, kind) => expect(GateInput.parse(options).kind).toBe(kind));
});

describe('levels', () => {
  it('have the documented defaults', () => {
    const gate = GateInput.parse({
      contracts: true,
      tests: { run: 'npm test' },
      blackbox: [{ name: 'a', run: 'x', expect: { stdoutContains: 'y' } }],
      sanity: true,
    });
    expect(gate).toMatchObject({
      kind: 'levels',
      contracts: { required: [], forbidden: expect.arrayContaining(['**/.env', '**/*.pem', '**/*.key']) },
      tests: { setup: [], run: [{ run: 'npm test', timeout: 120_000, expectExit: 0, report: 'auto' }] },
      blackbox: [{ timeout: 60_000, env: {}, expect: { stdoutContains: ['y'] } }],
      sanity: { maxFileSize: 10 * 1024 * 1024, tempFiles: true, debugPrints: true, missingTests: true },
    });
  });
  it('let a list of forbidden files replace the default', () => {
    expect(GateInput.parse({ contracts: { forbidden: 'x' } })).toMatchObject({
      contracts: { forbidden: ['x'] },
    });
    expect(GateInput.parse({ contracts: { required: 'a', forbidden: [] } })).toMatchObject({
      contracts: { forbidden: [] },
    });
  });
  const check = (expectations: unknown) => ({ blackbox: [{ name: 'a', run: 'x', expect: expectations }] });
  it.each<[unknown, RegExp]>([
    [
      { kind: 'levels' },
      /^contracts: missing: expected at least one section: contracts, tests, blackbox or sanity/,
    ],
    [{ contracts: { forbidden: [] } }, /^contracts\.required: .*something to check/],
    [{ tests: { run: [] } }, /^tests\.run: expected at least one command/],
    [{ blackbox: [] }, /^blackbox: expected at least one check/],
    [check({}), /^blackbox\.0\.expect: expected something to expect: exitCode, stdoutContains/],
    [check({ exitCode: 'any' }), /^blackbox\.0\.expect: expected something to expect/],
    [check(undefined), /^blackbox\.0\.expect: missing/],
    [check({ stdoutEquals: 'x' }), /^blackbox\.0\.expect\.stdoutEquals: unknown option/],
    [check({ stdoutMatches: '(' }), /^blackbox\.0\.expect\.stdoutMatches: expected a regular expression/],
    [
      { blackbox: [1, 2].map(() => ({ name: 'a', run: 'x', expect: { exitCode: 0 } })) },
      /^blackbox: expected checks with names that differ/,
    ],
    [{ contracts: { schemas: [{ files: 'a' }] } }, /^contracts\.schemas\.0\.rules: .*rules or jsonSchema/],
    [
      { contracts: { schemas: [{ files: 'a', rules: [{ field: 'x' }] }] } },
      /^contracts\.schemas\.0\.rules\.0\.exists: .*exists, type or matches/,
    ],
    [
      { contracts: { schemas: [{ files: 'a', rules: [{ field: 'x', length: 3 }] }] } },
      /unknown option "length"/,
    ],
    [{ contracts: { naming: [{ files: 'a', style: 'camle' }] } }, /did you mean "camel"/],
    [{ sanity: { maxFileSize: 5 } }, /^sanity\.maxFileSize: expected a size with its unit/],
    [{ sanity: { maxFileSize: '5 lines' } }, /^sanity\.maxFileSize: expected a size with its unit/],
    [{ sanity: { forbidText: [{ files: 'a' }] } }, /^sanity\.forbidText\.0\.text: .*either text or matches/],
    [{ contracts: true, contracst: {} }, /did you mean "contracts"/],
  ])('refuse %j', (gate, message) => expect(problems(gate)).toContainEqual(expect.stringMatching(message)));
});

describe('http', () => {
  it('has the documented defaults', () => {
    expect(GateInput.parse({ url: 'http://localhost:1/' })).toMatchObject({
      method: 'GET',
      status: [200],
      follow: false,
      responseTimeout: 30_000,
    });
  });
  it.each([
    [{ retry: 3 }, { retry: { times: 3, every: 500 } }],
    [{ retry: '10s' }, { retry: { for: 10_000 } }],
    [{ start: 'npm start' }, { start: { run: 'npm start', timeout: 30_000 } }],
    [{ start: ['node', 's.js'] }, { start: { run: ['node', 's.js'] } }],
    [{ status: 404 }, { status: [404] }],
    [{ body: { a: 1 } }, { body: { a: 1 } }],
  ])('reads %j', (options, expected) =>
    expect(GateInput.parse({ url: 'http://localhost:1/', ...options })).toMatchObject(expected),
  );
  it.each<[Record<string, unknown>, RegExp]>([
    [{ url: 'localhost' }, /^url: expected an http or https address/],
    [{ url: 'ftp://x/' }, /^url: expected an http or https address/],
    [{ status: 99 }, /^status: expected a whole number from 100 to 599/],
    [{ method: 'get' }, /^method: expected one of GET/],
    [{ json: { status: 1 } }, /^json\.status: expected a JSON pointer/],
    [{ headers: { 'a b': 'c' } }, /^headers\.a b: expected a name that a header may have/],
    [{ retry: {} }, /^retry\.for: missing: expected how often or how long/],
    [{ method: 'HEAD', contains: 'x' }, /^method: expected a method whose answer has a body/],
  ])('refuses %j', (options, message) =>
    expect(problems({ kind: 'http', url: 'http://localhost/', ...options })).toContainEqual(
      expect.stringMatching(message),
    ),
  );
});

describe('a checklist', () => {
  const items = (...all: unknown[]) => {
    const gate = GateInput.parse({ items: all });
    return gate.kind === 'checklist' ? gate.items : [];
  };
  it('reads every kind of item', () => {
    expect(
      items(
        { command: 'make', name: 'builds', timeout: '5s' },
        { not_command: ['grep', 'x'] },
        { file: 'a' },
        { not_file: 'b' },
        { assertion: 'nice' },
        { any_of: [{ file: 'c' }, { all_of: [{ file: 'd' }] }] },
        { quality: { criteria: ['clear', { name: 'short', weight: 2 }], run: './j' } },
      ),
    ).toEqual([
      { kind: 'command', name: 'builds', run: 'make', timeout: 5_000 },
      { kind: 'not-command', run: ['grep', 'x'], timeout: 60_000 },
      { kind: 'file', path: 'a' },
      { kind: 'not-file', path: 'b' },
      { kind: 'assertion', text: 'nice' },
      {
        kind: 'any-of',
        items: [
          { kind: 'file', path: 'c' },
          { kind: 'all-of', items: [{ kind: 'file', path: 'd' }] },
        ],
      },
      expect.objectContaining({
        kind: 'quality',
        threshold: 4,
        criteria: [
          { name: 'clear', weight: 1 },
          { name: 'short', weight: 2 },
        ],
      }),
    ]);
  });
  it.each<[unknown, unknown]>([
    [
      { type: 'command', value: 'make' },
      { kind: 'command', run: 'make' },
    ],
    [{ check: { type: 'not_file', value: 'x' } }, { kind: 'not-file', path: 'x' }],
    [{ group: [{ file: 'a' }] }, { kind: 'all-of', items: [{ kind: 'file', path: 'a' }] }],
    [{ type: 'checklist', items: [{ file: 'a' }] }, { kind: 'all-of' }],
    [
      { type: 'quality', rubric: { criteria: ['a'], pass_threshold: 3 }, confirmed: true },
      { kind: 'quality', threshold: 3, confirmed: true },
    ],
  ])('reads the older form %j', (item, expected) => expect(items(item)).toMatchObject([expected]));
  it('is a gate of one check in its oldest form', () => {
    expect(GateInput.parse({ type: 'assertion', value: 'nice' })).toMatchObject({
      kind: 'checklist',
      items: [{ kind: 'assertion', text: 'nice' }],
    });
  });
  const quality = { criteria: ['a'], run: './j' };
  it.each<[unknown[], RegExp]>([
    [[], /^items: expected at least one check/],
    [[{}], /^items\.0: expected exactly one of command, not_command/],
    [[{ command: 'a', file: 'b' }], /^items\.0: expected exactly one of/],
    [[{ any_of: [] }], /^items\.0\.any_of: expected at least one check/],
    [[{ comand: 'a' }], /^items\.0\.comand: unknown option "comand": did you mean "command"/],
    [
      [{ file: 'a' }, { quality: { criteria: ['a'] } }],
      /^items\.1\.quality\.run: missing: expected a command that judges, or confirmed: true/,
    ],
    [[{ quality }], /^items: expected a check that needs no judgement: a judged quality alone cannot/],
    [[{ any_of: [{ command: 'a' }, { quality }] }], /a judged quality alone cannot make a hard gate pass/],
    [[{ all_of: [{ quality }] }, { quality }], /a judged quality alone cannot make a hard gate pass/],
  ])('refuses %j', (list, message) =>
    expect(problems({ kind: 'checklist', items: list })).toContainEqual(expect.stringMatching(message)),
  );
  it.each<[Record<string, unknown>]>([
    [{ items: [{ quality }], severity: 'soft' }],
    [{ items: [{ quality: { ...quality, confirmed: true } }] }],
    [{ items: [{ quality }, { command: 'make' }] }],
    [{ items: [{ command: 'make' }, { any_of: [{ quality }, { file: 'a' }] }] }],
  ])('takes a judged quality in %j', (gate) => expect(problems({ kind: 'checklist', ...gate })).toEqual([]));
});

describe('convergence and approval', () => {
  it('have the documented defaults', () => {
    expect(GateInput.parse({ kind: 'convergence' })).toMatchObject({
      strategy: 'fingerprint',
      threshold: 0.95,
    });
    expect(GateInput.parse({ kind: 'approval' })).toMatchObject({
      approvers: [],
      minApprovals: 1,
      default: 'reject',
    });
  });
  it.each<[Record<string, unknown>, RegExp]>([
    [{ kind: 'convergence', threshold: 95 }, /^threshold: expected a number from 0 to 1/],
    [{ kind: 'approval', approvers: ['a'], minApprovals: 2 }, /^minApprovals: expected at most as many/],
    [{ kind: 'approval', minApprovals: 0 }, /^minApprovals: expected a whole number/],
    [{ kind: 'approval', default: 'yes' }, /^default: expected one of reject, approve/],
  ])('refuse %j', (gate, message) => expect(problems(gate)).toContainEqual(expect.stringMatching(message)));
});

describe('ci', () => {
  it('needs nothing but its kind', () => {
    expect(GateInput.parse({ kind: 'ci' })).toMatchObject({ checks: [], workflow: [], poll: 15_000 });
    expect(GateInput.parse({ kind: 'ci', checks: 'build', workflow: 'ci.yml' })).toMatchObject({
      checks: ['build'],
      workflow: ['ci.yml'],
    });
  });
  it.each<[Record<string, unknown>]>([
    [{ apiUrl: 'https://git.example.com/api/v3' }],
    [{ apiUrl: 'http://localhost:8080' }],
    [{ apiUrl: 'http://127.0.0.1:8080/api/v4' }],
    [{ apiUrl: 'http://[::1]:8080' }],
    [{ repository: 'group/sub-group/my.project', provider: 'gitlab' }],
    [{ ref: 'feature/x' }],
    [{ token: 'MY_TOKEN' }],
  ])('takes %j', (gate) => expect(problems({ kind: 'ci', ...gate })).toEqual([]));
  it.each<[Record<string, unknown>, RegExp]>([
    [{ provider: 'bitbucket' }, /^provider: expected one of github, gitlab/],
    [{ repository: 'name' }, /^repository: expected owner\/name/],
    [{ repository: '../../user' }, /^repository: expected owner\/name/],
    [{ repository: 'a/b?x' }, /^repository: expected owner\/name/],
    [{ ref: 'a..b' }, /^ref: expected a commit or a branch/],
    [{ ref: 'main:evil' }, /^ref: expected a commit or a branch/],
    [{ apiUrl: 'http://git.example.com' }, /^apiUrl: expected an https address/],
    [{ apiUrl: 'http://localhost.example.com' }, /^apiUrl: expected an https address/],
    [{ apiUrl: 'http://localhost@git.example.com' }, /^apiUrl: expected an https address/],
    [{ apiUrl: 'https://me:secret@git.example.com' }, /^apiUrl: expected an https address without/],
    [{ provider: 'gitlab', workflow: 'ci.yml' }, /^workflow: expected no workflow beside gitlab/],
    [
      { token: 'ghp_0123456789abcdef' },
      /^token: expected the name .*, and not the token, found "ghp_\*\*\*"/,
    ],
    [{ token: 'two words' }, /^token: expected the name of an environment variable/],
    [{ branch: 'main' }, /^branch: unknown option/],
  ])('refuses %j', (gate, message) =>
    expect(problems({ kind: 'ci', ...gate })).toContainEqual(expect.stringMatching(message)),
  );
});

describe('judge', () => {
  const judge = { run: './judge', rubric: 'Plain words.' };
  it.each<[Record<string, unknown>]>([
    [{ ...judge, severity: 'soft' }],
    [{ ...judge, severity: 'soft', minScore: 0.8, timeout: '2m' }],
    [{ ...judge, rubric: { file: 'RUBRIC.md' }, confirm: 'person' }],
    [{ ...judge, severity: 'hard', confirm: 'person' }],
  ])('takes %j', (gate) => expect(problems({ kind: 'judge', ...gate })).toEqual([]));
  it.each<[Record<string, unknown>, RegExp]>([
    [judge, /^severity: .*expected soft: a judge alone cannot make a hard gate pass.*confirm: person/],
    [{ ...judge, severity: 'hard' }, /^severity: .*a judge alone cannot make a hard gate pass/],
    [{ ...judge, severity: 'soft', confirm: 'model' }, /^confirm: expected one of person/],
    [{ ...judge, severity: 'soft', minScore: 80 }, /^minScore: expected a number from 0 to 1/],
    [{ ...judge, severity: 'soft', rubric: ' ' }, /^rubric: expected what the judge looks for/],
    [{ run: './judge', severity: 'soft' }, /^rubric: missing: expected what the judge looks for/],
    [{ rubric: 'x', severity: 'soft' }, /^run: missing: expected a command/],
  ])('refuses %j', (gate, message) =>
    expect(problems({ kind: 'judge', ...gate })).toContainEqual(expect.stringMatching(message)),
  );
});
