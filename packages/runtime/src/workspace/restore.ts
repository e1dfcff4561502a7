import { FaultError, fault } from '@agentgate/core';
import { applyChanges } from './apply.ts';
import type { Bounds } from './bounds.ts';
import type { Change } from './capture.ts';
import { ancestors, toBytes, toText } from './path.ts';
import type { Reader } from './reader.ts';
import type { Session } from './session.ts';
import { readChanges } from './since.ts';

export interface Restored {
  /** The tree that was there before. */
  safety: string;
  written: number;
  deleted: number;
}

/** Keeps what is there, makes the directory exactly `tree`, and looks whether it is. */
export async function restoreTree(
  place: { root: string; gitDir: string; bounds: Bounds; reader: Reader; session: Session },
  tree: string,
  safetyRef: string,
): Promise<Restored> {
  const { root, gitDir, bounds, reader, session } = place;
  const readPlan = async (from: string): Promise<Change[]> =>
    (await readChanges(gitDir, from, tree)).filter(({ path }) => !bounds.isBeyond(path));

  // A path of the tree is kept first even if it is ignored by now, since it will be overwritten.
  const also = pathsOf(await readPlan((await session.last()).tree));
  const safety = await session.capture({ ref: safetyRef, also });
  const done = await applyChanges(toBytes(root), await readPlan(safety.tree), reader);
  const result = await session.capture({ ref: null, also });
  const unlike = await readPlan(result.tree);
  if (unlike.length > 0) throw new FaultError(unlikeFault(tree, unlike));
  return { safety: safety.tree, ...done };
}

function pathsOf(changes: readonly Change[]): Set<string> {
  const paths = changes.filter(({ after }) => after !== null).map(({ path }) => path);
  return new Set(paths.flatMap((path) => [path, ...ancestors(path)]));
}

function unlikeFault(tree: string, unlike: readonly Change[]) {
  const names = unlike.slice(0, 5).map(({ path }) => toText(path));
  const message = `after restoring ${tree} ${unlike.length} paths differ (${names.join(', ')}); end whatever still writes there, then run resume`;
  return fault('workspace.unlike', message);
}
