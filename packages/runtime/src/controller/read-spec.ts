import { FaultError, fault, parseSpec, type RunSpec, showPath, type StrategyRegistry } from '@agentgate/core';
import { chooseStrategy } from './choose-strategy.ts';
import { fillFlat, fillHolder, fillResource, noTask, partOf } from './fill-spec.ts';
import { isGroup } from './group.ts';
import type { InProcess } from './strategy.ts';

/**
 * What `initialize` takes: the flat form, `{strategy, config, gates, limits}`, or a resource with these under
 * `spec.convergence`. Older names are accepted as well. It is checked when it is read, not by its type.
 */
export interface ConvergenceSpec {
  /** A kind, a registered type, options with their `kind`, or a strategy of your own. */
  strategy?: unknown;
  /** The options of a strategy that is only named. */
  config?: unknown;
  gates?: Record<string, unknown> | readonly ({ name: string } & Record<string, unknown>)[];
  limits?: {
    iterations?: number;
    maxIterations?: number;
    /** With its unit, such as `90s`; a bare number is in milliseconds. */
    wallClock?: string | number;
    maxWallClock?: string | number;
    tokens?: string | number;
    cost?: string | number;
    [older: string]: unknown;
  };
  [option: string]: unknown;
}

/** A spec that a controller can run. */
export interface ReadySpec {
  spec: Omit<RunSpec, 'task'>;
  /** Null when the spec names none; the context of the run may have it. */
  task: string | null;
  /** The strategy when it is one of the caller's own. */
  strategy: InProcess | null;
}

export interface ReadOptions {
  /** Stands in the place of the spec's own. */
  strategy?: unknown;
  registry: StrategyRegistry;
  strategyTimeoutMs: number;
}

/**
 * Reads a convergence spec in any of its forms: flat, `{strategy, config, gates, limits}`, or a resource. A task and
 * an agent need not be given, and neither must a gate say what it checks: the callbacks know. Every mistake is told
 * at once.
 */
export function readSpec(value: unknown, { strategy, registry, strategyTimeoutMs }: ReadOptions): ReadySpec {
  if (!isGroup(value))
    throw invalid([{ path: [], message: 'expected an object with gates, strategy and limits' }]);
  const resource = 'spec' in value && ['apiVersion', 'kind', 'metadata'].some((key) => key in value);
  const holder = resource ? partOf(partOf(value, 'spec'), 'convergence') : value;
  const named = holder['strategy'] ?? holder['mode'] ?? holder['loopStrategy'];
  const chosen = chooseStrategy(strategy, { strategy: named, config: holder['config'] }, registry);
  const filled = fillHolder(holder, chosen.kind === 'spec' ? chosen.value : undefined);
  const parsed = parseSpec(resource ? fillResource(value, filled) : fillFlat(filled));
  const problems = [
    ...(chosen.kind === 'problem' ? [chosen] : []),
    ...(parsed.kind === 'invalid' ? parsed.problems.map((one) => atConfig(one, holder['config'])) : []),
  ];
  if (problems.length > 0 || parsed.kind === 'invalid') throw invalid(problems);
  if (typeof parsed.task !== 'string')
    throw invalid([{ path: ['task'], message: 'expected the text itself; read the file before' }]);
  const task = parsed.task === noTask ? null : parsed.task;
  // Gates are asked in their order; only those that say so run beside each other.
  const gates = parsed.spec.gates.map((gate) => ({ ...gate, parallel: gate.parallel ?? false }));
  const own = chosen.kind === 'in-process' ? chosen.strategy : null;
  const spec = { ...parsed.spec, gates };
  return { spec: own ? withOwn(spec, own.name, strategyTimeoutMs) : spec, task, strategy: own };
}

/** A strategy of the caller's has no cap of its own: the limits bind. */
function withOwn(spec: Omit<RunSpec, 'task'>, name: string, timeout: number): Omit<RunSpec, 'task'> {
  const max = spec.limits.iterations;
  return { ...spec, strategy: { kind: 'custom', module: 'this process', name, max, timeout, memoryMb: 256 } };
}

/** What the user wrote under `config` is told there, and not where it was read as. */
function atConfig({ path, message }: Mistake, config: unknown): Mistake {
  const at = path.indexOf('strategy');
  const option = path[at + 1];
  if (at === -1 || !isGroup(config) || option === undefined || !Object.hasOwn(config, option))
    return { path, message };
  return { path: path.with(at, 'config'), message };
}

interface Mistake {
  path: readonly (string | number)[];
  message: string;
}

function invalid(problems: readonly Mistake[]): FaultError {
  const lines = problems.map(({ path, message }) => `${showPath(path)}: ${message}`);
  const count = lines.length === 1 ? 'a mistake' : `${lines.length} mistakes`;
  return new FaultError(fault('spec.invalid', `the spec has ${count}\n  ${lines.join('\n  ')}`));
}
