import type { RunState } from '@agentgate/core';
import { brokenStep, callStep, type Desk, mustAnswer, stepLimitMs } from './desk.ts';
import { failuresOf } from './failures.ts';

/**
 * What the next build is told: the words of `onFeedback` with those of the strategy after them, within the size
 * that the spec allows. Where there are no such words, ours.
 */
export async function feedbackFor(desk: Desk, state: RunState, composed: string): Promise<string> {
  const { last } = state;
  const iteration = last?.current.iteration ?? 0;
  // Before the first build nobody has judged, so there is nothing to tell.
  if (iteration === 0 && !desk.baseline) return '';
  const failures = failuresOf(desk, last);
  const { onFeedback } = desk.callbacks;
  if (!onFeedback || failures.length === 0) return composed;
  const fromMs = desk.clock.monoMs();
  const step = { name: 'onFeedback', phase: 'feedback', iteration, limitMs: stepLimitMs(desk) };
  const called = await callStep(desk, step, (context) => onFeedback(failures, { ...context, composed }));
  // It belongs to the iteration that it prepares, and its time counts there.
  desk.said.feedbackMs = desk.clock.monoMs() - fromMs;
  const answered = mustAnswer(step, called);
  if (answered.kind === 'cut') return composed;
  const { value } = answered;
  if (value !== undefined && value !== null && typeof value !== 'string')
    throw brokenStep(step, `answered a ${typeof value} instead of a text (iteration ${iteration})`);
  const words = (value ?? '').trim();
  if (words === '') return composed;
  return [words, ...(state.strategyWords === null ? [] : [state.strategyWords])]
    .join('\n\n')
    .slice(0, state.spec?.feedback.maxChars);
}
