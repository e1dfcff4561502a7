import type { GateRun, RunState, Workspace } from '@agentgate/core';

/** What a gate may know of the run while it judges one tree. */
export function runView(
  state: RunState,
  gate: string,
  { iteration, tree }: { iteration: number; tree: string },
  workspace: Workspace,
): GateRun {
  const works = [state.current?.work ?? '', ...state.judged.map((one) => one.work).reverse()];
  const from = state.baseTree ?? tree;
  return {
    iteration,
    tree,
    // An answer to one item of a checklist names it behind the gate: done/2.
    approvals: state.approvals.filter((one) => one.gate.split('/')[0] === gate && one.tree === tree),
    works: works.slice(0, 20),
    similar: state.current?.similar ?? [],
    home: state.root,
    waitedMs: iteration === 0 ? 0 : state.waitedMs,
    task: state.spec?.task ?? '',
    async change(mostBytes) {
      if (from === tree) return { files: [], diff: '' };
      const files = await workspace.changedPaths(from, tree);
      return { files, diff: (await workspace.diff?.(from, tree, { mostBytes })) ?? '' };
    },
  };
}
