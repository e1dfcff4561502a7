import type { StrategyAdvice, StrategyContext } from '@agentgate/core';

/** Stops when the next iteration, if it takes as long as the longest so far, would not fit into the time that is left. */
export function decide({ current, history, elapsedMs, limits }: StrategyContext): StrategyAdvice {
  const longestMs = Math.max(current.tookMs, ...history.map((one) => one.tookMs));
  const leftMs = limits.wallClock - elapsedMs;
  const seconds = (ms: number): string => `${Math.round(ms / 1000)} s`;
  const reason = `${seconds(leftMs)} are left, an iteration takes up to ${seconds(longestMs)}`;
  return leftMs < longestMs
    ? { continue: false, reason, code: 'deadline', action: 'timeout' }
    : { continue: true, reason };
}
