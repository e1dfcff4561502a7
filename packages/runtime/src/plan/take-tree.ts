import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openRunWorkspace } from '../driver/session.ts';
import type { GitWorkspace } from '../workspace/index.ts';
import { gatesOfItem } from './item-spec.ts';
import { mergeTrees, takeOver } from './merge.ts';
import type { Stage } from './stage.ts';

/** The workspace as it is now, kept under a name of the plan's. */
export async function takeTree(stage: Stage, name: string): Promise<string> {
  return withWorkspace(stage, async (workspace) => (await workspace.snapshot({ ref: `plans/${name}` })).tree);
}

/** The same, but what was kept under that name before a crash stays. */
export async function treeOnce(stage: Stage, name: string): Promise<string> {
  return keptTree(stage, name) ?? takeTree(stage, name);
}

/** What is kept under a name of the plan's; null where nothing is. */
export function keptTree({ home }: Stage, name: string): string | null {
  const ref = join(home.gitDir, 'refs', 'agentgate', 'plans', name);
  return existsSync(ref) ? readFileSync(ref, 'utf8').trim() : null;
}

export const restoreTree = (stage: Stage, tree: string, safety: string): Promise<string> =>
  withWorkspace(stage, async (workspace) => (await workspace.restore(tree, `plans/${safety}`)).safety);

/**
 * Takes a change out of the workspace: what led from `before` to `after`. Whatever else is there stays, also what
 * somebody did since. A file in which both cannot be told apart stays as it is, and is told.
 */
export async function takeOut(
  stage: Stage,
  { before, after }: { before: string; after: string },
  name: string,
): Promise<{ from: string; to: string; kept: string[] }> {
  const from = await takeTree(stage, `${name}/taken`);
  if (from === after) {
    if (before !== after) await restoreTree(stage, before, `${name}/left`);
    return { from, to: before, kept: [] };
  }
  const { tree, conflicts } = await mergeTrees(stage.home.gitDir, {
    base: after,
    ours: from,
    theirs: before,
  });
  const to =
    conflicts.length === 0
      ? tree
      : await takeOver(stage.home.gitDir, { tree: from, from: tree, but: conflicts });
  if (to !== from) await restoreTree(stage, to, `${name}/left`);
  return { from, to, kept: conflicts };
}

/** Whoever reads or writes the workspace of a plan does so alone. */
const turns = new WeakMap<Stage, Promise<unknown>>();

/** Opens the workspace of the plan the way its runs do. */
export async function withWorkspace<T>(
  stage: Stage,
  act: (workspace: GitWorkspace) => Promise<T>,
): Promise<T> {
  const turn = (turns.get(stage) ?? Promise.resolve()).then(() => opened(stage, act));
  turns.set(
    stage,
    turn.catch(() => undefined),
  );
  return turn;
}

async function opened<T>(stage: Stage, act: (workspace: GitWorkspace) => Promise<T>): Promise<T> {
  const { agenda } = stage.state();
  const any = agenda.items.find(({ resolvedBy }) => resolvedBy === null) ?? agenda.items[0]!;
  const env = stage.env ? { env: stage.env } : {};
  const spec = await gatesOfItem(stage.state(), any.id, { root: stage.home.root, ...env });
  const workspace = await openRunWorkspace(stage.home, spec);
  try {
    return await act(workspace);
  } finally {
    await workspace.close();
  }
}
