import { setTimeout as sleep } from 'node:timers/promises';
import { Family } from './family.ts';

/** How long the members of a family have before each stronger means. */
export interface Patience {
  /** To end by themselves, before any signal. */
  settleMs: number;
  /** From the polite signal to the one that cannot be refused. */
  graceMs: number;
}

export interface Ended {
  /** How many processes, besides the main one, had to be ended. */
  count: number;
  /** Those who did not end even so. */
  survivors: number[];
}

const GIVE_UP_MS = 5_000;
const LONGEST_PAUSE_MS = 20;

/** Ends a family and everyone who joins it meanwhile. Always returns, 5 s after the last means at the latest. */
export async function endFamily(family: Family, { settleMs, graceMs }: Patience): Promise<Ended> {
  const startMs = performance.now();
  const asked = new Set<number>();
  let others = 0;
  for (let pauseMs = 1; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
    const members = await family.look();
    const ageMs = performance.now() - startMs;
    if (members.length === 0) return { count: others, survivors: [] };
    if (ageMs >= settleMs + graceMs + GIVE_UP_MS)
      return { count: others, survivors: members.map(({ pid }) => pid) };
    if (ageMs >= settleMs) {
      const fresh = members.filter(({ pid }) => !asked.has(pid));
      others += fresh.filter((member) => !family.isLeader(member)).length;
      for (const { pid } of fresh) asked.add(pid);
      if (ageMs >= settleMs + graceMs) family.signal(members, 'SIGKILL');
      else family.signal(fresh, 'SIGTERM');
      if (fresh.length > 0) pauseMs = 1;
    }
    await sleep(pauseMs);
  }
}

/** Ends every process that carries a marker, for example after a crash of its owner; answers how many. */
export async function endMarked(
  marker: string,
  { graceMs = 5_000, held = null }: { graceMs?: number; held?: string | null } = {},
): Promise<number> {
  const { count } = await endFamily(new Family(marker, null, held), { settleMs: 0, graceMs });
  return count;
}

/** The living processes that carry a marker or descend from one that does. */
export async function listMarked(marker: string): Promise<number[]> {
  const members = await new Family(marker, null).look();
  return members.map(({ pid }) => pid);
}
