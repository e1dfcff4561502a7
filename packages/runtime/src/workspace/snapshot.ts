import type { Snapshot } from '@agentgate/core';
import type { Change } from './capture.ts';
import { isAgentsOwn, type ReadSubstance, readKeys } from './keys.ts';
import { toText } from './path.ts';
import type { Session } from './session.ts';

export interface SnapshotRequest {
  ref: string;
  ignores?: (path: string) => boolean;
  /** The first tree of the run; absent when this is it. */
  baseTree?: string;
  /** The tree that changes are told against; without it, whatever was captured last. */
  since?: string;
}

/** Captures the directory and says what it means against the tree before and the first one. */
export async function takeSnapshot(
  session: Session,
  readSubstance: ReadSubstance,
  request: SnapshotRequest,
): Promise<Snapshot> {
  const { isFirst, tree: before } = await session.last();
  const {
    tree,
    changes: fresh,
    leftOut,
    nested,
  } = await session.capture({ ref: request.ref, also: new Set() });
  // A capture that a crash kept from being recorded is none to compare with.
  const told = request.since ?? before;
  const changes = told === before ? fresh : await session.differencesTo(told);
  const work = await session.changesSince(request.baseTree ?? tree);
  return {
    tree,
    ...(await readKeys(work, request.ignores ?? (() => false), readSubstance)),
    changed: isFirst && request.since === undefined ? countChanges([]) : countChanges(changes),
    leftOut: leftOut.map(({ path, why }) => ({ path: toText(path), why })).sort(byPath),
    nested: nested.map(toText).sort(),
  };
}

/** What a change does to its path. */
export function statusOf({ before, after }: Change): 'added' | 'modified' | 'deleted' {
  return before === null ? 'added' : after === null ? 'deleted' : 'modified';
}

function countChanges(changes: readonly Change[]): Snapshot['changed'] {
  const changed: Snapshot['changed'] = { added: 0, modified: 0, deleted: 0, paths: [] };
  for (const change of changes) changed[statusOf(change)]++;
  const paths = changes.map(({ path }) => path).filter((path) => !isAgentsOwn(path));
  changed.paths = paths.sort().slice(0, MOST_PATHS).map(toText);
  return changed;
}

const MOST_PATHS = 50;

function byPath(a: { path: string }, b: { path: string }): number {
  return a.path < b.path ? -1 : 1;
}
