import type { Agent, BuildEnd, Built } from '@agentgate/core';
import { brokenStep, callStep, type Desk, mustAnswer } from './desk.ts';
import { failuresOf } from './failures.ts';
import { readBuild } from './answers.ts';
import type { BuildResult } from './context.ts';

/** The agent whose work is the caller's `onBuild`. */
export function makeBuild(desk: Desk): Agent {
  return async ({ iteration, feedback, prompt, sessionId, signal }) => {
    const { clock, said, callbacks } = desk;
    const fromMs = clock.monoMs();
    said.iteration = iteration;
    said.built = null;
    const failures = failuresOf(desk, desk.state?.last ?? null);
    const step = { name: 'onBuild', phase: 'build', iteration };
    const called = await callStep(desk, { ...step, signal }, (context) =>
      callbacks.onBuild({
        ...context,
        feedback,
        failures,
        prompt,
        ...(sessionId === undefined ? {} : { sessionId }),
      }),
    );
    const tookMs = clock.monoMs() - fromMs + said.feedbackMs;
    said.feedbackMs = 0;
    const ended = mustAnswer(step, called, '; for a build that failed, answer {success: false, error}');
    const result = ended.kind === 'cut' ? late(ended.value) : read(step, ended.value);
    const end: BuildEnd =
      ended.kind === 'cut'
        ? { kind: 'aborted', by: cutBy(ended.reason) }
        : endOf(result ?? { success: false });
    said.built = end.kind;
    said.output = result?.output ?? null;
    return builtOf(end, tookMs, result);
  };
}

function read(step: Parameters<typeof brokenStep>[0], value: unknown): BuildResult {
  const answer = readBuild(value);
  if (answer.kind === 'answer') return answer.answer;
  throw brokenStep(step, `${answer.why} (iteration ${step.iteration})`);
}

/** What a build that was cut short still told of its cost counts. */
function late(value: unknown): BuildResult | null {
  const answer = readBuild(value);
  return answer.kind === 'answer' ? answer.answer : null;
}

function endOf({ success, error, retryAfterMs }: BuildResult): BuildEnd {
  if (success) return { kind: 'finished' };
  const detail = error ?? 'it said so';
  if (retryAfterMs === undefined) return { kind: 'failed', detail };
  // The schema wants a time above zero.
  return { kind: 'unavailable', why: 'overloaded', detail, retryAfterMs: Math.max(1, retryAfterMs) };
}

function builtOf(end: BuildEnd, tookMs: number, result: BuildResult | null): Built {
  const output = result?.output ?? '';
  return {
    end,
    output,
    outputBytes: Buffer.byteLength(output),
    tookMs,
    ...(result?.claimed === true ? { claimed: true } : {}),
    ...(result?.giveUp === undefined ? {} : { giveUp: result.giveUp }),
    ...(result?.asks === undefined ? {} : { asks: result.asks }),
    ...(result?.tokens === undefined ? {} : { tokens: result.tokens }),
    ...(result?.costUsd === undefined ? {} : { costUsd: result.costUsd }),
    ...(result?.sessionId === undefined ? {} : { sessionId: result.sessionId }),
  };
}

const cutBy = (reason: unknown): 'stop' | 'wall-clock' | 'redirect' =>
  reason === 'wall-clock' || reason === 'redirect' ? reason : 'stop';
