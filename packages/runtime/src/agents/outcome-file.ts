import type { Built } from '@agentgate/core';
import { safeText } from '../process/index.ts';
import { readUnavailable, type Unavailable } from './availability.ts';
import { readRegularFile } from '../regular-file.ts';

type Told = Pick<Built, 'claimed' | 'giveUp' | 'tokens' | 'costUsd' | 'sessionId'> & {
  unavailable?: Unavailable;
};

/**
 * Reads what an agent wrote to its outcome file. Untrusted: a field of the wrong type is left out,
 * and text that is no JSON tells nothing.
 */
export function readOutcomeFile(path: string): Told {
  const text = readRegularFile(path);
  return text === null ? {} : parseOutcome(text);
}

export function parseOutcome(text: string): Told {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // The agent wrote something else; its word is no evidence either way.
    return {};
  }
  if (typeof value !== 'object' || value === null) return {};
  const { claim, giveUp, tokens, costUsd, sessionId, unavailable } = value as Record<string, unknown>;
  return {
    ...(claim === true || (typeof claim === 'string' && claim !== '') ? { claimed: true } : {}),
    ...(giveUp === true ? { giveUp: 'no reason given' } : {}),
    ...(typeof giveUp === 'string' && giveUp !== '' ? { giveUp: safeText(giveUp).slice(0, 500) } : {}),
    ...(isAmount(tokens) || isSum(tokens)
      ? { tokens: Math.round(isSum(tokens) ? tokens.input + tokens.output : tokens) }
      : {}),
    ...(isAmount(costUsd) ? { costUsd } : {}),
    ...(typeof sessionId === 'string' && sessionId !== '' ? { sessionId: sessionId.slice(0, 200) } : {}),
    ...readUnavailable(unavailable),
  };
}

/** Some agents tell what went in and what came out. */
const isSum = (value: unknown): value is { input: number; output: number } =>
  typeof value === 'object' &&
  value !== null &&
  'input' in value &&
  'output' in value &&
  isAmount(value.input) &&
  isAmount(value.output);

const isAmount = (value: unknown): value is number =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0;
