import { FaultError, fault, parseSpec, type StrategySpec, whyNoWhatIf } from '@agentgate/core';
import { strategyOf } from './spec-flags.ts';

/** A strategy as a person named it. */
export interface NamedStrategy {
  name: string;
  strategy: StrategySpec;
}

/** The same, where recorded runs are to be decided again under them. */
export function readWhatIfs(text: string): NamedStrategy[] {
  const named = readStrategies(text);
  for (const { strategy } of named) {
    const why = whyNoWhatIf(strategy);
    if (why) throw new FaultError(fault('usage', `${why}; name another strategy`));
  }
  return named;
}

/** Reads `adaptive,target=0.97`: the only strategy that learns. */
export function readAdaptive(text: string): Extract<StrategySpec, { kind: 'adaptive' }> {
  const [one, ...more] = readStrategies(text);
  if (one?.strategy.kind === 'adaptive' && more.length === 0) return one.strategy;
  throw new FaultError(
    fault('usage', `only adaptive learns, such as --strategy adaptive,target=0.97; it was "${text}"`),
  );
}

/** Reads `hybrid,ralph,max=30,fixed-5`: a word with a sign of equality is an option of the strategy before it. */
function readStrategies(text: string): NamedStrategy[] {
  const names: string[] = [];
  for (const word of text.split(',').map((one) => one.trim())) {
    if (word === '') continue;
    if (word.includes('=') && names.length > 0) names.push(`${names.pop()},${word}`);
    else names.push(word);
  }
  return names.map((name) => ({ name, strategy: readStrategy(name) }));
}

/** `fixed-5` is what tables call a fixed strategy. */
const short = /^fixed-(\d+)$/;

function readStrategy(name: string): StrategySpec {
  const number = short.exec(name)?.[1];
  const strategy = number === undefined ? strategyOf(name) : { kind: 'fixed', iterations: Number(number) };
  const parsed = parseSpec({ ...anySpec, strategy });
  if (parsed.kind === 'spec') return parsed.spec.strategy;
  const why = parsed.problems.map((one) => `${one.path.join('.')}: ${one.message}`).join('; ');
  throw new FaultError(fault('usage', `${name} names no strategy: ${why}; agentgate strategies lists them`));
}

const anySpec = { task: 'any', agent: ['any'], gates: { any: 'any' } };

/** A strategy with the options that are not the usual ones: `ralph,max=30`. */
export function showStrategy(strategy: StrategySpec): string {
  const usual = parseSpec({ ...anySpec, strategy: usualOf(strategy) });
  const known: Record<string, unknown> = usual.kind === 'spec' ? { ...usual.spec.strategy } : {};
  const options = Object.entries(strategy)
    .filter(([key, value]) => key !== 'kind' && JSON.stringify(known[key]) !== JSON.stringify(value))
    .map(([key, value]) => `${key}=${typeof value === 'object' ? JSON.stringify(value) : String(value)}`);
  return [strategy.kind, ...options].join(',');
}

/** A module has no usual path. */
const usualOf = (strategy: StrategySpec): unknown =>
  strategy.kind === 'custom' ? { kind: 'custom', module: 'any' } : strategy.kind;
