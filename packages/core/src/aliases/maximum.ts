import { show, showPath } from '../parse-spec/problem.ts';
import { type Group, lookUp } from './group.ts';
import type { Reading } from './reading.ts';

/** Where a strategy has one number for its most iterations, the name of that number. */
const caps: Record<string, string> = { fixed: 'iterations', ralph: 'max', custom: 'max' };

/** The bonus that came with a base before progress itself could earn iterations (C-15). */
const olderBonus = 2;

/** `maxIterations` of a strategy. Under `hybrid` it is base and bonus together. */
export function readMaximum(reading: Reading, strategy: Group, kind: unknown): void {
  const cap = lookUp(caps, kind);
  if (cap) return reading.rename(strategy, 'maxIterations', cap);
  const entry = strategy.get('maxIterations');
  if (!entry) return;
  if (kind !== 'hybrid') {
    const message = `unknown option "maxIterations": ${String(kind)} has no cap of its own; set limits.iterations`;
    return reading.refuse(strategy, 'maxIterations', message);
  }
  strategy.take('maxIterations');
  const { value: most, from } = entry;
  if (typeof most !== 'number' || !Number.isInteger(most) || most < 1)
    return reading.problem(from, `expected a whole number from 1, found ${show(most)}`);
  const split = splitMaximum(most, strategy.get('base')?.value, strategy.get('bonus')?.value);
  if (typeof split === 'string') return reading.problem(from, split);
  for (const [name, value] of Object.entries(split))
    if (strategy.get(name)?.value !== value) strategy.put(name, { value, from });
  reading.note(from, `${showPath(from)} ${most} is read as base ${split.base}, bonus ${split.bonus}`);
}

/** Base and bonus that make exactly this many; a sentence when what was given cannot. */
function splitMaximum(most: number, base: unknown, bonus: unknown): { base: number; bonus: number } | string {
  if (bonus === 'progress')
    return 'has no meaning beside bonus: progress; cap the run with limits.iterations';
  // What is no number is told by the schema at its own place.
  const [first, more] = [numberOf(base), numberOf(bonus)];
  if (first !== undefined && first > most) return `expected at least base (${first}), found ${most}`;
  if (first !== undefined && more !== undefined && first + more !== most)
    return `says ${most}, but base ${first} and bonus ${more} make ${first + more}; give two of the three`;
  const real = first ?? Math.max(1, most - (more ?? olderBonus));
  return { base: real, bonus: most - real };
}

const numberOf = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined);
