import type { NamedGate, RunSpec } from './spec.ts';
import type { Verdict } from './verdict.ts';

/** What is known when it comes to a gate: the iteration, and the verdicts of it so far. */
export interface SpareContext {
  spec: RunSpec;
  iteration: number;
  verdicts: ReadonlyMap<string, Verdict>;
  /** The run is about to converge or measures its baseline: conditions spare nothing now. */
  unspared: boolean;
}

type Skipped = Extract<Verdict, { kind: 'skipped' }>;

/** Why a gate is left out for now, or null when it is judged. What is spared has neither passed nor failed. */
export function sparedVerdict(gate: NamedGate, context: SpareContext): Skipped | null {
  if (gate.when === 'manual')
    return { kind: 'skipped', why: 'only a person starts it: agentgate check', by: 'manual' };
  if (context.unspared) return null;
  const end = precedingEnd(gate, context);
  if (end) return { kind: 'skipped', why: `${end} failed, and its rule is to stop`, by: 'condition' };
  if (gate.skipIf !== undefined && holds(gate.skipIf, context))
    return { kind: 'skipped', why: `left out while ${gate.skipIf}`, by: 'condition' };
  const winner = precedingWinner(gate, context);
  return winner ? { kind: 'skipped', why: `spared, because ${winner} passed`, by: 'success' } : null;
}

function precedingWinner(gate: NamedGate, { spec, verdicts }: SpareContext): string | null {
  for (const one of spec.gates) {
    if (one.name === gate.name) return null;
    if (one.onSuccess === 'skip-remaining' && verdicts.get(one.name)?.kind === 'passed') return one.name;
  }
  return null;
}

/** A hard gate before this one that ends the run; what stands after it need not be judged any more. */
function precedingEnd(gate: NamedGate, { spec, verdicts }: SpareContext): string | null {
  for (const one of spec.gates) {
    if (one.name === gate.name) return null;
    const kind = verdicts.get(one.name)?.kind;
    const ends = one.onFailure === 'stop' && one.severity === 'hard' && one.baseline === 'absolute';
    if (ends && (kind === 'failed' || kind === 'timed-out')) return one.name;
  }
  return null;
}

const gateCondition = /^gate\.(.+)\.(passed|failed)$/;
const countCondition = /^iteration\s*(<=|>=|==|!=|=|<|>)\s*(\d+)$/;

/** A condition that cannot be read holds never, so that a gate is rather judged than left out. */
function holds(condition: string, { verdicts, iteration }: SpareContext): boolean {
  const gate = gateCondition.exec(condition.trim());
  if (gate) return verdicts.get(gate[1]!)?.kind === gate[2];
  const count = countCondition.exec(condition.trim());
  return count ? compare(iteration, count[1]!, Number(count[2])) : false;
}

/** Whether a condition can be read at all, and which gate it speaks of. */
export function readCondition(condition: string): { gate: string | null } | null {
  const gate = gateCondition.exec(condition.trim());
  if (gate) return { gate: gate[1]! };
  return countCondition.test(condition.trim()) ? { gate: null } : null;
}

function compare(left: number, operator: string, right: number): boolean {
  switch (operator) {
    case '<':
      return left < right;
    case '<=':
      return left <= right;
    case '>':
      return left > right;
    case '>=':
      return left >= right;
    case '!=':
      return left !== right;
    default:
      return left === right;
  }
}
