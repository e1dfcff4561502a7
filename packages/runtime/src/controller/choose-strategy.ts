import {
  hasShape,
  namesIn,
  StrategyNotFoundError,
  StrategyShapeError,
  strategyKinds,
  type StrategyRegistry,
} from '@agentgate/core';
import { isGroup } from './group.ts';
import type { InProcess } from './strategy.ts';

/** The strategy of a spec: one that the core knows, as the spec may have it, or one of the caller's own. */
export type Chosen =
  | { kind: 'spec'; value: unknown }
  | { kind: 'in-process'; strategy: InProcess }
  | { kind: 'problem'; path: string[]; message: string };

/** The core decides for these itself, or asks elsewhere; no registry is needed for them. */
const always = ['manual', 'custom'];

/**
 * Chooses the strategy. One that was given to the controller stands in the place of the spec's; the options of the
 * spec are its config. A name is one of the built-in kinds, or one that is registered.
 */
export function chooseStrategy(
  given: unknown,
  { strategy: named, config: beside }: { strategy?: unknown; config?: unknown },
  registry: StrategyRegistry,
): Chosen {
  const wanted = given ?? named;
  if (typeof wanted === 'function' || hasShape(wanted)) {
    const config = beside ?? (given === undefined ? {} : optionsOf(named));
    return { kind: 'in-process', strategy: { name: nameOf(wanted), config, make: () => wanted } };
  }
  if (isGroup(wanted) && Object.values(wanted).some((one) => typeof one === 'function'))
    return problem(['strategy'], new StrategyShapeError('the object has', namesIn(wanted)).message);
  const type = typeOf(wanted);
  const options = beside ?? optionsOf(wanted);
  if (beside !== undefined && Object.keys(optionsOf(wanted)).length > 0)
    return problem(['config'], 'stands beside options of strategy; give one of them');
  if (beside !== undefined && !isGroup(beside)) return problem(['config'], 'expected a group of options');
  if (type === undefined || isBuiltIn(type, registry))
    return { kind: 'spec', value: flat(wanted, beside, named) };
  if (!registry.has(type))
    return problem(['strategy'], new StrategyNotFoundError(type, registry.list()).message);
  return {
    kind: 'in-process',
    strategy: { name: type, config: options, make: () => registry.create(type, options) },
  };
}

const problem = (path: string[], message: string): Chosen => ({ kind: 'problem', path, message });

function isBuiltIn(type: string, registry: StrategyRegistry): boolean {
  return (strategyKinds as readonly string[]).includes(type) && (always.includes(type) || registry.has(type));
}

/** The name and its options as one group, as the flat form of a spec has them. */
function flat(wanted: unknown, beside: unknown, named: unknown): unknown {
  if (isGroup(wanted)) return isGroup(beside) ? { ...wanted, ...beside } : wanted;
  const same = typeOf(named) === undefined || typeOf(named) === wanted;
  const options = isGroup(beside) ? beside : same ? optionsOf(named) : {};
  if (Object.keys(options).length === 0) return wanted;
  return { ...(wanted === undefined ? {} : { kind: wanted }), ...options };
}

function typeOf(wanted: unknown): string | undefined {
  const type = isGroup(wanted) ? (wanted['kind'] ?? wanted['type'] ?? wanted['mode']) : wanted;
  return typeof type === 'string' ? type : undefined;
}

function optionsOf(wanted: unknown): Record<string, unknown> {
  if (!isGroup(wanted)) return {};
  const { kind: _kind, type: _type, mode: _mode, ...options } = wanted;
  return options;
}

function nameOf(wanted: unknown): string {
  const name = (wanted as { name?: unknown }).name;
  return typeof name === 'string' && name !== '' ? name : 'of the caller';
}
