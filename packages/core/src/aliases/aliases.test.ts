import { describe, expect, it } from 'vitest';
import { parseSpec, showPath } from '../parse-spec.ts';

const good = { task: 'do it', agent: ['true'], gates: { tests: 'npm test' } };
const read = (fields: Record<string, unknown>) => parseSpec({ ...good, ...fields });
const notesOf = (fields: Record<string, unknown>) => read(fields).notes.map(({ message }) => message);
const problemsOf = (fields: Record<string, unknown>) => {
  const parsed = read(fields);
  return parsed.kind === 'spec' ? [] : parsed.problems.map((one) => `${showPath(one.path)}: ${one.message}`);
};
const specOf = (fields: Record<string, unknown>) => {
  const parsed = read(fields);
  return parsed.kind === 'spec' ? { ...parsed.spec, task: parsed.task } : problemsOf(fields);
};

describe('older names are read', () => {
  it.each<[string, Record<string, unknown>, object, string[]]>([
    ['mode', { mode: 'ralph' }, { strategy: { kind: 'ralph' } }, ['mode is read as strategy']],
    [
      'loopStrategy as a group with its mode',
      { loopStrategy: { mode: 'fixed', maxIterations: 5 } },
      { strategy: { kind: 'fixed', iterations: 5 } },
      [
        'loopStrategy is read as strategy',
        'loopStrategy.mode is read as kind',
        'loopStrategy.maxIterations is read as iterations',
      ],
    ],
    [
      'mode beside options',
      { mode: 'ralph', strategy: { maxIterations: 7 } },
      { strategy: { kind: 'ralph', max: 7 } },
      ['mode is read as strategy.kind', 'strategy.maxIterations is read as max'],
    ],
    [
      'the options of hybrid',
      { strategy: { kind: 'hybrid', baseIterations: 4, maxBonusIterations: 1, minVerificationLevel: 'L1' } },
      { strategy: { kind: 'hybrid', base: 4, bonus: 1, minLevel: 'L1' } },
      [
        'strategy.baseIterations is read as base',
        'strategy.maxBonusIterations is read as bonus',
        'strategy.minVerificationLevel is read as minLevel',
      ],
    ],
    [
      'a lone maximum of hybrid',
      { strategy: { kind: 'hybrid', maxIterations: 5 } },
      { strategy: { base: 3, bonus: 2 } },
      ['strategy.maxIterations 5 is read as base 3, bonus 2'],
    ],
    [
      'a maximum of hybrid beside its bonus',
      { strategy: { kind: 'hybrid', maxIterations: 9, bonusIterations: 4 } },
      { strategy: { base: 5, bonus: 4 } },
      ['strategy.bonusIterations is read as bonus', 'strategy.maxIterations 9 is read as base 5, bonus 4'],
    ],
    [
      'a maximum of hybrid below its bonus, which stays the maximum',
      { strategy: { kind: 'hybrid', maxIterations: 1 } },
      { strategy: { base: 1, bonus: 0 } },
      ['strategy.maxIterations 1 is read as base 1, bonus 0'],
    ],
    [
      'the options of ralph',
      { strategy: { kind: 'ralph', minIterations: 2, windowSize: 4, completionSignals: ['FERTIG'] } },
      { strategy: { kind: 'ralph', min: 2, window: 4, signals: ['FERTIG'] } },
      [
        'strategy.minIterations is read as min',
        'strategy.windowSize is read as window',
        'strategy.completionSignals is read as signals',
      ],
    ],
    [
      'a difference as a similarity',
      { strategy: { kind: 'ralph', convergenceThreshold: 0.05 } },
      { strategy: { similarityThreshold: 0.95 } },
      ['strategy.convergenceThreshold 0.05 is read as similarityThreshold 0.95'],
    ],
    [
      'a large difference as a small similarity',
      { strategy: { kind: 'ralph', convergenceThreshold: 0.47 } },
      { strategy: { similarityThreshold: 0.53 } },
      ['strategy.convergenceThreshold 0.47 is read as similarityThreshold 0.53'],
    ],
    [
      'a half as either',
      { strategy: { kind: 'ralph', convergenceThreshold: 0.5 } },
      { strategy: { similarityThreshold: 0.5 } },
      ['strategy.convergenceThreshold is read as similarityThreshold'],
    ],
    [
      'a small similarity as itself',
      { strategy: { kind: 'ralph', convergenceThreshold: 0.51 } },
      { strategy: { similarityThreshold: 0.51 } },
      ['strategy.convergenceThreshold is read as similarityThreshold'],
    ],
    [
      'a similarity as itself',
      { strategy: { kind: 'ralph', convergenceThreshold: 0.9 } },
      { strategy: { similarityThreshold: 0.9 } },
      ['strategy.convergenceThreshold is read as similarityThreshold'],
    ],
    [
      'criteria with underscores',
      { strategy: { kind: 'hybrid', completionCriteria: ['verification_pass', 'LOOP_DETECTION'] } },
      { strategy: { criteria: ['verification-pass', 'loop-detection'] } },
      [
        'strategy.completionCriteria is read as criteria',
        'strategy.completionCriteria "verification_pass" is read as verification-pass',
        'strategy.completionCriteria "LOOP_DETECTION" is read as loop-detection',
      ],
    ],
    [
      'a custom strategy',
      { strategy: { kind: 'custom', modulePath: './s.mjs', strategyName: 'mine', maxIterations: 6 } },
      { strategy: { kind: 'custom', module: './s.mjs', name: 'mine', max: 6 } },
      [
        'strategy.modulePath is read as module',
        'strategy.strategyName is read as name',
        'strategy.maxIterations is read as max',
      ],
    ],
    [
      'what stands elsewhere today',
      { strategy: { kind: 'hybrid', loopDetection: false, stateDir: '.agent' } },
      { detectors: { enabled: false }, stateDir: '.agent' },
      [
        'strategy.stateDir is read as stateDir of the spec',
        'strategy.loopDetection is read as detectors.enabled',
      ],
    ],
    [
      'what has no counterpart',
      { strategy: { kind: 'hybrid', requireCI: false, progressTracking: 'verification_levels' } },
      { strategy: { kind: 'hybrid' } },
      [
        'strategy.progressTracking is left out: progress is always read from the gates',
        'strategy.requireCI false is left out: CI is not asked anyway',
      ],
    ],
    [
      'limits',
      { limits: { maxIterations: 9, maxWallClock: '2h', maxCost: '$3', maxTokens: '1M' } },
      { limits: { iterations: 9, wallClock: 7_200_000, cost: 3, tokens: 1_000_000 } },
      [
        'limits.maxIterations is read as iterations',
        'limits.maxWallClock is read as wallClock',
        'limits.maxCost is read as cost',
        'limits.maxTokens is read as tokens',
      ],
    ],
    [
      'limits in seconds, and at the top',
      { maxWallClockSeconds: 90, maxIterations: 4 },
      { limits: { iterations: 4, wallClock: 90_000 } },
      ['maxIterations is read as iterations', 'maxWallClockSeconds 90 is read as wallClock "90s"'],
    ],
    [
      'a limit in milliseconds',
      { limits: { maxTimeMs: 1500 } },
      { limits: { wallClock: 1_500 } },
      ['limits.maxTimeMs 1500 is read as wallClock "1500ms"'],
    ],
    ['no limit', { limits: { maxTimeMs: null } }, { limits: { wallClock: 3_600_000 } }, []],
    ['a prompt', { task: undefined, prompt: 'go' }, { task: 'go' }, ['prompt is read as task']],
    [
      'a goal with its context',
      { task: undefined, goal: { prompt: 'go', context: 'gently' } },
      { task: 'go\n\ngently' },
      ['goal.prompt is read as task'],
    ],
    [
      'a check in a word',
      { gates: { t: { check: 'npm test' } } },
      { gates: [{ kind: 'command', run: 'npm test' }] },
      ['gates.t is read as {run}'],
    ],
    [
      'levels',
      { gates: { g: { kind: 'levels', levels: ['L0', 'L3'] } } },
      { gates: [{ kind: 'levels', contracts: {}, sanity: {} }] },
      ['gates.g.levels is read as contracts, sanity'],
    ],
    [
      'an older kind',
      { gates: { g: { kind: 'verification-levels', levels: ['L0'] } } },
      { gates: [{ kind: 'levels' }] },
      ['gates.g.levels is read as contracts', 'gates.g is read as {kind: levels, contracts}'],
    ],
    [
      'a custom gate, which may be a module',
      { gates: { g: { kind: 'custom', module: './g.mjs' }, h: { kind: 'custom', run: 'x' } } },
      { gates: [{ kind: 'custom' }, { kind: 'command' }] },
      ['gates.h is read as {kind: command, run}'],
    ],
    [
      'three numbers of hybrid that agree',
      { strategy: { kind: 'hybrid', base: 3, bonus: 2, maxIterations: 5 } },
      { strategy: { base: 3, bonus: 2 } },
      ['strategy.maxIterations 5 is read as base 3, bonus 2'],
    ],
    [
      'a maximum of hybrid beside its base, down to no bonus',
      { strategy: { kind: 'hybrid', base: 5, maxIterations: 5 } },
      { strategy: { base: 5, bonus: 0 } },
      ['strategy.maxIterations 5 is read as base 5, bonus 0'],
    ],
    [
      'detection of ralph, which is its own',
      { strategy: { kind: 'ralph', loopDetection: false } },
      { strategy: { loopDetection: false }, detectors: {} },
      [],
    ],
    [
      'every option that has no counterpart',
      { strategy: { maxCIIterations: 1, blockingExitCode: 2, promptHotReload: true, tuningSignsPath: 'x' } },
      { strategy: { kind: 'hybrid' } },
      [
        'strategy.maxCIIterations is left out: the limits count every iteration',
        'strategy.blockingExitCode is left out: an exit code never keeps an agent from ending here',
        'strategy.promptHotReload is left out: the task is read once, when the run begins',
        'strategy.tuningSignsPath is left out: it never had an effect',
      ],
    ],
    ['a goal in a word', { task: undefined, goal: 'go' }, { task: 'go' }, ['goal is read as task']],
    [
      'the same said twice',
      { limits: { iterations: 4, maxIterations: 4 } },
      { limits: { iterations: 4 } },
      ['limits.maxIterations is read as iterations'],
    ],
    ['stuck: off', { stuck: 'off' }, { stuck: { moves: [] } }, []],
    [
      'options of a strategy without its name, which is the default one',
      { strategy: { base: 5 } },
      { strategy: { kind: 'hybrid', base: 5 } },
      [],
    ],
  ])('%s', (_name, fields, expected, notes) => {
    const all = Object.entries({ ...good, ...fields });
    const value = Object.fromEntries(all.filter(([, one]) => one !== undefined));
    const parsed = parseSpec(value);
    expect(parsed.kind === 'spec' ? { ...parsed.spec, task: parsed.task } : parsed.problems).toMatchObject(
      expected,
    );
    expect(parsed.notes.map(({ message }) => message)).toEqual(notes);
  });
  it('says where each stood', () => {
    expect(read({ limits: { maxIterations: 9 } }).notes).toEqual([
      { path: ['limits', 'maxIterations'], message: 'limits.maxIterations is read as iterations' },
    ]);
  });
  it("takes today's names without a word", () => {
    expect(notesOf({ strategy: { kind: 'ralph', max: 3 }, limits: { iterations: 4 } })).toEqual([]);
  });
});

describe('gates of older designs', () => {
  const older = {
    name: 'tests',
    check: { type: 'custom', command: 'npm test', expectedExit: 3, timeout: '90s' },
    onFailure: {
      action: 'stop',
      maxAttempts: 4,
      feedback: { generator: './say.sh' },
      backoff: { initial: '2s', max: '8s', multiplier: 3 },
    },
    onSuccess: { action: 'skip-remaining' },
    condition: { when: 'on-change', skipIf: 'iteration < 2' },
  };
  const { name: _name, ...unnamed } = older;
  const today = {
    name: 'tests',
    kind: 'command',
    run: 'npm test',
    expectExit: 3,
    timeout: 90_000,
    onFailure: 'stop',
    maxAttempts: 4,
    feedback: { run: './say.sh' },
    backoff: { initial: 2_000, max: 8_000, multiplier: 3 },
    onSuccess: 'skip-remaining',
    when: 'on-change',
    skipIf: 'iteration < 2',
  };
  it('are read from a list', () => expect(specOf({ gates: [older] })).toMatchObject({ gates: [today] }));
  it('are noted once each', () =>
    expect(notesOf({ gates: [older] })).toEqual([
      'gates.0 is read as {kind: command, run, timeout, onFailure, maxAttempts, feedback, backoff, onSuccess, when, skipIf, expectExit}',
    ]));
  it('are read by name', () =>
    expect(specOf({ gates: { tests: unnamed } })).toMatchObject({ gates: [today] }));
  it('keep the order of the list', () =>
    expect(
      specOf({
        gates: [
          { name: 'b', run: 'x' },
          { name: 'a', run: 'y' },
        ],
      }),
    ).toMatchObject({ gates: [{ name: 'b' }, { name: 'a' }] }));
  it.each<[string, object, object]>([
    [
      'approval',
      { type: 'approval', approvers: ['ann'], minApprovals: 1 },
      { kind: 'approval', approvers: ['ann'] },
    ],
    [
      'convergence',
      { type: 'convergence', strategy: 'similarity', threshold: 0.9 },
      { kind: 'convergence', strategy: 'similarity', threshold: 0.9 },
    ],
    [
      'CI',
      {
        type: 'github-actions',
        workflows: ['ci.yml', 'Release'],
        pollInterval: '30s',
        timeout: '30m',
      },
      {
        kind: 'ci',
        provider: 'github',
        workflow: ['ci.yml', 'Release'],
        poll: 30_000,
        timeout: 1_800_000,
      },
    ],
    [
      'CI with times in milliseconds',
      { type: 'github-actions', pollInterval: 5_000, timeout: 60_000 },
      { kind: 'ci', workflow: [], poll: 5_000, timeout: 60_000 },
    ],
    [
      'levels by their names',
      { type: 'verification-levels', levels: ['L0', 'L3'], timeout: 600_000 },
      { kind: 'levels', contracts: {}, sanity: {}, timeout: 600_000 },
    ],
    [
      'levels with what they need',
      { type: 'verification-levels', levels: ['L0', 'L1'], tests: { run: 'npm test' } },
      { kind: 'levels', contracts: {}, tests: { run: [{ run: 'npm test' }] } },
    ],
  ])('%s', (_title, check, expected) =>
    expect(
      specOf({
        gates: [
          { name: 'g', check },
          { name: 'h', check: { type: 'custom', command: 'x' } },
        ],
      }),
    ).toMatchObject({
      gates: [{ name: 'g', ...expected }, { name: 'h' }],
    }),
  );
  it('leave the older form of a single check to the checklist', () =>
    expect(specOf({ gates: { g: { type: 'file', value: 'a.txt' } } })).toMatchObject({
      gates: [{ kind: 'checklist', items: [{ kind: 'file', path: 'a.txt' }] }],
    }));
});

describe('mistakes in older forms stand where they were written', () => {
  it.each<[string, Record<string, unknown>, string]>([
    [
      'two thresholds that disagree',
      { strategy: { kind: 'ralph', convergenceThreshold: 0.05, similarityThreshold: 0.9 } },
      'strategy.convergenceThreshold: is read as similarityThreshold 0.95, but similarityThreshold says 0.9; give one of them',
    ],
    [
      'a threshold out of range',
      { strategy: { kind: 'ralph', convergenceThreshold: 95 } },
      'strategy.convergenceThreshold: expected a number from 0 to 1, found 95',
    ],
    [
      'two names of one limit',
      { limits: { iterations: 3, maxIterations: 4 } },
      'limits.maxIterations: is read as iterations, but iterations says 3; give one of them',
    ],
    [
      'two strategies',
      { strategy: 'ralph', mode: 'fixed' },
      'mode: is read as strategy, but strategy says "ralph"; give one of them',
    ],
    [
      'three numbers of hybrid that disagree',
      { strategy: { kind: 'hybrid', baseIterations: 3, bonusIterations: 2, maxIterations: 9 } },
      'strategy.maxIterations: says 9, but base 3 and bonus 2 make 5; give two of the three',
    ],
    [
      'a base over the maximum',
      { strategy: { kind: 'hybrid', base: 4, maxIterations: 3 } },
      'strategy.maxIterations: expected at least base (4), found 3',
    ],
    [
      'a maximum where progress decides',
      { strategy: { kind: 'hybrid', bonus: 'progress', maxIterations: 3 } },
      'strategy.maxIterations: has no meaning beside bonus: progress; cap the run with limits.iterations',
    ],
    [
      'a maximum of manual',
      { strategy: { kind: 'manual', maxIterations: 3 } },
      'strategy.maxIterations: unknown option "maxIterations": manual has no cap of its own; set limits.iterations',
    ],
    [
      'an unreadable limit',
      { limits: { maxIterations: 'many' } },
      'limits.maxIterations: expected a whole number from 1 to 10000, found "many"',
    ],
    [
      'seconds that are none',
      { limits: { maxWallClockSeconds: '60' } },
      'limits.maxWallClockSeconds: expected a number of seconds above 0, found "60"',
    ],
    [
      'a misspelt older name',
      { limits: { maxIteration: 4 } },
      'limits.maxIteration: unknown option "maxIteration": did you mean "maxIterations"?',
    ],
    [
      'an option of another strategy, under the name it was given',
      { strategy: { kind: 'fixed', windowSize: 4 } },
      'strategy.windowSize: unknown option "windowSize": expected one of kind, iterations',
    ],
    [
      'required CI',
      { strategy: { kind: 'hybrid', requireCI: true } },
      'strategy.requireCI: ci-pass needs a gate that asks CI, such as ci: {kind: ci}; add one, or leave it out',
    ],
    [
      'a gate that asks CI with two names for one option',
      { gates: [{ name: 'ci', check: { type: 'github-actions', workflows: ['ci.yml'], workflow: 'x' } }] },
      'gates.0.check.workflows: is read as workflow, but workflow says "x"; give one of them',
    ],
    [
      'two gates of one name',
      {
        gates: [
          { name: 'tests', run: 'x' },
          { name: 'tests', run: 'y' },
        ],
      },
      'gates.1.name: two gates are named "tests"; give each a name of its own',
    ],
    [
      'a gate without a name',
      { gates: [{ run: 'x' }] },
      'gates.0.name: missing: expected the name of the gate',
    ],
    [
      'a gate that is none',
      { gates: ['npm test'] },
      'gates.0: expected a gate with its name, found "npm test"',
    ],
    [
      'a misspelt command',
      { gates: [{ name: 't', check: { type: 'custom', comand: 'x' } }] },
      'gates.0.check.comand: unknown option "comand": did you mean "command"?',
    ],
    [
      'a misspelt action',
      { gates: [{ name: 't', run: 'x', onFailure: { actoin: 'stop' } }] },
      'gates.0.onFailure.actoin: unknown option "actoin": did you mean "action"?',
    ],
    [
      'a wrong action',
      { gates: [{ name: 't', run: 'x', onFailure: { action: 'stpo' } }] },
      'gates.0.onFailure.action: expected one of iterate, stop, escalate, found "stpo": did you mean "stop"?',
    ],
    [
      'one thing said in two places',
      { gates: [{ name: 't', run: 'x', when: 'always', condition: { when: 'manual' } }] },
      'gates.0.condition.when: stands beside when of the gate; give one of them',
    ],
    [
      'a level without what it needs',
      { gates: { g: { kind: 'levels', levels: ['L1'] } } },
      'gates.g.levels.0: L1 needs what it judges by; add tests: {run: npm test}',
    ],
    [
      'a level that is none',
      { gates: { g: { kind: 'levels', levels: ['L7'] } } },
      'gates.g.levels.0: expected one of L0, L1, L2, L3, found "L7"',
    ],
    [
      'a gate named by a number',
      { gates: [{ name: 3, run: 'x' }] },
      'gates.0.name: expected the name of the gate, found 3',
    ],
    [
      'a generator that is none',
      { gates: { t: { run: 'x', feedback: { generator: 3 } } } },
      'gates.t.feedback.generator: expected a command that prints the feedback, found 3',
    ],
    [
      'a module that is misspelt',
      { gates: { t: { kind: 'custom', modul: './g.mjs' } } },
      'gates.t.modul: unknown option "modul": did you mean "module"?',
    ],
    [
      'levels that are none',
      { gates: { g: { kind: 'levels', levels: [] } } },
      'gates.g.levels: expected a list of L0, L1, L2, L3, found a list',
    ],
    [
      'levels that are no list',
      { gates: { g: { kind: 'levels', levels: 'L0' } } },
      'gates.g.levels: expected a list of L0, L1, L2, L3, found "L0"',
    ],
    [
      'a level with an odd name',
      { gates: { g: { kind: 'levels', levels: ['constructor'] } } },
      'gates.g.levels.0: expected one of L0, L1, L2, L3, found "constructor"',
    ],
    [
      'black boxes without what they need',
      { gates: { g: { kind: 'levels', levels: ['L2'] } } },
      'gates.g.levels.0: L2 needs what it judges by; add blackbox: [{name: starts, run: ./app --version, expect: {exitCode: 0}}]',
    ],
    [
      'a kind with an odd name',
      { gates: { g: { kind: 'constructor', run: 'x' } } },
      'gates.g.kind: unknown kind of gate "constructor": expected one of command, artifact, levels, http, ci, checklist, convergence, approval, judge, custom',
    ],
    [
      'a strategy with an odd name',
      { strategy: { kind: 'constructor', maxIterations: 3 } },
      'strategy.maxIterations: unknown option "maxIterations": constructor has no cap of its own; set limits.iterations',
    ],
    [
      'a limit in two places',
      { maxIterations: 3, limits: { maxIterations: 3 } },
      'maxIterations: is also given in limits; give one of them',
    ],
    [
      'no seconds',
      { limits: { maxWallClockSeconds: 0 } },
      'limits.maxWallClockSeconds: expected a number of seconds above 0, found 0',
    ],
    [
      'milliseconds that are none',
      { limits: { maxTimeMs: '5' } },
      'limits.maxTimeMs: expected a number of milliseconds above 0, found "5"',
    ],
    [
      'half an iteration',
      { strategy: { maxIterations: 2.5 } },
      'strategy.maxIterations: expected a whole number from 1, found 2.5',
    ],
    [
      'no iteration',
      { strategy: { maxIterations: 0 } },
      'strategy.maxIterations: expected a whole number from 1, found 0',
    ],
    [
      'an unreadable maximum',
      { strategy: { maxIterations: '5' } },
      'strategy.maxIterations: expected a whole number from 1, found "5"',
    ],
    [
      'a threshold in words',
      { strategy: { kind: 'ralph', convergenceThreshold: 'low' } },
      'strategy.convergenceThreshold: expected a number from 0 to 1, found "low"',
    ],
    [
      'a threshold below nothing',
      { strategy: { kind: 'ralph', convergenceThreshold: -0.1 } },
      'strategy.convergenceThreshold: expected a number from 0 to 1, found -0.1',
    ],
    [
      'CI that is neither',
      { strategy: { requireCI: 'yes' } },
      'strategy.requireCI: expected true or false, found "yes"',
    ],
    [
      'a folder in two places',
      { stateDir: 'a', strategy: { stateDir: 'a' } },
      'strategy.stateDir: stands beside stateDir of the spec; give one of them',
    ],
    [
      'detection in two places',
      { detectors: { enabled: true }, strategy: { loopDetection: true } },
      'strategy.loopDetection: stands beside detectors; give one of them',
    ],
    ['a misspelt prompt', { promtp: 'x' }, 'promtp: unknown option "promtp": did you mean "prompt"?'],
    [
      'a misspelt older strategy',
      { loopStrategi: 'x' },
      'loopStrategi: unknown option "loopStrategi": did you mean "loopStrategy"?',
    ],
    [
      'a misspelt older option',
      { strategy: { kind: 'ralph', convergenceTreshold: 0.1 } },
      'strategy.convergenceTreshold: unknown option "convergenceTreshold": did you mean "convergenceThreshold"?',
    ],
    [
      'a misspelt option of CI',
      { strategy: { requireCi: true } },
      'strategy.requireCi: unknown option "requireCi": did you mean "requireCI"?',
    ],
    [
      'an older name in the wrong group',
      { limits: { convergenceThreshol: 1 } },
      'limits.convergenceThreshol: unknown option "convergenceThreshol": expected one of iterations, wallClock, tokens, cost, maxWait, quota',
    ],
    ['a goal beside a task', { goal: { prompt: 'x' } }, 'goal.prompt: stands beside task; give one of them'],
  ])('%s', (_name, fields, message) => expect(problemsOf(fields)).toContain(message));
  it('are mistakes in the name where the name is the mistake', () => {
    const [named, valued] = [{ limits: { maxIteration: 3 } }, { limits: { maxTimeMs: 0 } }].map(read);
    expect(named).toMatchObject({ problems: [{ inName: true }] });
    expect(valued).toMatchObject({ problems: [{ path: ['limits', 'maxTimeMs'] }] });
    expect(valued).not.toMatchObject({ problems: [{ inName: true }] });
    const twice = [
      { limits: { iterations: 3, maxIterations: 4 } },
      { gates: { t: { run: 'x', onFailure: { actoin: 'stop' } } } },
      { gates: { t: { run: 'x', when: 'always', condition: { when: 'always' } } } },
      { goal: { prompt: 'x' } },
    ];
    for (const fields of twice) expect(read(fields)).toMatchObject({ problems: [{ inName: true }] });
  });
  it('are told once, without the mistakes that only follow from them', () => {
    expect(problemsOf({ gates: [{ name: 'ci', check: { type: 'gitlab-actions' } }] })).toHaveLength(1);
    expect(problemsOf({ gates: ['npm test'] })).toHaveLength(1);
  });
});

it('a time-out without its unit is read only in the older form, which counts in milliseconds', () => {
  const gate = (value: unknown) => parseSpec({ task: 'go', agent: ['true'], gates: { t: value } });
  expect(gate({ check: { type: 'custom', command: 'x', timeout: 1500 } })).toMatchObject({
    spec: { gates: [{ timeout: 1_500 }] },
  });
  expect(gate({ run: 'x', timeout: 5 })).toMatchObject({
    kind: 'invalid',
    problems: [{ path: ['gates', 't', 'timeout'] }],
  });
});
