import {
  type Plan,
  type PlanDecisionOf,
  type PlanState,
  type RunSpec,
  type ItemShare,
  type WorkItem,
  approachWords,
  itemTask,
  probeTask,
} from '@agentgate/core';
import { FaultError, fault } from '@agentgate/core';
import { type LoadedSpec, loadSpec, type Override } from '../spec/load.ts';

type Loaded = Extract<LoadedSpec, { kind: 'loaded' }>;

/** What every item is like where neither the plan nor its own words say otherwise (requirements 3.5). */
const defaults: [string, unknown][] = [
  [
    'detectors',
    { 'failure-set-repeat': { enabled: true, window: 2 }, oscillation: true, 'no-changes': true },
  ],
  // Another approach is the outer loop's to choose, and stands in its log.
  ['stuck', 'off'],
];

/** The spec of an item's run: that of the project, then the plan's, then the item's own. */
export async function specOfItem(
  state: PlanState,
  decision: PlanDecisionOf<'run-item'>,
  { root, limit, env }: { root: string; limit: number; env?: NodeJS.ProcessEnv },
): Promise<Loaded> {
  const { plan, agenda } = state;
  const item = agenda.item(decision.item);
  const words = decision.from === null ? approachWords(state, decision) : null;
  const task = [itemTask(state, item.id), ...(words === null ? [] : [words])].join('\n\n');
  const hasStrategy = 'strategy' in plan.run;
  return load(root, state, env, [
    ...defaults.filter(([name]) => !(name in plan.run)).map(([name, value]) => set([name], value)),
    ...shared(plan),
    ...gatesOf(state, item),
    ...conflictGate(state, decision),
    set(['task'], task),
    ...(hasStrategy ? [] : [set(['strategy'], { kind: 'fixed', iterations: limit })]),
    set(['limits', 'iterations'], limit),
    ...limitsOf(state, item),
    ...(item.agent === undefined ? [] : [set(['agent'], item.agent)]),
    // A worktree has a repository of its own, in which nobody would find a commit.
    ...(decision.place === 'worktree' ? [set(['deliver'], 'none')] : []),
  ]);
}

/** The gates of an item alone, for judging them without an agent. */
export async function gatesOfItem(
  state: PlanState,
  id: string,
  { root, env }: { root: string; env?: NodeJS.ProcessEnv },
): Promise<RunSpec> {
  const item = state.agenda.item(id);
  const loaded = await load(root, state, env, [
    ...shared(state.plan),
    ...gatesOf(state, item),
    set(['task'], itemTask(state, id)),
    ...('agent' in state.plan.run || 'agent' in state.plan.base ? [] : [set(['agent'], ['true'])]),
  ]);
  return loaded.spec;
}

/** The spec of a look into something: one build, judged by nothing but that it happened. */
export async function specOfProbe(
  state: PlanState,
  decision: PlanDecisionOf<'probe'>,
  { root, env }: { root: string; env?: NodeJS.ProcessEnv },
): Promise<Loaded> {
  const item = state.agenda.item(decision.item);
  const loaded = await load(root, state, env, [
    ...shared(state.plan).filter(({ path }) => path[0] !== 'gates'),
    set(['task'], probeTask(state, decision)),
    set(['gates'], { looked: { kind: 'command', run: ['true'] } }),
    set(['strategy'], { kind: 'fixed', iterations: 1 }),
    set(['limits', 'iterations'], 1),
    set(['integrity'], 'off'),
    set(['stuck'], 'off'),
    set(['deliver'], 'none'),
    ...(item.agent === undefined ? [] : [set(['agent'], item.agent)]),
  ]);
  return {
    ...loaded,
    spec: { ...loaded.spec, gates: loaded.spec.gates.filter(({ name }) => name === 'looked') },
  };
}

const set = (path: string[], value: unknown): Override => ({ path, value, flag: 'the plan' });

/** What the project and the plan say about every run. The gates of the plan come to those of the project. */
function shared({ base, run }: Plan): Override[] {
  return [...Object.entries(base), ...Object.entries(run)].flatMap(([key, value]) =>
    key === 'gates' && typeof value === 'object' && value !== null
      ? Object.entries(value).map(([name, gate]) => set(['gates', name], gate))
      : [set([key], value)],
  );
}

/** Gates of its own, those of the groups that it is an alternative of, and the criteria of all of them. */
function gatesOf({ agenda }: PlanState, item: WorkItem): Override[] {
  const groups = agenda.groupsAround(item.id).toReversed();
  const gates = [
    ...[...groups, item].flatMap((one) => Object.entries(one.gates)),
    ...groups.flatMap((one) => criteriaOf(one, `${one.id.slice(0, 48)}:accept`)),
    ...criteriaOf(item, 'accept'),
  ];
  return gates.map(([name, gate]) => set(['gates', name], gate));
}

/** Criteria that no person has to tick, as gates. */
const criteriaOf = ({ acceptance }: WorkItem, word: string): [string, unknown][] =>
  acceptance.flatMap((one, at): [string, unknown][] => {
    const name = `${word}-${at + 1}`;
    if ('run' in one) return [[name, { run: one.run, severity: one.severity }]];
    if ('judge' in one)
      return [[name, { kind: 'judge', run: one.judge, rubric: one.rubric, severity: 'soft' }]];
    return [];
  });

/** A file with conflict marks in it is no merge, whatever else its gates say. */
function conflictGate({ records }: PlanState, { item, approach }: PlanDecisionOf<'run-item'>): Override[] {
  const paths = approach === 'resolve' ? (records.get(item)!.conflict?.paths ?? []) : [];
  if (paths.length === 0) return [];
  const look = 'if grep -nHsE "^(<<<<<<<|>>>>>>>) " -- "$@"; then exit 1; fi';
  return [set(['gates', 'no-conflict-marks'], { run: ['sh', '-c', look, 'conflicts', ...paths] })];
}

/** No item may use more than was set aside of the whole for it. */
function limitsOf(state: PlanState, { id, limits }: WorkItem): Override[] {
  const share: Partial<ItemShare> = state.records.get(id)!.share ?? {};
  const least = (name: keyof ItemShare) =>
    limits[name] === undefined ? share[name] : Math.min(limits[name], share[name] ?? Infinity);
  const [wallClock, tokens, cost] = [least('wallClock'), least('tokens'), least('cost')];
  return [
    ...(wallClock === undefined
      ? []
      : [set(['limits', 'wallClock'], `${Math.max(1, Math.ceil(wallClock / 1000))}s`)]),
    ...(tokens === undefined ? [] : [set(['limits', 'tokens'], Math.max(1, Math.floor(tokens)))]),
    ...(cost === undefined ? [] : [set(['limits', 'cost'], `${Math.max(0.01, cost)}usd`)]),
  ];
}

async function load(
  root: string,
  { agenda }: PlanState,
  env: NodeJS.ProcessEnv | undefined,
  overrides: readonly Override[],
): Promise<Loaded> {
  const loaded = await loadSpec(root, null, overrides, { alone: true, ...(env ? { env } : {}) });
  if (loaded.kind === 'loaded') return loaded;
  const first = loaded.problems[0];
  throw new FaultError(
    fault(
      'spec.invalid',
      `an item of the plan cannot run (${agenda.items.length} items): ${first?.where} ${first?.path}: ${first?.message}`,
    ),
  );
}
