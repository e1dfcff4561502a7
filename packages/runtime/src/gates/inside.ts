import { lstat, realpath } from 'node:fs/promises';
import { isAbsolute, relative, resolve, sep } from 'node:path';
import { type Fault, fault } from '@agentgate/core';
import { follow } from '../follow.ts';
import { type View, viewRoot } from './in-room.ts';

export type Looked =
  | { kind: 'inside'; path: string }
  | { kind: 'missing' }
  | { kind: 'dangling' }
  | { kind: 'outside' };

/** Finds a path that must lie inside the root, also after its links are followed. */
export async function look(view: View, path: string): Promise<Looked> {
  const { root } = view;
  if (view.room !== undefined) return follow(viewRoot(view), root, path);
  const full = resolve(root, path);
  if (!isInside(resolve(root), full)) return { kind: 'outside' };
  const real = await realpath(full).catch(ignoreMissing);
  if (real !== undefined) {
    return isInside(await realpath(root), real) ? { kind: 'inside', path: real } : { kind: 'outside' };
  }
  const entry = await lstat(full).catch(ignoreMissing);
  return { kind: entry === undefined ? 'missing' : 'dangling' };
}

/** Says that a gate names something it must not look at. */
export function outsideFault(gate: string, path: string): Fault {
  return fault(
    'gate.path',
    `gate ${gate} cannot look at ${path}: it leads out of the workspace; name a path inside it, or remove the link`,
  );
}

function isInside(root: string, path: string): boolean {
  const way = relative(root, path);
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined;
  throw error;
}
