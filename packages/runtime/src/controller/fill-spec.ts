import { type Group, isGroup } from './group.ts';

/** What stands for a gate that says nothing about what it checks, and for the agent. */
const byCaller = 'checked by the caller';
const callerBuilds = { run: ['the caller builds'] };
export const noTask = 'The task is known to the program that runs this.';

/** The part that says how to converge, with today's place for the strategy. */
export function fillHolder(holder: Group, strategy: unknown): Group {
  const { strategy: named, config: _config, mode, loopStrategy, ...rest } = holder;
  // An older name beside the name of today must agree with it, and that is for the parser to see.
  const beside = {
    ...(mode === undefined ? {} : { mode }),
    ...(loopStrategy === undefined ? {} : { loopStrategy }),
  };
  return {
    ...rest,
    ...(named === undefined ? {} : beside),
    ...(strategy === undefined ? {} : { strategy }),
    ...('gates' in rest ? { gates: fillGates(rest['gates']) } : {}),
    ...('limits' in rest ? { limits: withUnits(rest['limits']) } : {}),
    ...(withUnits(rest['maxWallClock'] === undefined ? {} : { maxWallClock: rest['maxWallClock'] }) as Group),
  };
}

/** The flat form with a task and an agent. */
export function fillFlat(flat: Group): Group {
  const hasTask = ['task', 'prompt', 'goal'].some((key) => key in flat);
  return {
    ...(hasTask ? {} : { task: noTask }),
    ...('agent' in flat ? {} : { agent: callerBuilds }),
    ...flat,
  };
}

/** The same for a resource. */
export function fillResource(value: Group, convergence: Group): Group {
  const spec = partOf(value, 'spec');
  const execution = partOf(spec, 'execution');
  return {
    ...value,
    spec: {
      ...spec,
      goal: spec['goal'] ?? { prompt: noTask },
      convergence,
      execution: { agent: callerBuilds, ...execution },
    },
  };
}

function fillGates(gates: unknown): unknown {
  if (Array.isArray(gates)) return gates.map(fillGate);
  if (!isGroup(gates)) return gates;
  return Object.fromEntries(Object.entries(gates).map(([name, gate]) => [name, fillGate(gate)]));
}

/** Options that say what a gate checks. */
const checks = [
  'run',
  'command',
  'check',
  'module',
  'url',
  'items',
  'value',
  'exists',
  'notExists',
  'contains',
];
const levels = ['contracts', 'tests', 'blackbox', 'sanity'];
/** Kinds that need something to check, which the callback knows. */
const open: readonly unknown[] = [undefined, 'command', 'custom', 'test-command'];

function fillGate(gate: unknown): unknown {
  if (gate === true || gate === null) return { run: byCaller };
  if (!isGroup(gate) || checks.some((key) => key in gate)) return gate;
  const { kind, type, ...rest } = gate;
  const given = kind ?? type;
  const section = levels.some((key) => key in gate);
  if ((given === 'levels' || given === 'verification-levels') && !section) return { ...gate, sanity: {} };
  const person = given === undefined && ['approvers', 'minApprovals'].some((key) => key in gate);
  return open.includes(given) && !section && !person ? { ...rest, run: byCaller } : gate;
}

/** A bare number is in milliseconds here: that is what a program counts in. */
function withUnits(limits: unknown): unknown {
  if (!isGroup(limits)) return limits;
  return Object.fromEntries(
    Object.entries(limits).map(([name, value]) => [
      name,
      typeof value === 'number' && /^(?:max)?(?:WallClock|Wait)$/i.test(name) ? `${value}ms` : value,
    ]),
  );
}

/** A group inside of a group; an empty one where there is none. */
export const partOf = (value: Group, name: string): Group => {
  const part = value[name];
  return isGroup(part) ? part : {};
};
