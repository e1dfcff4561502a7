import { join } from 'node:path';
import { FaultError, type Gate, type GateRequest, type Judgement, type Rung } from '@agentgate/core';
import type { Seal } from '../integrity/index.ts';
import { agree, needsOf, openRehearsals, openRooms, type Rooms } from '../room/index.ts';
import { bringTo, openPristine } from '../room/pristine.ts';
import type { GitWorkspace } from '../workspace/index.ts';

/** A place in which other trees than the workspace's can be judged. */
export interface Elsewhere {
  /** Whether the gate says the same about the workspace's own tree there as in place; if not, why. */
  trust(request: GateRequest): Promise<{ rung: Rung } | { why: string }>;
  judge(request: GateRequest, at: { tree: string; rung: Rung; seal?: Seal }): Promise<Judgement>;
  /** Whether protected files can be shown in their older form. */
  seals: boolean;
}

export interface ElsewhereOptions {
  /** A folder of our own. */
  dir: string;
  gitDir: string;
  root: string;
  base: string;
  tree: string;
  workspace: GitWorkspace;
  judge: Gate;
  hide: readonly string[];
}

/** A room where it can be had, else a plain checkout. Nothing is made before it is asked for. */
export function openElsewhere(options: ElsewhereOptions): () => Promise<Elsewhere> {
  let opened: Promise<Elsewhere> | null = null;
  return () => (opened ??= open(options));
}

async function open(options: ElsewhereOptions): Promise<Elsewhere> {
  const { dir, gitDir, root, workspace, hide } = options;
  const rooms = await openRooms({ home: { room: join(dir, 'room') }, gitDir, root, workspace, hide });
  if (rooms.kind === 'none') return inCheckout(options, rooms.why);
  await rooms.capture(await workspace.repositories());
  return inRooms(options, rooms);
}

function inRooms({ tree, base, judge }: ElsewhereOptions, rooms: Rooms): Elsewhere {
  return {
    seals: true,
    async trust(request) {
      const rehearsals = openRehearsals(rooms, tree, judge);
      try {
        const { rung, line } = await rehearsals.rehearse(request);
        return rung === 'in-place' ? { why: line ?? 'in a room it answers otherwise' } : { rung };
      } finally {
        await rehearsals.close();
      }
    },
    async judge(request, { tree: shown, rung, seal }) {
      const ignored = rung === 'ignored' || rung === 'network';
      const sealed = seal && {
        baseTree: base,
        fromBase: (path: string) => seal.fromBase.has(path),
        replaced: seal.replaced,
      };
      const room = await rooms.open(shown, { ignored, ...(sealed ? { sealed } : {}) });
      try {
        return await judge({ ...request, room: room.forGate(rung, needsOf(request.gate)) });
      } finally {
        await room.close();
      }
    },
  };
}

/** Without namespaces: the files of a tree alone, in a folder of ours. Installed dependencies are missing there. */
function inCheckout({ dir, gitDir, root, tree, judge }: ElsewhereOptions, why: string): Elsewhere {
  const judgeAt = async (request: GateRequest, shown: string): Promise<Judgement> => {
    await bringTo(openPristine({ dir: join(dir, 'checkout'), gitDir, root }), async () => shown);
    return judge({ ...request, root: join(dir, 'checkout', 'tree') });
  };
  return {
    seals: false,
    async trust(request) {
      const [here, there] = [await judge(request), await judgeAt(request, tree)];
      const differs = `in a clean checkout, without what is installed, it answers otherwise; a room would show it, but there is none: ${why}`;
      return agree(here.verdict, there.verdict) ? { rung: 'in-place' } : { why: differs };
    },
    judge: (request, at) => judgeAt(request, at.tree),
  };
}

/** A fault of the place says nothing about the work. */
export async function orWhy<T>(act: () => Promise<T>): Promise<T | { why: string }> {
  try {
    return await act();
  } catch (error) {
    if (!(error instanceof FaultError)) throw error;
    return { why: error.message };
  }
}
