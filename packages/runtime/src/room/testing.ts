import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Rung } from '@agentgate/core';
import { onTestFinished } from 'vitest';
import { type Bed, makeBed } from '../workspace/testing.ts';
import type { GitWorkspace } from '../workspace/open.ts';
import type { RoomNeeds } from './needs.ts';
import type { Room } from './room.ts';
import { type OpenedRoom, type OpenRequest, openRooms, type Rooms } from './rooms.ts';

/** A workspace with real git whose snapshots can be shown in a room, for one test. */
export interface RoomBed extends Bed {
  home: string;
  rooms: Rooms;
  workspace: GitWorkspace;
  snapshot(): Promise<string>;
  /** Opens a room, closed again after the test. */
  enter(tree: string, request?: OpenRequest): Promise<OpenedRoom>;
}

const probe = mkdtempSync(join(tmpdir(), 'agentgate-probe-'));
const found = await openRooms({
  home: { room: join(probe, 'room') },
  gitDir: probe,
  root: probe,
  workspace: { passed: async () => [] },
});
rmSync(probe, { recursive: true, force: true });

/** Why there are no rooms on this machine; undefined where there are. */
export const noRooms = found.kind === 'none' ? found.why : undefined;

export async function makeRoomBed(): Promise<RoomBed> {
  const bed = makeBed();
  const home = join(bed.gitDir, '..', 'room');
  const workspace = await bed.open();
  const rooms = await openRooms({ home: { room: home }, gitDir: bed.gitDir, root: bed.root, workspace });
  if (rooms.kind === 'none') throw new Error(rooms.why);
  let count = 0;
  return {
    ...bed,
    home,
    rooms,
    workspace,
    snapshot: async () => (await workspace.snapshot({ ref: `test/${++count}` })).tree,
    async enter(tree, request) {
      const room = await rooms.open(tree, request);
      let isClosed = false;
      const close = async () => {
        if (!isClosed) await room.close();
        isClosed = true;
      };
      onTestFinished(close);
      return { ...room, close };
    },
  };
}

/** Runs shell text in a room and gives what it printed, both streams together. */
export function shellIn(
  room: Room,
  root: string,
  text: string,
  { rung = 'sealed', needs }: { rung?: Rung; needs?: RoomNeeds } = {},
): string {
  const [program, ...args] = room.argv(['/bin/sh', '-c', `{ ${text}\n} 2>&1 || true`], rung, needs);
  return execFileSync(program, args, { cwd: root, timeout: 20_000 }).toString().trim();
}
