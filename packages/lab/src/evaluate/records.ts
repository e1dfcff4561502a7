import { type IterationRecord, type Progress, standInAllowance } from '@agentgate/core';
import type { Trace } from '../traces/trace.ts';

/**
 * The records that the shipped strategies and detectors read, made from a trace. Trees are known by the hash of what
 * the agent left, failing sets by theirs; where a trace has none, each iteration counts as new.
 */
export function recordsOf({ iterations, horizon, task }: Trace): IterationRecord[] {
  const trees = new Set<string>();
  const sets = new Set<string>();
  let best = 0;
  let fewest = Infinity;
  let degrees = false;
  let standIns = 0;
  return iterations.map((one, at) => {
    const before = iterations[at - 1];
    const failed = one.failed ?? 1;
    const tree = one.out ?? `${task}#${at}`;
    const failureKey = one.failKey ?? `${one.score}/${failed}`;
    const newTree = !trees.has(tree);
    const newFailures = !sets.has(failureKey);
    degrees ||= failed > 1 || (one.total ?? 1) > 1 || (one.score > 0 && one.score < 1);
    const fixed = Math.max(0, (before?.failed ?? failed) - failed);
    let progress: Progress | null = null;
    if (newTree && at > 0 && failed < fewest) progress = 'fixed';
    else if (newTree && one.score > best + 1e-9) progress = 'score';
    else if (newTree && !degrees && standIns < standInAllowance(horizon ?? 20)) progress = 'stand-in';
    if (progress === 'stand-in') standIns += 1;
    trees.add(tree);
    sets.add(failureKey);
    best = Math.max(best, one.score);
    fewest = Math.min(fewest, failed);
    return {
      iteration: at + 1,
      build: 'finished',
      judged: true,
      tree,
      work: tree,
      substance: tree,
      failures: failed,
      failureKey,
      textKey: one.failKey ?? null,
      score: one.score,
      fixed,
      broken: Math.max(0, failed - (before?.failed ?? failed)),
      unmasked: false,
      opaque: 0,
      progress,
      novel: newTree && newFailures,
      newTree,
      newFailures,
      binary: !degrees,
      moved: before === undefined || one.out === undefined || one.out === null || one.out !== before.out,
      claimed: false,
      paths: [],
      similar: [one.sim ?? null, Math.min(one.sim ?? 0, before?.sim ?? 0)],
      silent: one.outChars === 0,
      code: '',
      tookMs: one.durationMs ?? 0,
      tokens: one.tokens ?? null,
      costUsd: one.costUsd ?? null,
      outputBytes: one.outChars ?? 0,
      passedTests: one.passed ?? null,
      grantable: false,
      gates: { [one.gate]: one.ok },
      at: '',
    };
  });
}
