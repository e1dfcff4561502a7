import type { StrategyAdvice } from '../strategy.ts';

/** What a strategy answered is no advice; the message says why, and is meant to follow its name. */
export class AnswerError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'AnswerError';
  }
}

const actions = ['continue', 'complete', 'timeout', 'fail'] as const;

/**
 * Reads advice out of whatever a strategy answered, in the words of any of the shapes. Only the fields of advice
 * are taken: whether the goal is met is not for a strategy to say, so a status or a result beside them means nothing.
 */
export function readAdvice(value: unknown): StrategyAdvice {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new AnswerError(`answered ${show(value)} instead of {continue, reason}`);
  }
  try {
    return pick(value as Record<string, unknown>);
  } catch (error) {
    if (error instanceof AnswerError) throw error;
    // A getter or a proxy may throw anything, at any field.
    throw new AnswerError(`gave an answer that cannot be read: ${textOf(error)}`);
  }
}

function pick(value: Record<string, unknown>): StrategyAdvice {
  const goOn = value['continue'] ?? value['shouldContinue'];
  const { reason, code, action, confidence, feedback, metadata } = value;
  expect(typeof goOn === 'boolean', 'continue', 'true or false', goOn);
  expect(typeof reason === 'string' && reason.trim() !== '', 'reason', 'a text', reason);
  return {
    continue: goOn as boolean,
    reason: reason as string,
    ...optional('code', code, typeof code === 'string', 'a text'),
    ...optional('action', action, actions.includes(action as 'fail'), `one of ${actions.join(', ')}`),
    ...optional('confidence', confidence, isShare(confidence), 'a number from 0 to 1'),
    ...optional('feedback', feedback, typeof feedback === 'string', 'a text'),
    ...optional('metadata', metadata, isGroup(metadata), 'a group of fields'),
  };
}

function optional(name: string, value: unknown, fits: boolean, expected: string): Record<string, unknown> {
  if (value === undefined || value === null) return {};
  expect(fits, name, expected, value);
  return { [name]: value };
}

function expect(fits: boolean, name: string, expected: string, found: unknown): void {
  if (!fits) throw new AnswerError(`gave an answer whose ${name} is ${show(found)} instead of ${expected}`);
}

const isShare = (value: unknown): boolean => typeof value === 'number' && value >= 0 && value <= 1;
const isGroup = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A value in few words, without running any of its code. */
function show(value: unknown): string {
  if (value === undefined || value === null) return 'nothing';
  if (typeof value === 'string') return `the text ${JSON.stringify(value.slice(0, 60))}`;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return Array.isArray(value) ? 'a list' : `a value of type ${typeof value}`;
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
