import type { Snapshot, Workspace } from '@agentgate/core';
import { brokenStep, callStep, type Desk, isTold, mustAnswer, stepLimitMs, untold } from './desk.ts';

/** The workspace whose trees are the hashes of the caller's `onSnapshot`. */
export function makeWorkspace(desk: Desk, root: string): Workspace {
  const { said } = desk;
  return {
    root,
    async snapshot({ ref }) {
      if (asks(desk, ref)) await take(desk);
      return snapshotOf(said.tree);
    },
    // Which files differ is the caller's to know; that something does is all that is said here.
    changedPaths: async (from, to) => (from === to ? [] : [{ path: 'the snapshot', status: 'modified' }]),
    async restore(hash) {
      const { onRestore } = desk.callbacks;
      const step = {
        name: 'onRestore',
        phase: 'restore',
        iteration: said.iteration,
        limitMs: stepLimitMs(desk),
      };
      const called = mustAnswer(step, await callStep(desk, step, (context) => onRestore?.(hash, context)));
      if (called.kind === 'answered') said.tree = hash;
    },
    // An unchanged whole has unchanged parts; more cannot be known from a hash.
    inputsKey: async (tree) => (isTold(tree) ? tree : ''),
    close: async () => undefined,
  };
}

/** A failed build leaves nothing worth a snapshot, and a tree that was just brought back is known. */
function asks({ said, baseline, confirm }: Desk, ref: string): boolean {
  if (ref.endsWith('-reverted')) return false;
  if (said.iteration === 0) return baseline && (confirm || !ref.endsWith('-judged'));
  return said.built === 'finished' && (confirm || !ref.endsWith('-judged'));
}

async function take(desk: Desk): Promise<void> {
  const { said, callbacks } = desk;
  const { iteration } = said;
  const step = { name: 'onSnapshot', phase: 'snapshot', iteration, limitMs: stepLimitMs(desk) };
  const called = mustAnswer(step, await callStep(desk, step, (context) => callbacks.onSnapshot?.(context)));
  const value = called.kind === 'answered' ? called.value : null;
  const hash = hashOf(value);
  if (hash === undefined)
    throw brokenStep(step, `answered neither a hash nor {hash} (iteration ${iteration})`);
  said.snapshot = hash === null ? null : value;
  // Without a hash nobody can say that two iterations left the same, so each leaves its own.
  said.tree = hash ?? untold(iteration);
}

function hashOf(value: unknown): string | null | undefined {
  if (value === null || value === undefined) return null;
  const hash = typeof value === 'object' ? ((value as { hash?: unknown }).hash ?? null) : value;
  if (hash === null) return null;
  return typeof hash === 'string' && hash.trim() !== '' ? hash : undefined;
}

const snapshotOf = (tree: string): Snapshot => ({
  tree,
  work: tree,
  substance: tree,
  changed: { added: 0, modified: 0, deleted: 0, paths: [] },
  leftOut: [],
  nested: [],
});
