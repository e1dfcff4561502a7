import { assess, FaultError, type RunState, type Verdict } from '@agentgate/core';
import type { House } from './deliver.ts';

/** The commit that a forge has of a tree, or why it has none. */
type Drafted = { kind: 'there'; commit: string } | { kind: 'not'; verdict: Verdict };
export type Draft = (state: RunState, tree: string, signal: AbortSignal) => Promise<Drafted | null>;

/** A forge that is in trouble is asked again after this. */
const againMs = 30_000;

/**
 * Where CI judges a run that ends as a pull request, each tree is proposed as a draft before CI is asked about it: only
 * what was pushed can be judged there. Work that a hard gate has already refused stays here. Null where there is nothing
 * to push, because the repository holds it already.
 */
export function makeDraft(house: House): Draft {
  const there = new Map<string, string>();
  return async (state, tree, signal) => {
    const red = redBefore(state);
    if (red !== null)
      return not({ kind: 'skipped', why: `nothing was pushed, since ${red} fails`, by: 'condition' });
    const known = there.get(tree);
    if (known !== undefined) return { kind: 'there', commit: known };
    try {
      const done = await house.propose(
        state,
        tree,
        { status: 'running', code: 'judging', caveats: [] },
        signal,
      );
      if (done.kind === 'proposed') {
        there.set(tree, done.proposed.commit);
        return { kind: 'there', commit: done.proposed.commit };
      }
      const { refusal, fault } = done;
      if (refusal.kind === 'denied') return not({ kind: 'unable', fault });
      const retryAfterMs = refusal.kind === 'limited' ? refusal.forMs : againMs;
      return not({ kind: 'pending', retryAfterMs, note: fault.message });
    } catch (error) {
      if (!(error instanceof FaultError)) throw error;
      return error.fault.code === 'deliver.nothing' ? null : not({ kind: 'unable', fault: error.fault });
    }
  };
}

const not = (verdict: Verdict): Drafted => ({ kind: 'not', verdict });

function redBefore(state: RunState): string | null {
  if (!state.current) return null;
  const red = assess(state, state.current).standings.find(
    ({ gate, passed, verdict }) =>
      gate.severity === 'hard' && !passed && (verdict.kind === 'failed' || verdict.kind === 'timed-out'),
  );
  return red?.gate.name ?? null;
}
