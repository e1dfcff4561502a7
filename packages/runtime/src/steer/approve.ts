import { asksPersons, FaultError, fault, leftWaiting, type RunState } from '@agentgate/core';
import { isHeld } from './held.ts';
import { refuseLinked } from './linked.ts';
import type { StoredRun } from './open.ts';

interface Answer {
  /** The gate, or the only one that waits. */
  gate: string | undefined;
  /** The tree that the person has seen, where that is known. */
  tree?: string | undefined;
  by: string;
  approved: boolean;
  note?: string | undefined;
}

/** Answers a gate that waits for a person, about the tree that it waits with. `isLeft`: the run was suspended for it. */
export async function answerGate(
  run: StoredRun,
  { gate: name, tree: seen, by, approved, note }: Answer,
): Promise<{ gate: string; tree: string; isLeft: boolean }> {
  refuseLinked(run);
  const { home, store, runId, state } = run;
  const left = leftWaiting(state);
  const gate = waitingGate(state, runId, name);
  const tree = (left ?? state.current)?.tree ?? '';
  if (seen !== undefined && seen !== tree)
    throw new FaultError(
      fault('usage', `${gate} of run ${runId} waits with another tree by now; look at it, then answer`),
    );
  if (!left && !(await isHeld(home, store, runId))) {
    throw new FaultError(
      fault('usage', `nobody drives run ${runId} now; agentgate resume ${runId} asks for ${gate} again`),
    );
  }
  refuseStranger(state, gate, by);
  store.request(runId, {
    kind: 'approval',
    gate,
    tree,
    by,
    approved,
    ...(note === undefined ? {} : { note }),
  });
  return { gate, tree, isLeft: left !== null };
}

/** An answer of somebody who is not asked would count for nothing. */
function refuseStranger({ spec }: RunState, gate: string, by: string): void {
  const asked = spec?.gates.find((one) => one.name === gate);
  if (asked?.kind !== 'approval' || asked.approvers.length === 0) return;
  const same = (name: string) => name.trim().toLowerCase() === by.trim().toLowerCase();
  if (asked.approvers.some(same)) return;
  const names = asked.approvers.join(', ');
  throw new FaultError(fault('usage', `${gate} asks ${names}, not ${by}; answer for one of them with --as`));
}

function waitingGate(state: RunState, runId: string, name: string | undefined): string {
  // A gate that waits for CI would not hear a person, and before the first build there is nothing to answer for.
  const verdicts = state.iteration === 0 ? undefined : (leftWaiting(state) ?? state.current)?.verdicts;
  const waiting = (state.spec?.gates ?? [])
    .filter((gate) => asksPersons(gate) && verdicts?.get(gate.name)?.kind === 'pending')
    .map(({ name: gate }) => gate);
  const chosen = name ?? (waiting.length === 1 ? waiting[0] : undefined);
  // An item of a checklist is named behind its gate: done/2.
  if (chosen !== undefined && waiting.includes(chosen.split('/')[0]!)) return chosen;
  const what =
    waiting.length === 0
      ? `no gate of run ${runId} waits for an answer`
      : name === undefined
        ? `more than one gate of run ${runId} waits: name one of ${waiting.join(', ')}`
        : `gate ${name} of run ${runId} does not wait for an answer; waiting: ${waiting.join(', ')}`;
  throw new FaultError(fault('usage', what));
}
