import { findTreeProblem } from '../workspace/whole-tree.ts';
import { type Check, checksOf } from './check.ts';

/** Whether the tree that a run ended with is there with everything in it. */
export async function checkTree(runId: string, tree: string | null, gitDir: string | null): Promise<Check> {
  const { ok, note, broken } = checksOf('tree', runId);
  if (tree === null) return note(`run ${runId} has no tree to look for`);
  const short = tree.slice(0, 12);
  if (gitDir === null)
    return note(`tree ${short} did not come along; agentgate export --trees takes it along`);
  const problem = await findTreeProblem(gitDir, tree);
  return problem === null
    ? ok(`tree ${short} is there and complete`)
    : broken(`tree ${short} of run ${runId} is not complete: ${problem}`);
}
