import { showBytes } from '@agentgate/core';
import { bytesOf } from '../retention/index.ts';
import { listHomes, stateRoot } from '../store/index.ts';
import type { Remark } from './remark.ts';

const largeBytes = 5e9;
const mostEntries = 200_000;

/** Speaks up when all state together has grown large. */
export function lookAtSize(env: NodeJS.ProcessEnv, large = largeBytes): Remark[] {
  const path = stateRoot(env);
  const bytes = bytesOf(path, mostEntries);
  if (bytes < large) return [];
  const workspaces = listHomes(env).length;
  return [
    {
      about: 'state size',
      mark: 'lacking',
      what: `${showBytes(bytes)} in ${path}, in ${workspaces} ${workspaces === 1 ? 'workspace' : 'workspaces'}`,
      next: 'agentgate prune --all-workspaces --older-than 30d --keep 10 --dry-run',
      facts: { path, bytes, workspaces },
    },
  ];
}
