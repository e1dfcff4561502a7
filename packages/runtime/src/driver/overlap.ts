import { sep } from 'node:path';
import { listHomes, type WorkspaceHome } from '../store/index.ts';
import { ownerOf } from './owner.ts';

/** Tells of others at work in a directory around this workspace, or inside of it: each judges what the other writes, too. */
export function warnOfOverlap({ root }: WorkspaceHome, env?: NodeJS.ProcessEnv): string[] {
  return listHomes(env).flatMap((other) => {
    const where = isIn(root, other.root) ? 'contains' : isIn(other.root, root) ? 'lies in' : null;
    const holder = where === null ? null : ownerOf(other);
    if (holder === null) return [];
    const { runId, pid, since } = holder;
    return [
      `${other.root}, which ${where} this workspace, is held by run ${runId} (process ${pid}, since ${since}); nothing keeps the two apart, so each is judged with what the other writes. Wait for it, or work in a git worktree beside it`,
    ];
  });
}

const isIn = (inner: string, outer: string): boolean =>
  inner !== outer && inner.startsWith(outer.endsWith(sep) ? outer : `${outer}${sep}`);
