import { StrategyAnswer } from '@agentgate/core';
import * as z from 'zod';
import { safeText } from '../process/index.ts';
import { type Failure, maxAnswer } from './protocol.ts';

type Advice = Extract<StrategyAnswer, { kind: 'advice' }>;

const Answered = z.object({
  advice: z.record(z.string(), z.unknown()),
  state: z.unknown().optional(),
  stateProblem: z.string().optional(),
});

const mostReason = 500;
const mostFeedback = 20_000;

/** Parses what a strategy's process answered. What is no advice is a failure, whatever else it says. */
export function parseAnswer(value: unknown): { advice: Advice; state?: unknown } | Failure {
  const answered = Answered.safeParse(value);
  if (!answered.success) return garbage(answered.error);
  const { advice, state, stateProblem } = answered.data;
  const size = JSON.stringify(advice).length;
  if (size > maxAnswer)
    return { code: 'garbage', detail: `gave an answer of ${size} characters; at most ${maxAnswer} are read` };
  const parsed = StrategyAnswer.safeParse({ ...advice, kind: 'advice' });
  if (!parsed.success) return garbage(parsed.error);
  return {
    advice: tidy(parsed.data as Advice, stateProblem),
    ...(state === undefined ? {} : { state }),
  };
}

/** The texts of a module are other people's text: bounded, and free of what could move a cursor. */
function tidy(advice: Advice, stateProblem: string | undefined): Advice {
  const { code, feedback, metadata, ...rest } = advice;
  const named = code !== undefined && /^[\w-]+(?:\.[\w-]+)*$/.test(code) && code.length <= 64;
  const note = stateProblem === undefined ? {} : { stateNotKept: safeText(stateProblem) };
  const noted = { ...metadata, ...note };
  return {
    ...rest,
    reason: safeText(advice.reason).replaceAll(/\s+/g, ' ').trim().slice(0, mostReason) || 'no reason',
    ...(named ? { code } : {}),
    ...(feedback === undefined ? {} : { feedback: safeText(feedback).slice(0, mostFeedback) }),
    ...(Object.keys(noted).length === 0 ? {} : { metadata: noted }),
  };
}

function garbage({ issues }: z.ZodError): Failure {
  const [first] = issues;
  return {
    code: 'garbage',
    detail: `gave no advice (${first?.path.join('.') || 'answer'}: ${first?.message})`,
  };
}
