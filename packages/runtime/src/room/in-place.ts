import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { GateRoom } from '@agentgate/core';
import type { RoomNeeds } from './needs.ts';
import { forgetTrouble, serviceTrouble, withServices } from './services.ts';

/** The workspace itself in the place of a room: only the services of the gate are added. */
export function judgeInPlace(root: string, needs: RoomNeeds): GateRoom & { close(): void } {
  const notes = mkdtempSync(join(tmpdir(), 'agentgate-services-'));
  return {
    resolve: (path) => resolve(root, path),
    argv(argv) {
      forgetTrouble(notes);
      return withServices(argv, needs.services, notes) as [string, ...string[]];
    },
    trouble: () => serviceTrouble(notes, needs.services),
    close: () => rmSync(notes, { recursive: true, force: true }),
  };
}
