import type { GateSpec } from '@agentgate/core';
import type { Refusal } from '../../forge/refusal.ts';

export type CiGate = Extract<GateSpec, { kind: 'ci' }> & { name: string };

/** One check, status or job of a commit, whatever its forge calls it. */
export interface Check {
  name: string;
  /** `held` waits for a person at the forge, `waiting` for a machine. */
  state: 'success' | 'neutral' | 'skipped' | 'waiting' | 'held' | 'failed';
  /** The forge's own word for it. */
  said: string;
  url?: string;
  summary?: string;
  endedMs?: number;
  /** It sums up others, such as a pipeline its jobs; a failure is told only where none of them has one. */
  sum?: true;
}

/** What a forge says of one commit. */
export type Look = { kind: 'checks'; checks: Check[]; nowMs: number } | { kind: 'unknown' } | Refusal;

/** A forge, for one repository. */
export interface Forge {
  look(commit: string): Promise<Look>;
  /** The commit that a branch or a tag stands at. */
  resolve(ref: string): Promise<{ kind: 'commit'; commit: string } | { kind: 'unknown' } | Refusal>;
}

export const short = (commit: string): string => commit.slice(0, 12);

/** A value only where there is one. */
export const optional = <K extends string, V>(key: K, value: V | null | undefined): { [P in K]?: V } =>
  (value === null || value === undefined || value === '' ? {} : { [key]: value }) as { [P in K]?: V };

/** When the forge says something ended. */
export const endedAt = (time: string | null | undefined): { endedMs?: number } => {
  const ms = Date.parse(time ?? '');
  return Number.isNaN(ms) ? {} : { endedMs: ms };
};
