import { tmpdir } from 'node:os';
import type { GateRoom } from '@agentgate/core';
import { findRepository, findRepositoryAbove } from '../workspace/repository.ts';
import { type Confinement, confinedArgv } from './bwrap.ts';

/** What the driver knows of the sandbox: the program, and what nobody in it may see. */
export interface Shut {
  bwrap: string;
  hide: readonly string[];
}

/**
 * How an agent is shut in, and a gate that judges in place: the home, the workspace, its repository and the folders
 * for temporary files can be written as ever, and the network is there. All else can be read, and the hidden not at all.
 */
export function inPlaceConfinement(root: string, { bwrap, hide }: Shut): Confinement {
  return { bwrap, root, hide, network: 'on', home: 'whole', readWrite: [...writable(root)] };
}

/** A gate's room that is the workspace itself: nothing is elsewhere, but nobody gets out. */
export function inPlaceRoom(root: string, shut: Shut): GateRoom {
  return {
    argv: (argv, cwd) => confinedArgv(argv, inPlaceConfinement(root, shut), cwd ?? root),
    resolve: (path) => path,
    trouble: () => null,
  };
}

/** A repository may lie outside of the folder that works with it: around it, or for several working trees. */
function writable(root: string): Set<string> {
  const repository = findRepository(root) ?? findRepositoryAbove(root);
  const git = repository === null ? [] : [repository.gitDir, repository.commonDir];
  const runtime = process.env['XDG_RUNTIME_DIR'];
  return new Set(['/tmp', '/var/tmp', tmpdir(), ...(runtime ? [runtime] : []), ...git]);
}
