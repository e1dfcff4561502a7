import { isLooked } from '../records.ts';
import type { StrategySpec } from '../spec.ts';
import type { IterationRecord } from '../state.ts';
import {
  type Advice,
  agentFails,
  capReached,
  giveUp,
  goOn,
  type Strategy,
  type StrategyContext,
} from './strategy.ts';

type Config = Extract<StrategySpec, { kind: 'hybrid' }>;

/** Moving plateaus neither earn nor end, so many at most between two steps forward. */
const plateauAllowance = 4;
/** So many iterations in a row without progress end the run. */
const dryAllowance = 2;

/** A round of more trees than this is not waited for. */
const longestRound = 6;

/** A few iterations for free, then only as long as they bring something. */
export function hybrid(config: Config): Strategy {
  return {
    name: 'hybrid',
    type: 'hybrid',
    displayName: 'HybridStrategy',
    decide: (context) => {
      const ended = capReached(config, context) ?? agentFails(context);
      if (ended) return ended;
      if (context.sinceStart < config.base) {
        return goOn('base', `base ${context.sinceStart} of ${config.base}${gained(context.current)}`, 1);
      }
      return config.bonus === 'progress' ? earned(context) : counted(config, config.bonus, context);
    },
  };
}

/** Every iteration with progress earns the next. */
function earned(context: StrategyContext): Advice {
  const { current } = context;
  if (current.progress === 'stand-in') {
    return goOn('stand-in', 'the work keeps moving, and the gate shows no degrees', 0.6);
  }
  if (current.progress) return goOn('progress', progressText(current), 0.8, evidenceOf(current));
  const { plateaus, dry } = sinceProgress([...recent(context), current]);
  if (dry >= dryAllowance && mayBeCycle([...context.history, current], dry)) {
    return goOn(
      'cycle',
      'the run comes back to earlier trees; the rest of the round shows whether it goes in a circle',
      0.5,
    );
  }
  if (dry >= dryAllowance) {
    return giveUp('strategy.no-progress', `${dry} iterations in a row without progress`, 0.7, 'fail', {
      dry,
      plateaus,
      failures: current.failures,
    });
  }
  if (!current.judged) return goOn('failed-build', 'the agent failed; it is tried again', 0.6);
  return dry === 0
    ? goOn(
        'plateau',
        `no progress, but tree and failures are both new (plateau ${plateaus} of ${plateauAllowance})`,
        0.6,
      )
    : goOn('grace', 'no progress; one more iteration is given', 0.6);
}

/** Exactly base + bonus iterations, each bonus earned by progress (C-14, C-15). */
function counted(config: Config, bonus: number, context: StrategyContext): Advice {
  const used = context.iteration - config.base;
  const evidence = { base: config.base, bonus, used };
  const gain = gainOf(config, context);
  const shrank = context.current.fixed > 0 && context.current.broken === 0;
  if (gain >= config.progressThreshold || (config.progressMode === 'delta' && shrank)) {
    return goOn(
      'bonus',
      `bonus ${used + 1} of ${bonus}, progress ${(gain * 100).toFixed(1)} %`,
      0.8,
      evidence,
    );
  }
  return giveUp(
    'strategy.no-progress',
    `no sufficient progress (${(gain * 100).toFixed(1)} %)`,
    0.7,
    'fail',
    evidence,
  );
}

function gainOf(config: Config, context: StrategyContext): number {
  if (!context.current.judged) return 0;
  return config.progressMode === 'level'
    ? context.current.score
    : Math.max(0, context.current.score - context.bestScoreBefore);
}

/** The iterations since the last step forward, the current one left out. */
function recent({ history }: StrategyContext): IterationRecord[] {
  let from = history.length;
  while (from > 0 && history[from - 1]!.progress === null) from--;
  return history.slice(from);
}

function sinceProgress(records: readonly IterationRecord[]): { plateaus: number; dry: number } {
  let plateaus = 0;
  let dry = 0;
  for (const record of records) {
    // A build that failed, or that we cut short before it changed anything, has its own rule or is nobody's fault.
    if (!record.judged || !isLooked(record) || (record.build === 'interrupted' && !record.moved)) continue;
    if (record.novel && plateaus < plateauAllowance) {
      plateaus += 1;
      dry = 0;
    } else dry += 1;
  }
  return { plateaus, dry };
}

/**
 * Whether the dry iterations retrace a round of trees that is not yet complete. The detector of cycles names
 * such a run once it has seen two full rounds, and a named cycle is worth the rest of a short one.
 */
function mayBeCycle(records: readonly IterationRecord[], dry: number): boolean {
  const trees = records.slice(-2 * longestRound).map((one) => one.work);
  for (let period = 2; period <= longestRound; period++) {
    let matched = 0;
    while (matched < period && matches(trees, trees.length - 1 - matched, period)) matched++;
    // Of the shortest round one half is all that can have been seen.
    if (matched >= Math.min(dry, period - 1) && matched < period) return true;
  }
  return false;
}

function matches(trees: readonly string[], at: number, period: number): boolean {
  return at - period >= 0 && trees[at] === trees[at - period] && trees[at] !== trees[at - 1];
}

function progressText(record: IterationRecord): string {
  if (record.progress === 'unmasked') return 'what could not load before now shows its real failures';
  const fixed = record.fixed > 0 ? `${record.fixed} fixed` : 'the best score so far';
  return record.broken > 0 ? `${fixed}, ${record.broken} new` : fixed;
}

const gained = (record: IterationRecord): string => (record.fixed > 0 ? `, ${record.fixed} fixed` : '');
const evidenceOf = (record: IterationRecord) => ({
  fixed: record.fixed,
  new: record.broken,
  failures: record.failures,
  score: record.score,
});
