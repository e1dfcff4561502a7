import { refusalOf, retryAfter } from '../availability.ts';
import type { Activity, BuildEnd, Built, PlainAgent, ProgramKind, UsageWindow } from '@agentgate/core';

export type ProgramSpec = Extract<PlainAgent, { kind: ProgramKind }>;

/** What the agent may do. */
export interface Leave {
  isAll: boolean;
  /** It cannot get out of a sandbox of ours. */
  isShutIn: boolean;
  /** Shell commands that it may run though not everything is allowed. */
  commands: readonly string[];
}

/** What a program told about itself, when it is over. */
export interface Told {
  /** Why its end is no good one; null when everything it must say for a good one was said. */
  problem: string | null;
  /** It only could not work just now, or cannot until a person does something. */
  away?: Extract<BuildEnd, { kind: 'unavailable' }>;
  /** The session that it was asked to go on in is not known to it. */
  isLost?: boolean;
  sessionId?: string;
  used: Pick<Built, 'tokens' | 'costUsd' | 'total'>;
  windows?: Built['windows'];
}

export interface Reader {
  take(event: Record<string, unknown>): Activity[];
  /** The exit code tells more of one that gave no number in its events; null where it did not exit by itself. */
  end(exitCode: number | null): Told;
}

/** A tool that was refused, and for what. */
export interface Denied {
  tool: string;
  what: string;
}

/** A vendor's program in its mode without a person. */
export interface Program {
  args(spec: ProgramSpec, leave: Leave, sessionId: string | undefined): string[];
  env(spec: ProgramSpec, leave: Leave): Record<string, string>;
  read(): Reader;
  /** What its own records tell of the windows of its account, where its events do not. */
  windows?(sessionId: string, env: NodeJS.ProcessEnv): readonly UsageWindow[];
  /** What its own records tell since a moment of tools that were refused, where its events do not. */
  denied?(sessionId: string, env: NodeJS.ProcessEnv, sinceMs: number): readonly Denied[];
  /** Whether its plain words say that it does not know the session. */
  isLost(words: string): boolean;
}

type Away = NonNullable<Told['away']>;

/** Something that no later try changes. */
export const needsPerson = (detail: string): Pick<Told, 'away'> => ({ away: away('configuration', detail) });

/** When it is back is told by a number, or by its words. */
export const away = (why: Away['why'], detail: string, retryAfterMs = retryAfter(detail) ?? 0): Away => ({
  kind: 'unavailable',
  why,
  detail,
  ...(retryAfterMs > 0 ? { retryAfterMs } : {}),
});

/** What the number of a refusal says: a limit or a service that is back by itself, or nothing. */
export function refused(status: number, detail: string): Pick<Told, 'away'> {
  const why = refusalOf(status, detail);
  return why === null ? {} : { away: away(why, detail) };
}
