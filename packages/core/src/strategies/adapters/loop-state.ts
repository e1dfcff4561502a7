import { hash64 } from '../../text/hash.ts';
import type { StrategyContext } from '../strategy.ts';
import { highestLevelOf, reportOf, type VerificationReport } from './report.ts';

/** What the lifecycle shape remembers of a loop (F-AG-08). */
export interface LoopState {
  iteration: number;
  decisions: {
    iteration: number;
    shouldContinue: boolean;
    reason: string;
    action: string;
    metadata?: Record<string, unknown>;
  }[];
  progress: {
    highestVerificationLevel: string | null;
    featuresCompleted: number;
    totalFeatures: number;
    progressPercent: number;
  };
  loopDetection: { contentHashes: string[]; loopCount: number };
  /** The strategy's own; it is kept from one iteration to the next, and over a restart. */
  customState: Record<string, unknown>;
}

const keptDecisions = 50;
const keptHashes = 5;
const loopLength = 3;

export function emptyLoopState(): LoopState {
  return {
    iteration: 0,
    decisions: [],
    progress: {
      highestVerificationLevel: null,
      featuresCompleted: 0,
      totalFeatures: 0,
      progressPercent: 0,
    },
    loopDetection: { contentHashes: [], loopCount: 0 },
    customState: {},
  };
}

/** The state with the iteration that has just finished. */
export function withIteration(state: LoopState, context: StrategyContext): LoopState {
  const report = reportOf(context);
  return {
    ...state,
    iteration: context.iteration,
    progress: report ? progressOf(report) : state.progress,
    loopDetection: withHash(state.loopDetection, contentHash(context, report)),
  };
}

/** The state with one more decision; the oldest are forgotten, because a state must stay small. */
export function withDecision(state: LoopState, decision: LoopState['decisions'][number]): LoopState {
  return { ...state, decisions: [...state.decisions, decision].slice(-keptDecisions) };
}

/** How far the verification came: what passed of all that was checked, and the highest level without a gap. */
export function progressOf(report: VerificationReport): LoopState['progress'] {
  const all = Object.values(report.levels);
  const passed = all.filter((one) => one.passed).length;
  return {
    highestVerificationLevel: highestLevelOf(report),
    featuresCompleted: passed,
    totalFeatures: all.length,
    progressPercent: all.length === 0 ? 0 : Math.round((100 * passed) / all.length),
  };
}

// What was verified and the tree it was verified on, in 16 characters (R-002-16).
function contentHash({ tree }: StrategyContext, report: VerificationReport | null): string {
  const results = Object.entries(report?.levels ?? {}).map(([level, { passed }]) => `${level}:${passed}`);
  return hash64([tree, ...results].join('\n'));
}

function withHash(
  { contentHashes, loopCount }: LoopState['loopDetection'],
  hash: string,
): LoopState['loopDetection'] {
  const hashes = [...contentHashes, hash].slice(-keptHashes);
  const last = hashes.slice(-loopLength);
  const looped = last.length === loopLength && last.every((one) => one === hash);
  return { contentHashes: hashes, loopCount: looped ? loopCount + 1 : loopCount };
}
