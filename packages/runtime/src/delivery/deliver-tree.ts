import { FaultError, fault } from '@agentgate/core';
import { asFault } from '../workspace/faults.ts';
import { writeRef } from '../workspace/git-dir.ts';
import { findBranch, makeBranch } from './branch.ts';
import { type ChoiceRequest, chooseChanges } from './choice.ts';
import { type Forge, makeCommit, makeTree, rememberObjects } from './commit.ts';
import { readIdentity } from './identity.ts';
import { findTarget } from './target.ts';

export interface TreeRequest extends ChoiceRequest {
  as: 'commit' | 'branch';
  runId: string;
  branch: string;
  /** When the run ended; null while it is ending. */
  endedAt: string | null;
  /** The commit to stand on, where that is known already. */
  head?: string | undefined;
  message: (notes: readonly string[]) => string;
}

export interface DeliveredTree {
  commit: string;
  ref: string;
  /** What the commit leaves out, and how it differs from the judged tree. */
  notes: string[];
  /** How many paths it changes. */
  paths: number;
}

/**
 * Makes what a run changed a commit on top of HEAD: under our own refs, or as a new branch. HEAD, index, stash,
 * configuration and files of the user stay as they are, byte for byte. Throws a fault that says what to do.
 */
export function deliverTree(request: TreeRequest): Promise<DeliveredTree> {
  return asFault(async () => {
    const found = await findTarget(request, request.head === undefined ? request.endedAt : null);
    const target = found && request.head !== undefined ? { ...found, head: request.head } : found;
    const repository = target?.repository ?? null;
    if (repository === null && request.as === 'branch') throw noRepository(request.root);
    const forge: Forge = { gitDir: request.gitDir, repository };
    const { changes, notes } = await chooseChanges(request, target);
    const head = target?.head ?? null;
    if (changes.length === 0) throw nothingNew(notes);
    const tree = await makeTree(forge, head, target?.prefix ?? '', changes);
    const there = request.as === 'branch' ? await findBranch(repository!, request.branch, tree) : null;
    const ref = refOf(request);
    if (there !== null) return { commit: there, ref, notes, paths: changes.length };
    const author = await readIdentity(repository);
    const commit = await makeCommit(forge, { tree, head, author, message: request.message(notes) });
    if (request.as === 'commit') {
      rememberObjects(forge);
      writeRef(request.gitDir, ref.slice('refs/agentgate/'.length), commit);
    } else await makeBranch({ ...forge, repository: repository! }, request.branch, { commit, head });
    return { commit, ref, notes, paths: changes.length };
  });
}

const refOf = ({ as, branch, runId, tree }: TreeRequest): string =>
  as === 'branch' ? `refs/heads/${branch}` : `refs/agentgate/delivered/${runId}/${tree.slice(0, 12)}`;

function noRepository(root: string): FaultError {
  const what = `there is no git repository around ${root} that a branch could be made in`;
  return new FaultError(fault('deliver.no-repository', `${what}; run git init, or deliver with --as commit`));
}

function nothingNew(notes: readonly string[]): FaultError {
  const also = notes.length === 0 ? '' : ` (${notes.join('; ')})`;
  return new FaultError(
    fault('deliver.nothing', `there is nothing to deliver: HEAD holds all that the run changed${also}`),
  );
}
