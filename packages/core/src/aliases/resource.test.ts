import { describe, expect, it } from 'vitest';
import { parseSpec, showPath } from '../parse-spec.ts';

const resource = (spec: Record<string, unknown>, top: Record<string, unknown> = {}) => ({
  apiVersion: 'agentgate.io/v1',
  kind: 'TaskSpec',
  metadata: { name: 'fix-auth' },
  spec: {
    goal: { prompt: 'Mend it' },
    convergence: { gates: [{ name: 'tests', check: { type: 'custom', command: 'npm test' } }] },
    execution: { agent: ['claude', '-p'] },
    ...spec,
  },
  ...top,
});
const problemsOf = (value: unknown) => {
  const parsed = parseSpec(value);
  return parsed.kind === 'spec' ? [] : parsed.problems.map((one) => `${showPath(one.path)}: ${one.message}`);
};

describe('the resource form', () => {
  it('is read as the flat form', () => {
    const parsed = parseSpec(
      resource(
        {
          goal: { prompt: 'Mend it', context: 'It broke on Monday.' },
          convergence: {
            strategy: 'ralph',
            config: { maxIterations: 12, minIterations: 2 },
            gates: [{ name: 'tests', check: { type: 'custom', command: 'npm test' } }],
            limits: { maxIterations: 50, maxWallClock: '2h', maxCost: '$10' },
          },
          execution: {
            agent: { kind: 'command', run: 'claude -p' },
            workspace: { source: 'local', exclude: 'log/**' },
          },
          delivery: { git: { mode: 'local', branchPrefix: 'ai/', autoPush: false }, notify: 'say done' },
        },
        { metadata: { name: 'fix-auth', namespace: 'web', labels: { team: 'a' } } },
      ),
    );
    expect(parsed).toMatchObject({
      kind: 'spec',
      task: 'Mend it\n\nIt broke on Monday.',
      metadata: { name: 'fix-auth', namespace: 'web', labels: { team: 'a' } },
      spec: {
        strategy: { kind: 'ralph', max: 12, min: 2 },
        limits: { iterations: 50, wallClock: 7_200_000, cost: 10 },
        agent: { kind: 'command', run: 'claude -p' },
        workspace: { exclude: ['log/**'] },
        deliver: { as: 'branch', branchPrefix: 'ai/' },
        notify: { run: 'say done' },
        gates: [{ name: 'tests', kind: 'command', run: 'npm test', severity: 'hard' }],
      },
    });
  });
  it('has names of its own, which need no note', () => {
    expect(parseSpec(resource({})).notes).toEqual([]);
  });
  it.each<[object, object, string[]]>([
    [{ as: 'branch', on: 'any', commitPrefix: 'x ' }, { as: 'branch', on: 'any', commitPrefix: 'x ' }, []],
    [{ branchPrefix: 'b/' }, { as: 'none', branchPrefix: 'b/' }, []],
    [{ git: { mode: 'local' } }, { as: 'commit' }, ['spec.delivery.git is read as deliver: commit']],
    [
      { git: { mode: 'github-pr', autoPush: true } },
      { as: 'pr' },
      ['spec.delivery.git is read as deliver: pr'],
    ],
    [
      { git: { autoCommit: true, commitPrefix: 'c ' } },
      { as: 'commit', commitPrefix: 'c ' },
      ['spec.delivery.git is read as deliver: commit'],
    ],
    [
      { git: { autoCommit: false, branchPrefix: 'b/' } },
      { as: 'none', branchPrefix: 'b/' },
      ['spec.delivery.git is read as deliver: none'],
    ],
    [{}, { as: 'none' }, []],
  ])('delivers %j', (delivery, deliver, notes) => {
    const parsed = parseSpec(resource({ delivery }));
    expect(parsed).toMatchObject({ kind: 'spec', spec: { deliver } });
    expect(parsed.notes.map(({ message }) => message)).toEqual(notes);
  });
  it('runs where it is, in no sandbox', () => {
    const parsed = parseSpec(
      resource({
        execution: {
          agent: ['x'],
          sandbox: { provider: 'none' },
          workspace: { source: { type: 'local' } },
          stateDir: 'd',
        },
      }),
    );
    expect(parsed).toMatchObject({
      kind: 'spec',
      spec: { stateDir: 'd', workspace: { include: [] } },
      notes: [{ message: 'spec.execution.sandbox is left out: that is how agents run anyway' }],
    });
    expect(parseSpec(resource({ execution: { agent: ['x'], sandbox: 'subprocess' } })).kind).toBe('spec');
  });
  it.each([
    ['bwrap', { agent: 'bwrap', gates: 'bwrap' }],
    [{ agent: 'auto' }, { agent: 'auto', gates: 'auto' }],
  ])('takes sandbox %j as ours', (sandbox, expected) => {
    const parsed = parseSpec(resource({ execution: { agent: ['x'], sandbox } }));
    expect(parsed).toMatchObject({ kind: 'spec', spec: { sandbox: expected }, notes: [] });
  });
  it('takes the other options of a run beside the gates', () => {
    const gates = { t: 'x', u: { run: 'y', severity: 'soft' } };
    const goal = { prompt: 'x', desiredState: { specificGates: ['u'] } };
    const convergence = { gates, detectors: { stall: false }, stuck: 'off', feedback: { maxChars: 600 } };
    expect(parseSpec(resource({ goal, convergence }))).toMatchObject({
      kind: 'spec',
      spec: {
        gates: [
          { name: 't', run: 'x', severity: 'soft' },
          { name: 'u', severity: 'soft' },
        ],
        detectors: { stall: { enabled: false } },
        stuck: { moves: [] },
        feedback: { maxChars: 600 },
      },
      notes: [{ message: 'gate t is soft, because spec.goal.desiredState.specificGates leaves it out' }],
    });
    expect(parseSpec(resource({ goal: { prompt: 'x', desiredState: { allGatesPassed: true } } })).kind).toBe(
      'spec',
    );
  });
  it('lets gates that the goal leaves out advise, and says so', () => {
    const gates = ['tests', 'lint', 'types'].map((name) => ({
      name,
      check: { type: 'custom', command: name },
    }));
    const parsed = parseSpec(
      resource({
        goal: { prompt: 'Mend it', desiredState: { specificGates: ['tests', 'types'] } },
        convergence: { gates },
      }),
    );
    expect(parsed).toMatchObject({
      spec: { gates: [{ severity: 'hard' }, { severity: 'soft' }, { severity: 'hard' }] },
      notes: [
        {
          path: ['spec', 'goal', 'desiredState', 'specificGates'],
          message: 'gate lint is soft, because spec.goal.desiredState.specificGates leaves it out',
        },
      ],
    });
  });
});

describe('mistakes in a resource stand where they were written', () => {
  const goal = (desiredState: object) => ({ goal: { prompt: 'x', desiredState } });
  it.each<[string, unknown, string]>([
    [
      'another version',
      resource({}, { apiVersion: 'v1' }),
      'apiVersion: expected agentgate.io/v1, found "v1"',
    ],
    ['another kind', resource({}, { kind: 'Task' }), 'kind: expected TaskSpec, found "Task"'],
    [
      'metadata without a name',
      resource({}, { metadata: { nam: 'x' } }),
      'metadata.name: missing: expected a name of 1 to 128 characters',
    ],
    [
      'a long name',
      resource({}, { metadata: { name: 'x'.repeat(129) } }),
      `metadata.name: expected a name of 1 to 128 characters, found "${'x'.repeat(56)}..."`,
    ],
    ['a part', resource({ delivry: {} }), 'spec.delivry: unknown option "delivry": did you mean "delivery"?'],
    [
      'an option of a part',
      resource({ convergence: { strateg: 'ralph', gates: [] } }),
      'spec.convergence.strateg: unknown option "strateg": did you mean "strategy"?',
    ],
    [
      'a deep option',
      resource({ convergence: { gates: [{ name: 't', run: 'x' }], limits: { maxWallClok: '1h' } } }),
      'spec.convergence.limits.maxWallClok: unknown option "maxWallClok": did you mean "maxWallClock"?',
    ],
    [
      'a config of the strategy',
      resource({
        convergence: { strategy: 'ralph', config: { windowSize: 1 }, gates: [{ name: 't', run: 'x' }] },
      }),
      'spec.convergence.config.windowSize: expected a whole number from 2 to 20, found 1',
    ],
    ['no goal', resource({ goal: { promt: 'x' } }), 'spec.goal.prompt: missing: expected the task, in words'],
    [
      'no agent',
      resource({ execution: {} }),
      'spec.execution.agent: missing: expected an agent of kind command, scripted, claude, codex, gemini, opencode, qwen, acp',
    ],
    [
      'an unknown gate in the goal',
      resource(goal({ specificGates: ['tets'] })),
      'spec.goal.desiredState.specificGates.0: unknown gate "tets": did you mean "tests"?',
    ],
    [
      'a goal that asks for nothing',
      resource(goal({ allGatesPassed: false })),
      'spec.goal.desiredState.allGatesPassed: then nothing would have to pass; name the gates that must in specificGates',
    ],
    [
      'a state in words',
      resource(goal({ custom: 'it is beautiful' })),
      'spec.goal.desiredState.custom: a state in words cannot be judged; write a gate that proves it',
    ],
    [
      'a workspace from elsewhere',
      resource({ execution: { agent: ['x'], workspace: { source: 'git' } } }),
      'spec.execution.workspace.source: expected local: a run works in the directory it is started in',
    ],
    [
      'a sandbox',
      resource({ execution: { agent: ['x'], sandbox: { provider: 'docker' } } }),
      'spec.execution.sandbox: there is no sandbox "docker"; choose auto, bwrap or none, or run in a container of your own',
    ],
    [
      'a label that is no text',
      resource({}, { metadata: { name: 'x', labels: { a: 1 } } }),
      'metadata.labels.a: expected a text, found 1',
    ],
    [
      'labels that are none',
      resource({}, { metadata: { name: 'x', labels: 'a' } }),
      'metadata.labels: expected texts by name, found "a"',
    ],
    [
      'no version',
      { kind: 'TaskSpec', metadata: { name: 'x' }, spec: {} },
      'apiVersion: missing: expected agentgate.io/v1',
    ],
    [
      'no kind',
      { apiVersion: 'agentgate.io/v1', metadata: { name: 'x' }, spec: {} },
      'kind: missing: expected TaskSpec',
    ],
    ['neither', { metadata: { name: 'x' }, spec: {} }, 'apiVersion: missing: expected agentgate.io/v1'],
    ['more at the top', resource({}, { sepc: {} }), 'sepc: unknown option "sepc": did you mean "spec"?'],
    [
      'a part that is none',
      resource({ execution: 'x' }),
      'spec.execution: expected a group of options, found "x"',
    ],
    [
      'two sets of options for the strategy',
      resource({
        convergence: { strategy: { kind: 'ralph' }, config: { max: 3 }, gates: [{ name: 't', run: 'x' }] },
      }),
      'spec.convergence.config: stands beside options of strategy; give one of them',
    ],
    [
      'a context that is no text',
      resource({ goal: { prompt: 'x', context: 3 } }),
      'spec.goal.context: expected a text, found 3',
    ],
    [
      'a wish that is neither',
      resource(goal({ allGatesPassed: 'yes' })),
      'spec.goal.desiredState.allGatesPassed: expected true or false, found "yes"',
    ],
    [
      'two wishes',
      resource(goal({ allGatesPassed: true, specificGates: ['tests'] })),
      'spec.goal.desiredState.specificGates: stands beside allGatesPassed: true; give one of them',
    ],
    [
      'an empty wish',
      resource(goal({ specificGates: [] })),
      'spec.goal.desiredState.specificGates: expected a list of gate names, found a list',
    ],
    [
      'a wish that is no list',
      resource(goal({ specificGates: 'tests' })),
      'spec.goal.desiredState.specificGates: expected a list of gate names, found "tests"',
    ],
    [
      'a hard gate that the goal leaves out',
      resource({
        ...goal({ specificGates: ['a'] }),
        convergence: { gates: { a: 'x', b: { run: 'y', severity: 'hard' } } },
      }),
      'spec.convergence.gates.b.severity: b is hard, but spec.goal.desiredState.specificGates leaves it out; name it there, or make it soft',
    ],
    [
      'a sandbox by its kind',
      resource({ execution: { agent: ['x'], sandbox: { kind: 'docker' } } }),
      'spec.execution.sandbox: there is no sandbox "docker"; choose auto, bwrap or none, or run in a container of your own',
    ],
    [
      'a pull request of its own',
      resource({ delivery: { pr: { create: true } } }),
      'spec.delivery.pr: a pull request is said with as: pr',
    ],
    [
      'a pull request by its long name',
      resource({ delivery: { pullRequest: {} } }),
      'spec.delivery.pullRequest: a pull request is said with as: pr',
    ],
    [
      'notifications',
      resource({ delivery: { notifications: [] } }),
      'spec.delivery.notifications: say whom to tell with notify: {run: command} or {webhook: address}',
    ],
    [
      'pushing',
      resource({ delivery: { git: { mode: 'push' } } }),
      'spec.delivery.git.mode: pushing is not done; deliver a pull request with as: pr, or a branch, and push it yourself',
    ],
    [
      'another mode',
      resource({ delivery: { git: { mode: 'svn' } } }),
      'spec.delivery.git.mode: expected local or github-pr, found "svn"',
    ],
    [
      'pushing by itself',
      resource({ delivery: { git: { autoPush: true } } }),
      'spec.delivery.git.autoPush: pushing is not done; deliver a pull request with as: pr, or a branch, and push it yourself',
    ],
    [
      'a commit that is neither',
      resource({ delivery: { git: { autoCommit: 'no' } } }),
      'spec.delivery.git.autoCommit: expected true or false, found "no"',
    ],
    [
      'delivery said twice',
      resource({ delivery: { as: 'commit', git: { mode: 'local' } } }),
      'spec.delivery.git: stands beside as; give one of them',
    ],
    [
      'an option of git',
      resource({ delivery: { git: { mod: 'local' } } }),
      'spec.delivery.git.mod: unknown option "mod": did you mean "mode"?',
    ],
    [
      'an option of delivery',
      resource({ delivery: { target: 'commit' } }),
      'spec.delivery.target: unknown option "target": expected one of as, on, branchPrefix, commitPrefix, base, provider, repository, apiUrl, token, notify, git',
    ],
  ])('%s', (_name, value, message) => expect(problemsOf(value)).toContain(message));
  it('are told once', () => {
    expect(problemsOf(resource({ goal: { context: 'x' } }))).toHaveLength(1);
    expect(
      problemsOf({ apiVersion: 'agentgate.io/v1', kind: 'TaskSpec', metadata: { name: 'x' } }),
    ).toContain('spec: missing: expected goal, convergence, execution and delivery');
  });
});
