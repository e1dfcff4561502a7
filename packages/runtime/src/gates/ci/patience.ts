import type { GateRequest } from '@agentgate/core';

/** What is remembered of the looks of one gate at one tree, while this process lives. */
export interface Patience {
  /** The repository that was asked about before an agent could change it. */
  repository: string | null;
  /** Looks in a row that found nothing finished. */
  looks: number;
  /** Looks in a row that found nothing at all. */
  troubles: number;
  tree: string;
}

const mostGates = 200;
const mostTroubles = 4;
const longestMs = 2 * 60_000;

const gates = new Map<string, Patience>();

export function patienceFor({ marker, gate, run }: GateRequest): Patience {
  const key = `${marker}\n${gate.name}`;
  const before = gates.get(key);
  if (before?.tree === run.tree) return before;
  // Another tree is another question; what was asked about stays.
  const patience = { repository: before?.repository ?? null, looks: 0, troubles: 0, tree: run.tree };
  gates.delete(key);
  gates.set(key, patience);
  for (const oldest of gates.keys()) {
    if (gates.size <= mostGates) break;
    gates.delete(oldest);
  }
  return patience;
}

/** The pause before the next look: the first one doubled each time, at most two minutes. */
export function nextPauseMs(patience: Patience, pollMs: number): number {
  const pause = Math.min(Math.max(longestMs, pollMs), pollMs * 2 ** Math.min(patience.looks, 10));
  patience.looks += 1;
  return pause;
}

/** Whether a forge that gives no answer is worth another try. */
export function isHopeful(patience: Patience): boolean {
  patience.troubles += 1;
  return patience.troubles < mostTroubles;
}
