import type { LevelResult } from '../../verdict.ts';
import type { StrategyAdvice, StrategyContext, UserStrategy } from '../strategy.ts';
import { readAdvice } from './answer.ts';

/** How one gate stands, as the strategies of document 000 know it. */
export interface GateResult {
  gate: string;
  type?: string;
  passed: boolean;
  failures?: { message: string }[];
  levelResults?: readonly LevelResult[];
  details?: { severity: 'hard' | 'soft'; verdict: string; level: number };
}

/** One earlier iteration (R-000-27). */
export interface HistoryEntry {
  iteration: number;
  timestamp: string;
  gateResults: GateResult[];
  decision: StrategyAdvice;
  snapshotHash?: string;
}

/** Everything about the loop (R-000-25). Iterations count from 1. */
export interface StateOf000 {
  iteration: number;
  /** Milliseconds since the start. */
  elapsed: number;
  gateResults: GateResult[];
  /** The iterations before this one; a copy. */
  history: HistoryEntry[];
  snapshot?: { hash: string };
  agentOutput?: string;
}

/** A strategy that answers about a state (R-000-23). */
export interface StrategyOf000 {
  readonly name?: string;
  readonly type?: string;
  initialize?(config: unknown): unknown;
  shouldContinue(state: StateOf000): unknown;
  getProgress?(state: StateOf000): unknown;
  reset?(): unknown;
  snapshot?(): unknown;
  restore?(state: unknown): unknown;
}

interface Kept {
  decisions: Record<string, StrategyAdvice>;
  own?: unknown;
}

const keptDecisions = 50;

/** Lets a strategy that answers about a state advise. Its own decisions are remembered for its history. */
export function fromState(strategy: StrategyOf000): UserStrategy {
  let decisions = new Map<number, StrategyAdvice>();
  return {
    async decide(context) {
      const state = stateOf(context, decisions);
      const advice = readAdvice(await strategy.shouldContinue(state));
      decisions.set(context.iteration, advice);
      decisions = new Map([...decisions].slice(-keptDecisions));
      if (!strategy.getProgress) return advice;
      const progress = await strategy.getProgress(stateOf(context, decisions));
      return { ...advice, metadata: { ...advice.metadata, progress } };
    },
    snapshot: () => ({ decisions: Object.fromEntries(decisions), own: strategy.snapshot?.() }) satisfies Kept,
    async restore(kept) {
      const { decisions: earlier = {}, own } = kept as Partial<Kept>;
      decisions = new Map(Object.entries(earlier).map(([iteration, one]) => [Number(iteration), one]));
      if (own !== undefined) await strategy.restore?.(own);
    },
    ...(strategy.reset ? { reset: async () => void (await strategy.reset?.()) } : {}),
  };
}

function stateOf(context: StrategyContext, decisions: ReadonlyMap<number, StrategyAdvice>): StateOf000 {
  return {
    iteration: context.iteration,
    elapsed: context.elapsedMs,
    gateResults: context.gates.map(({ name, kind, severity, verdict, passed, level, failures, levels }) => ({
      gate: name,
      type: kind,
      passed,
      ...(failures.length > 0 ? { failures: failures.map((message) => ({ message })) } : {}),
      ...(levels.length > 0 ? { levelResults: levels } : {}),
      details: { severity, verdict, level },
    })),
    history: context.history.map(({ iteration, at, gates, tree, code }) => ({
      iteration,
      timestamp: at,
      gateResults: Object.entries(gates).map(([gate, passed]) => ({ gate, passed })),
      decision: decisions.get(iteration) ?? { continue: true, reason: code },
      ...(tree === '' ? {} : { snapshotHash: tree }),
    })),
    ...(context.tree === '' ? {} : { snapshot: { hash: context.tree } }),
    ...(context.output === null ? {} : { agentOutput: context.output }),
  };
}
