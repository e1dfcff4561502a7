import { existsSync, readFileSync } from 'node:fs';
import type { Built } from '@agentgate/core';

type Told = Pick<Built, 'claimed' | 'giveUp' | 'tokens' | 'costUsd' | 'sessionId'>;

/**
 * Reads what an agent wrote to its outcome file. Untrusted: a field of the wrong type is left out,
 * and text that is no JSON tells nothing.
 */
export function readOutcomeFile(path: string): Told {
  if (!existsSync(path)) return {};
  return parseOutcome(readFileSync(path, 'utf8'));
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
  const { claim, giveUp, tokens, costUsd, sessionId } = value as Record<string, unknown>;
  return {
    ...(claim === true || (typeof claim === 'string' && claim !== '') ? { claimed: true } : {}),
    ...(giveUp === true ? { giveUp: 'no reason given' } : {}),
    ...(typeof giveUp === 'string' && giveUp !== '' ? { giveUp: giveUp.slice(0, 500) } : {}),
    ...(isAmount(tokens) ? { tokens: Math.round(tokens) } : {}),
    ...(isAmount(costUsd) ? { costUsd } : {}),
    ...(typeof sessionId === 'string' && sessionId !== '' ? { sessionId: sessionId.slice(0, 200) } : {}),
  };
}

const isAmount = (value: unknown): value is number =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0;
