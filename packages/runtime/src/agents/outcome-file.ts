import type { Built } from '@agentgate/core';
import { safeText } from '../process/index.ts';
import { readUnavailable, type Unavailable } from './availability.ts';
import { readRegularFile } from '../regular-file.ts';

type Words = Pick<Built, 'claimed' | 'evidence' | 'giveUp' | 'asks' | 'proposal'>;
type Told = Words &
  Pick<Built, 'tokens' | 'costUsd' | 'sessionId' | 'windows'> & {
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

/** The same of an agent whose program tells by itself what it has used. */
export function readWords(path: string): Words {
  const text = readRegularFile(path);
  return text === null ? {} : wordsIn(valueIn(text));
}

export function parseOutcome(text: string): Told {
  const value = valueIn(text);
  const { tokens, costUsd, sessionId, unavailable } = value;
  const windows = windowsIn(value['windows']);
  return {
    ...wordsIn(value),
    ...(isAmount(tokens) || isSum(tokens)
      ? { tokens: Math.round(isSum(tokens) ? tokens.input + tokens.output : tokens) }
      : {}),
    ...(isAmount(costUsd) ? { costUsd } : {}),
    ...(typeof sessionId === 'string' && sessionId !== '' ? { sessionId: sessionId.slice(0, 200) } : {}),
    ...(windows.length > 0 ? { windows } : {}),
    ...readUnavailable(unavailable),
  };
}

function valueIn(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    // The agent wrote something else; its word is no evidence either way.
    return {};
  }
}

/** Its word on the work. What it names is shown to persons and judged by nobody. */
function wordsIn({ claim, giveUp, ask, split, drop }: Record<string, unknown>): Words {
  const proof = textOf(claim);
  const reason = giveUp === true ? 'no reason given' : textOf(giveUp);
  const question = textOf(ask);
  return {
    ...(claim === true || proof !== null ? { claimed: true } : {}),
    ...(proof === null ? {} : { evidence: proof }),
    ...(reason === null ? {} : { giveUp: reason }),
    ...(question === null ? {} : { asks: question }),
    ...proposalIn(split, drop),
  };
}

/** How it would change the plan that its task is an item of. Gates are not its to propose. */
function proposalIn(split: unknown, drop: unknown): Pick<Words, 'proposal'> {
  const parts = Array.isArray(split) ? split.slice(0, 50).flatMap(partIn) : [];
  const ids = Array.isArray(drop) ? drop.slice(0, 50).flatMap((one) => textOf(one) ?? []) : [];
  if (parts.length + ids.length === 0) return {};
  return {
    proposal: { ...(parts.length > 0 ? { split: parts } : {}), ...(ids.length > 0 ? { drop: ids } : {}) },
  };
}

function partIn(value: unknown): NonNullable<NonNullable<Words['proposal']>['split']> {
  const part = typeof value === 'string' ? { task: value } : value;
  if (typeof part !== 'object' || part === null) return [];
  const { id, task, weight } = part as Record<string, unknown>;
  if (typeof task !== 'string' || task.trim() === '') return [];
  return [
    {
      ...(typeof id === 'string' && /^[\w.-]{1,40}$/.test(id) ? { id } : {}),
      task: safeText(task).trim().slice(0, 4_000),
      ...(isAmount(weight) && weight > 0 ? { weight } : {}),
    },
  ];
}

const textOf = (value: unknown): string | null =>
  typeof value === 'string' && value.trim() !== '' ? safeText(value).trim().slice(0, 500) : null;

/** How full the usage windows of its account are: a name, a share, and a time. */
function windowsIn(value: unknown): NonNullable<Built['windows']> {
  if (!Array.isArray(value)) return [];
  return value.slice(0, 20).flatMap((one: unknown) => {
    if (typeof one !== 'object' || one === null) return [];
    const { name, used, resetsAt } = one as Record<string, unknown>;
    const resetsAtMs = typeof resetsAt === 'string' ? Date.parse(resetsAt) : NaN;
    if (typeof name !== 'string' || !isAmount(used) || !Number.isFinite(resetsAtMs)) return [];
    // Some count in per cent.
    return [{ name: safeText(name).slice(0, 80), used: used > 1 ? used / 100 : used, resetsAtMs }];
  });
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
