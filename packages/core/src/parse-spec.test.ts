import { describe, expect, it } from 'vitest';
import { parseSpec, showPath } from './parse-spec.ts';

const good = { task: 'do it', agent: ['true'], gates: { tests: 'npm test' } };
const problems = (value: unknown) => {
  const parsed = parseSpec(value);
  return parsed.kind === 'invalid'
    ? parsed.problems.map((one) => `${showPath(one.path)}: ${one.message}`)
    : [];
};

describe('a good spec', () => {
  it('has the documented defaults', () => {
    const parsed = parseSpec(good);
    expect(parsed).toMatchObject({
      kind: 'spec',
      spec: {
        agent: { kind: 'command', run: ['true'] },
        strategy: { kind: 'hybrid', base: 3, bonus: 'progress', progressThreshold: 0.1 },
        limits: { iterations: 100, wallClock: 3_600_000, maxWait: 43_200_000 },
        gates: [
          {
            name: 'tests',
            kind: 'command',
            run: 'npm test',
            severity: 'hard',
            baseline: 'absolute',
            report: 'auto',
            expectExit: 0,
            onFailure: 'iterate',
          },
        ],
        feedback: { maxChars: 4000 },
        integrity: { mode: 'guarded', protect: [], unprotect: [], grants: [] },
      },
    });
  });
  it.each([
    [{ strategy: 'fixed' }, { strategy: { kind: 'fixed', iterations: 3 } }],
    [
      { strategy: 'ralph' },
      {
        strategy: {
          kind: 'ralph',
          min: 1,
          max: 10,
          window: 3,
          similarityThreshold: 0.95,
          onFalseClaim: 'iterate',
        },
      },
    ],
    [
      { limits: { wallClock: '1h30m', cost: '$2.50', tokens: '2M' } },
      { limits: { wallClock: 5_400_000, cost: 2.5, tokens: 2_000_000 } },
    ],
    [
      { strategy: 'hybrid' },
      {
        strategy: {
          progressMode: 'delta',
          criteria: ['verification-pass', 'no-changes'],
        },
      },
    ],
    [{ strategy: 'manual' }, { strategy: { kind: 'manual', default: 'stop' } }],
    [
      { strategy: 'adaptive' },
      { strategy: { kind: 'adaptive', mode: 'retention', target: 0.99, explore: 0.05, base: 3 } },
    ],
    [
      { strategy: { kind: 'adaptive', mode: 'value', value: '5usd' } },
      { strategy: { kind: 'adaptive', mode: 'value', value: 5 } },
    ],
    [{ strategy: { mode: 'adaptive', target: 0.97 } }, { strategy: { kind: 'adaptive', target: 0.97 } }],
    [
      { strategy: { kind: 'custom', module: 's.mjs' } },
      { strategy: { name: 'default', max: 10, timeout: 3_000, memoryMb: 256 } },
    ],
    [{ limits: { cost: '5usd' } }, { limits: { cost: 5 } }],
    [{ agent: { run: './agent.sh' } }, { agent: { kind: 'command', run: './agent.sh' } }],
    [{ agent: { script: 's.yaml' } }, { agent: { kind: 'scripted', script: 's.yaml' } }],
    [
      { gates: { built: { exists: 'dist/a.js' } } },
      { gates: [{ name: 'built', kind: 'artifact', exists: ['dist/a.js'] }] },
    ],
    [{ gates: { t: { run: 'x', timeout: '90s' } } }, { gates: [{ timeout: 90_000 }] }],
  ])('reads %j', (fields, expected) =>
    expect(parseSpec({ ...good, ...fields })).toMatchObject({ kind: 'spec', spec: expected }),
  );
});

describe('mistakes', () => {
  it.each<[string, Record<string, unknown>, string]>([
    ['unknown option', { gatse: {} }, 'gatse: unknown option "gatse": did you mean "gates"?'],
    [
      'unknown option in a group',
      { limits: { itterations: 3 } },
      'limits.itterations: unknown option "itterations": did you mean "iterations"?',
    ],
    [
      'nothing near',
      { limits: { zzz: 3 } },
      'limits.zzz: unknown option "zzz": expected one of iterations, wallClock, tokens, cost, maxWait, quota',
    ],
    [
      'duration',
      { limits: { wallClock: '5 parsecs' } },
      'limits.wallClock: expected a duration with its unit, such as 90s, 5m or 1h, found "5 parsecs"',
    ],
    [
      'a duration without its unit',
      { limits: { wallClock: 60 } },
      'limits.wallClock: expected a duration with its unit, such as 90s, 5m or 1h, found 60',
    ],
    [
      'money',
      { limits: { cost: 'much' } },
      'limits.cost: expected an amount of money such as 5usd or $2.50, found "much"',
    ],
    [
      'count',
      { limits: { iterations: 0 } },
      'limits.iterations: expected a whole number from 1 to 10000, found 0',
    ],
    [
      'type',
      { limits: { iterations: 'many' } },
      'limits.iterations: expected a whole number from 1 to 10000, found "many"',
    ],
    [
      'severity',
      { gates: { t: { run: 'x', severity: 'hrad' } } },
      'gates.t.severity: expected one of hard, soft, found "hrad": did you mean "hard"?',
    ],
    [
      'gate option',
      { gates: { t: { run: 'x', timeot: '1m' } } },
      'gates.t.timeot: unknown option "timeot": did you mean "timeout"?',
    ],
    [
      'gate without a command',
      { gates: { t: { severity: 'hard' } } },
      'gates.t.run: missing: expected a command: one text for the shell, or a list of words',
    ],
    [
      'gate kind',
      { gates: { t: { kind: 'comand', run: 'x' } } },
      'gates.t.kind: unknown kind of gate "comand": did you mean "command"?',
    ],
    [
      'gate name',
      { gates: { '': 'x' } },
      'gates.: gate name "": expected 1 to 64 letters, digits, spaces or . _ : -',
    ],
    ['no gates', { gates: {} }, 'gates: expected at least one gate: without gates nothing can be proven'],
    ['an empty command', { gates: { t: '  ' } }, 'gates.t.run: expected a command, found "  "'],
    [
      'a comment for a command',
      { gates: { t: '# to do\n  # and more' } },
      'gates.t.run: expected a command (a comment alone runs nothing), found "# to do\\n  # and more"',
    ],
    ['an empty path', { gates: { t: { exists: '' } } }, 'gates.t.exists: expected a path, found ""'],
    [
      'an empty wish',
      { gates: { t: { contains: [{ path: 'a', text: '' }] } } },
      'gates.t.contains.0.text: expected a text to look for, found ""',
    ],
    [
      'an endless duration',
      { limits: { wallClock: `${'9'.repeat(400)}d` } },
      `limits.wallClock: expected a duration with its unit, such as 90s, 5m or 1h, found "${'9'.repeat(56)}..."`,
    ],
    ['strategy', { strategy: 'hybird' }, 'strategy.kind: unknown strategy "hybird": did you mean "hybrid"?'],
    [
      'strategy option',
      { strategy: { kind: 'ralph', windw: 3 } },
      'strategy.windw: unknown option "windw": did you mean "window"?',
    ],
    [
      'min over max',
      { strategy: { kind: 'ralph', min: 12 } },
      'strategy.min: expected at most max (10), found 12',
    ],
    [
      'threshold',
      { strategy: { kind: 'ralph', similarityThreshold: 95 } },
      'strategy.similarityThreshold: expected a number from 0 to 1, found 95',
    ],
    [
      'detector',
      { detectors: { ocillation: {} } },
      'detectors.ocillation: unknown option "ocillation": did you mean "oscillation"?',
    ],
    [
      'agent',
      { agent: 'aider' },
      'agent.kind: unknown agent "aider"; drive any program as a command, such as {kind: command, run: [aider]}',
    ],
    [
      'artifact without a wish',
      { gates: { a: { kind: 'artifact' } } },
      'gates.a: expected something to look for: exists, notExists or contains',
    ],
    [
      'pattern',
      { gates: { a: { contains: [{ path: 'x', matches: '(' }] } } },
      'gates.a.contains.0.matches: expected a regular expression, found "("',
    ],
    [
      'a strategy that is none of the six',
      { strategy: 'clever' },
      'strategy.kind: unknown strategy "clever": expected one of fixed, hybrid, ralph, manual, adaptive, custom',
    ],
    [
      'a hard gate that nobody starts',
      { gates: { t: { run: 'x', when: 'manual' } } },
      'gates.t.when: a hard gate that only a person starts could never pass in a run; make it soft, or leave manual out',
    ],
    [
      'a worth that is not told',
      { strategy: { kind: 'adaptive', mode: 'value' } },
      'strategy.mode: value needs to know what a solve is worth; say so, such as value: 5usd',
    ],
    [
      'a condition that cannot be read',
      { gates: { a: 'x', t: { run: 'x', skipIf: 'gate.a.green' } } },
      'gates.t.skipIf: expected gate.<name>.passed, gate.<name>.failed or iteration <op> n, found "gate.a.green"',
    ],
    [
      'a condition on nothing',
      { gates: { t: { run: 'x', skipIf: 'iteratoin < 3' } } },
      'gates.t.skipIf: expected gate.<name>.passed, gate.<name>.failed or iteration <op> n, such as iteration < 3, found "iteratoin < 3"',
    ],
    [
      'a condition on an unknown gate',
      { gates: { tests: 'x', t: { run: 'x', skipIf: 'gate.tets.failed' } } },
      'gates.t.skipIf: unknown gate "tets": did you mean "tests"?',
    ],
    [
      'a condition on itself',
      { gates: { t: { run: 'x', skipIf: 'gate.t.passed' } } },
      'gates.t.skipIf: speaks of t itself; name a gate before it',
    ],
    [
      'a condition on a later gate',
      { gates: { t: { run: 'x', skipIf: 'gate.u.passed' }, u: 'y' } },
      'gates.t.skipIf: gate "u" is judged after this one, so the condition would never hold; put it first',
    ],
    [
      'two ways to accept what is unfinished',
      {
        strategy: {
          kind: 'hybrid',
          acceptPartialAfter: 3,
          acceptPartial: { after: 3, allowHardFailures: true },
        },
      },
      'strategy.acceptPartialAfter: stands beside acceptPartial, which says the same and more; give one of them',
    ],
    [
      'CI as a criterion without a gate that asks it',
      { strategy: { kind: 'hybrid', criteria: ['ci-pass'] } },
      'strategy.criteria: ci-pass needs a gate that asks CI, such as ci: {kind: ci}; add one, or leave it out',
    ],
    [
      'more patience than the run has',
      { strategy: { kind: 'manual', timeout: '13h' } },
      'strategy.timeout: expected at most limits.maxWait (12h), found "13h"',
    ],
    [
      'a module outside the project',
      { strategy: { kind: 'custom', module: '../s.mjs' } },
      'strategy.module: expected a module inside the project, found "../s.mjs"',
    ],
    [
      'a path outside the project',
      { gates: { a: { exists: ['ok', 'x/../../y'] } } },
      'gates.a.exists.1: expected a path inside the project, found "x/../../y"',
    ],
    [
      'a report outside the project',
      { gates: { a: { run: 'x', report: { format: 'tap', path: '../r.tap' } } } },
      'gates.a.report.path: expected a path inside the project, found "../r.tap"',
    ],
    [
      'an absolute folder for derived files',
      { stateDir: '/var/agent' },
      'stateDir: expected a folder inside the workspace, such as .agent, found "/var/agent"',
    ],
    [
      'a folder for derived files outside the workspace',
      { stateDir: 'a/../../b' },
      'stateDir: expected a folder inside the workspace, such as .agent, found "a/../../b"',
    ],
    [
      'an agent of no kind',
      { agent: { timeout: '5m' } },
      'agent.kind: missing: expected one of command, scripted, claude, codex, gemini, opencode, qwen, acp',
    ],
    [
      'a wish for nothing',
      { gates: { a: { contains: [{ path: 'x' }] } } },
      'gates.a.contains.0: expected text or matches beside path',
    ],
    [
      'empty wishes',
      { gates: { a: { exists: [], notExists: [] } } },
      'gates.a: expected something to look for: exists, notExists or contains',
    ],
    [
      'what must not be outside',
      { gates: { a: { notExists: '../x' } } },
      'gates.a.notExists: expected a path inside the project, found "../x"',
    ],
    [
      'inputs outside',
      { gates: { a: { run: 'x', inputs: ['../x'] } } },
      'gates.a.inputs.0: expected a path inside the project, found "../x"',
    ],
    [
      'a file outside',
      { gates: { a: { contains: [{ path: '../x', text: 'y' }] } } },
      'gates.a.contains.0.path: expected a path inside the project, found "../x"',
    ],
    [
      'a gate outside',
      { gates: { a: { module: '../g.mjs' } } },
      'gates.a.module: expected a path inside the project, found "../g.mjs"',
    ],
    [
      'a name that ends badly',
      { gates: { 'a/b': 'x' } },
      'gates.a/b: gate name "a/b": expected 1 to 64 letters, digits, spaces or . _ : -',
    ],
    [
      'a name that begins badly',
      { gates: { ' a': 'x' } },
      'gates. a: gate name " a": expected 1 to 64 letters, digits, spaces or . _ : -',
    ],
    [
      'a long name',
      { gates: { ['a'.repeat(65)]: 'x' } },
      `gates.${'a'.repeat(65)}: gate name "${'a'.repeat(56)}...": expected 1 to 64 letters, digits, spaces or . _ : -`,
    ],
    ['nothing', { limits: null }, 'limits: expected a group of options, found nothing'],
    ['a list', { limits: [] }, 'limits: expected a group of options, found a list'],
    [
      'a group',
      { limits: { iterations: {} } },
      'limits.iterations: expected a whole number from 1 to 10000, found a group',
    ],
    [
      'a pause that begins above its end',
      { gates: { a: { run: 'x', backoff: { initial: '2m' } } } },
      'gates.a.backoff.initial: expected at most max, found "2m"',
    ],
  ])('%s', (_name, fields, message) => expect(problems({ ...good, ...fields })).toContain(message));

  it.each<[Record<string, unknown>]>([
    [{ gates: { t: { run: 'x', when: 'manual', severity: 'soft' }, u: 'y' } }],
    [{ gates: { t: { run: 'x', when: 'on-change' } } }],
    [{ gates: { 'unit tests': 'x', t: { run: 'x', skipIf: 'gate.unit tests.failed' } } }],
    [{ gates: { t: { run: 'x', skipIf: 'iteration >= 2' } } }],
    [{ strategy: { kind: 'manual', timeout: '13h' }, limits: { maxWait: '1d' } }],
    [{ strategy: { kind: 'custom', module: './a/../s.mjs' }, stateDir: './.agent' }],
    [{ strategy: { kind: 'custom', module: 'a/./b/../../s.mjs', timeout: '13h' } }],
    [{ strategy: { kind: 'custom', module: '/anywhere/s.mjs' } }],
    [{ strategy: { kind: 'manual', timeout: '12h' } }],
    [{ strategy: { kind: 'ralph', min: 4, max: 4 } }],
    [{ strategy: { kind: 'hybrid', acceptPartialAfter: 3 } }],
    [{ strategy: { kind: 'hybrid', acceptPartial: { after: 3, allowHardFailures: true } } }],
    [
      {
        gates: {
          a: { run: 'x', backoff: { initial: '1m', max: '1m' } },
          'Ä 1._:-': 'y',
          [`${'a'.repeat(64)}`]: 'z',
        },
      },
    ],
    [
      {
        gates: {
          a: { contains: [{ path: 'x', matches: '\\p{L}' }] },
          b: { url: 'http://h', contains: ['x'] },
        },
      },
    ],
  ])('are none in %j', (fields) => expect(problems({ ...good, ...fields })).toEqual([]));

  it('are told once for one place', () => {
    const twice = { ...good, strategy: { kind: 'ralph', min: 2000, max: 1000 } };
    expect(problems(twice)).toEqual(['strategy.min: expected a whole number from 1 to 100, found 2000']);
    const both = { ...good, gates: { a: { run: 'x', skipIf: ' ' } }, stateDir: '' };
    expect(problems(both)).toHaveLength(2);
  });
  it('keep the numbers of a list as numbers', () => {
    const parsed = parseSpec({ ...good, gates: { a: { contains: [{ path: 'x', text: '' }] } } });
    expect(parsed).toMatchObject({ problems: [{ path: ['gates', 'a', 'contains', 0, 'text'] }] });
  });
  it('leave a criterion of CI to a gate that asks it', () => {
    const value = { ...good, strategy: { criteria: ['ci-pass'] }, gates: { t: 'x', ci: { kind: 'ci' } } };
    expect(problems(value).filter((one) => one.startsWith('strategy'))).toEqual([]);
  });
  it('name the spec where they are about all of it', () => {
    expect(problems('x')).toEqual(['the spec: expected a group of options, found "x"']);
  });
  it('are paths outside the project, also absolute ones where the project is known', () => {
    const at = (module: string) => {
      const parsed = parseSpec({ ...good, strategy: { kind: 'custom', module } }, { root: '/home/me/app' });
      return parsed.kind;
    };
    expect(at('/home/me/app/s.mjs')).toBe('spec');
    expect(at('/home/me/app/../other/s.mjs')).toBe('invalid');
    expect(at('/home/me/application/s.mjs')).toBe('invalid');
    expect(at('/home/me/./app/a/../s.mjs')).toBe('spec');
    const atRoot = parseSpec({ ...good, strategy: { kind: 'custom', module: '/s.mjs' } }, { root: '/' });
    expect(atRoot.kind).toBe('spec');
  });

  it('are all told at once', () => {
    const ten = {
      tsak: 'x',
      agent: { run: 7 },
      gates: { t: { run: 'x', severity: 'hrad', timeout: 'soon' }, u: { rn: 'y' } },
      strategy: { kind: 'ralph', min: 5, max: 2, window: 1 },
      limits: { iterations: -1, wallClock: 'long', cost: 'lots' },
    };
    expect(problems(ten).length).toBeGreaterThanOrEqual(10);
    expect(new Set(problems(ten)).size).toBe(problems(ten).length);
  });
  it.each([[null], ['text'], [7], [[]]])('is refused and not thrown for %j', (value) =>
    expect(problems(value).length).toBeGreaterThan(0),
  );
});
