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
      'spec.execution.agent: missing: expected an agent of kind command, scripted',
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
      'spec.execution.sandbox: sandboxes are not there yet; leave it out, and run in a container of your own',
    ],
    [
      'a pull request',
      resource({ delivery: { git: { mode: 'github-pr' } } }),
      'spec.delivery.git.mode: "github-pr" is not there yet; deliver a branch, and push it yourself',
    ],
  ])('%s', (_name, value, message) => expect(problemsOf(value)).toContain(message));
  it('are told once', () => {
    expect(problemsOf(resource({ goal: { context: 'x' } }))).toHaveLength(1);
    expect(
      problemsOf({ apiVersion: 'agentgate.io/v1', kind: 'TaskSpec', metadata: { name: 'x' } }),
    ).toContain('spec: missing: expected goal, convergence, execution and delivery');
  });
});
