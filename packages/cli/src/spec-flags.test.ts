import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type LoadedSpec, loadSpec } from '@agentgate/runtime';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { overridesOf, type SpecFlags, specFlags } from './spec-flags.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'agentgate-flags-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const good = 'task: go\nagent: ["true"]\ngates: { t: npm test }\n';
const load = (flags: SpecFlags, more = ''): Promise<LoadedSpec> => {
  const file = join(root, 'agentgate.yaml');
  writeFileSync(file, good + more);
  const env = { HOME: root };
  return loadSpec(root, file, ({ gates }) => overridesOf(flags, { gateNames: gates }), { env });
};
const problemsOf = async (flags: SpecFlags) => {
  const loaded = await load(flags);
  return loaded.kind === 'invalid' ? loaded.problems.map((one) => `${one.where}: ${one.message}`) : [];
};

describe('flags set options over the file', () => {
  it.each<[SpecFlags, object, string?]>([
    [
      { strategy: 'ralph,max=30,loopDetection=false' },
      { strategy: { kind: 'ralph', max: 30, loopDetection: false } },
    ],
    [{ strategy: 'manual,timeout=1h' }, { strategy: { kind: 'manual', timeout: 3_600_000 } }],
    [{ strategy: 'adaptive' }, { strategy: { kind: 'adaptive' } }],
    [{ strategy: 'custom,module=./s.mjs' }, { strategy: { kind: 'custom', module: './s.mjs' } }],
    [{ stuck: 'off' }, { stuck: { moves: [] } }],
    [{ stuck: 'fresh,revert' }, { stuck: { moves: ['fresh', 'revert'] } }],
    [{ ask: true }, { stuck: { moves: ['differently', 'fresh', 'revert', 'escalate', 'ask'] } }],
    [
      { ask: true },
      { stuck: { moves: ['fresh', 'ask'], patience: 4 } },
      'stuck: { moves: [fresh], patience: 4 }\n',
    ],
    [{ ask: true, stuck: 'off' }, { stuck: { moves: ['ask'] } }],
    [{ deliver: 'branch' }, { deliver: { as: 'branch', on: 'any' } }, 'deliver: { on: any }\n'],
    [{ notify: 'say done' }, { notify: { run: 'say done' } }],
    [{ notify: 'https://h/x' }, { notify: { webhook: 'https://h/x', run: 'y' } }, 'notify: y\n'],
    [{ stateDir: '.agent' }, { stateDir: '.agent' }],
    [{ maxIterations: '7', maxCost: '3usd' }, { limits: { iterations: 7, cost: 3 } }],
    [
      { set: ['limits.maxWait=2h', 'feedback.maxChars=600'] },
      { limits: { maxWait: 7_200_000 }, feedback: { maxChars: 600 } },
    ],
    [{ set: ['gates.t.timeout=5m'] }, { gates: [{ name: 't', run: 'npm test', timeout: 300_000 }] }],
    [
      { set: ['gates."unit tests.a"={run: x, severity: soft}'] },
      { gates: [{ name: 't' }, { name: 'unit tests.a', run: 'x', severity: 'soft' }] },
    ],
    [{ set: ['agent=[a, "b=c"]'] }, { agent: { run: ['a', 'b=c'] } }],
    [{ set: ['strategy.maxIterations=9'] }, { strategy: { kind: 'ralph', max: 9 } }, 'strategy: ralph\n'],
    [
      { set: ['detectors.stall=false', 'detectors.stall.window=4'] },
      { detectors: { stall: { enabled: false, window: 4 } } },
    ],
    [{ gate: ['t=make test'] }, { gates: [{ name: 't', run: 'make test', severity: 'hard' }] }],
  ])('%j', async (flags, expected, more) =>
    expect(await load(flags, more)).toMatchObject({ kind: 'loaded', spec: expected }),
  );
  it('a gate by flag takes the whole place of the one it names', async () => {
    const profile = 'gates: { t: { timeout: 5m, severity: soft } }\n';
    mkdirSync(join(root, '.agentgate', 'profiles'), { recursive: true });
    writeFileSync(join(root, '.agentgate', 'profiles', 'default.yaml'), profile);
    expect(await load({})).toMatchObject({ spec: { gates: [{ name: 't', run: 'npm test' }] } });
    const loaded = await load({ gate: ['t=make test', 'npm run lint'] });
    const gates = loaded.kind === 'loaded' ? loaded.spec.gates : [];
    expect(gates).toMatchObject([
      { name: 't', run: 'make test', severity: 'hard' },
      { name: 'lint', run: 'npm run lint' },
    ]);
    expect(gates[0]).not.toHaveProperty('timeout');
  });
  it('--strategy names all six', () => {
    expect(specFlags.strategy.brief).toContain('fixed, hybrid, ralph, manual, adaptive or custom');
  });
});

describe('a wrong flag is named', () => {
  it.each<[SpecFlags, string]>([
    [{ strategy: 'ralhp' }, '--strategy: unknown strategy "ralhp": did you mean "ralph"?'],
    [{ stuck: 'pray' }, '--stuck: expected one of differently, fresh, revert, escalate, ask, found "pray"'],
    [
      { deliver: 'brnch' },
      '--deliver: expected one of none, commit, branch, pr, found "brnch": did you mean "branch"?',
    ],
    [
      { stateDir: '/etc' },
      '--state-dir: expected a folder inside the workspace, such as .agent, found "/etc"',
    ],
    [
      { set: ['limits.iteratons=3'] },
      '--set limits.iteratons: unknown option "iteratons": did you mean "iterations"?',
    ],
    [
      { set: ['limits.iterations=none'] },
      '--set limits.iterations: expected a whole number from 1 to 10000, found "none"',
    ],
    [{ set: ['limits='] }, '--set limits: expected a group of options, found nothing'],
    [{ gate: ['t=# to do'] }, '--gate: expected a command (a comment alone runs nothing), found "# to do"'],
  ])('%j', async (flags, message) => expect(await problemsOf(flags)).toEqual([message]));
  it.each([
    ['limits.iterations', /^--set: expected path=value, such as limits\.maxWait=2h/],
    ['=3', /expected path=value/],
    ['a..b=3', /expected path=value/],
    ['task=[', /^--set task=\[: the value cannot be read as YAML/],
  ])('--set %s', (text, expected) =>
    expect(() => overridesOf({ set: [text] }, { gateNames: [] })).toThrow(expected),
  );
  it.each<[SpecFlags, string, string]>([
    [{ gate: ['tests='] }, '--gate', 'gates.tests.run'],
    [{ gate: ['tests= '] }, '--gate', 'gates.tests.run'],
    [{ gate: ['Tests=\n'] }, '--gate', 'gates.Tests.run'],
    [{ softGate: ['t='] }, '--soft-gate', 'gates.t.run'],
  ])('a gate without a command is none, whatever a shell makes of it: %j', async (flags, where, path) => {
    const loaded = await load(flags);
    const problems = loaded.kind === 'invalid' ? loaded.problems : [];
    expect(problems).toEqual([{ where, path, message: 'expected a command, found ""' }]);
  });
  it('pollutes nothing', async () => {
    expect(await problemsOf({ set: ['__proto__.polluted=1'] })).toHaveLength(1);
    expect(({} as { polluted?: number }).polluted).toBeUndefined();
  });
});
