import { openRunWorkspace } from '../driver/session.ts';
import type { GitWorkspace } from '../workspace/index.ts';
import { gatesOfItem } from './item-spec.ts';
import type { Stage } from './stage.ts';

/** The workspace as it is now, kept under a name of the plan's. */
export async function takeTree(stage: Stage, name: string): Promise<string> {
  return withWorkspace(stage, async (workspace) => (await workspace.snapshot({ ref: `plans/${name}` })).tree);
}

/** Opens the workspace of the plan the way its runs do. */
export async function withWorkspace<T>(
  stage: Stage,
  act: (workspace: GitWorkspace) => Promise<T>,
): Promise<T> {
  const { agenda } = stage.state();
  const any = agenda.items.find(({ resolvedBy }) => resolvedBy === null) ?? agenda.items[0]!;
  const spec = await gatesOfItem(stage.state(), any.id, {
    root: stage.home.root,
    ...(stage.env ? { env: stage.env } : {}),
  });
  const workspace = await openRunWorkspace(stage.home, spec);
  try {
    return await act(workspace);
  } finally {
    await workspace.close();
  }
}
