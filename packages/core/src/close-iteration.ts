import { type Assessment, assess, passedTests, rankOf, recordOf } from './assess.ts';
import { better } from './best.ts';
import { realProgress } from './records.ts';
import { emptyFooting, type Footing, type RunState } from './state.ts';

/** Takes the iteration that is over into what later ones are compared with. Runs once per iteration. */
export function closeIteration(state: RunState, code: string): void {
  const { current } = state;
  if (!current || (current.build === null && current.iteration > 0)) {
    state.current = null;
    return;
  }
  const assessment = assess(state, current);
  state.startWork = current.backTo?.work ?? null;
  state.last = assessment;
  state.lastClosed = current;
  const record = recordOf(assessment, code);
  if (current.iteration > 0) state.history.push(record);
  state.current = null;
  if (current.tree !== null) {
    state.seenWork.add(current.work);
    state.seenSubstance.add(current.substance);
  }
  if (!assessment.judged) return;
  if (current.iteration > 0) state.judged.push(record);
  state.lastJudged = assessment;
  state.lastJudgedWork = current.work;
  if (current.iteration === 0) state.baselineFailures = assessment.failures.size;
  state.seenFailures.add(`${assessment.failureKey}|${assessment.textKey}`);
  if (assessment.textKey !== null) state.seenText.add(assessment.textKey);
  if (assessment.progress === 'stand-in') state.standIns += 1;
  if (assessment.progress === 'fixed') for (const key of assessment.fixed) state.counted.add(key);
  if (realProgress(assessment.progress)) {
    settleMove(state, 'progress');
    state.tried = [];
  }
  state.bestScore = Math.max(state.bestScore, assessment.score);
  if (current.iteration > 0) countAttempts(state, assessment);
  for (const { gate, findings } of assessment.standings)
    state.peaks.set(gate.name, Math.max(state.peaks.get(gate.name) ?? 0, findings.length));
  state.footing = footingOf(state, assessment);
  const best = {
    iteration: current.iteration,
    tree: current.tree ?? '',
    work: current.work,
    rank: rankOf(assessment),
  };
  state.best = better(state.best, best);
  if (state.best === best) {
    state.bestFooting = state.footing;
    state.bestJudged = assessment;
  }
  // The next iteration starts from the best tree, so it is compared with that one.
  if (current.backTo && state.bestFooting) state.footing = state.bestFooting;
}

function countAttempts(state: RunState, { standings }: Assessment): void {
  for (const { gate, passed, verdict } of standings) {
    const failed = verdict.kind === 'failed' || verdict.kind === 'timed-out';
    if (passed) {
      state.attempts.set(gate.name, 0);
      state.escalated.delete(gate.name);
    } else if (failed) state.attempts.set(gate.name, (state.attempts.get(gate.name) ?? 0) + 1);
    state.unableRow.set(gate.name, verdict.kind === 'unable' ? (state.unableRow.get(gate.name) ?? 0) + 1 : 0);
  }
}

/** What the next iteration is compared with. What vanished from sight stays red until it is seen green. */
function footingOf(state: RunState, { failures, hidden, loads, standings }: Assessment): Footing {
  const footing = emptyFooting();
  for (const key of [...failures, ...hidden]) footing.failures.add(key);
  for (const key of loads) footing.loads.add(key);
  for (const { gate, level, spared, findings, verdict } of standings) {
    footing.levels.set(gate.name, level);
    const before = state.footing.counts.get(gate.name);
    const counts = spared && before ? before : { failures: findings.length, passed: passedTests(verdict) };
    footing.counts.set(gate.name, counts);
  }
  return footing;
}

/** Writes down what came of the newest move, once it is known. */
export function settleMove(state: RunState, effect: 'progress' | 'none'): void {
  const move = state.moves.at(-1);
  if (move && move.effect === null) state.moves[state.moves.length - 1] = { ...move, effect };
}
