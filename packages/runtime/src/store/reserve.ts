import { randomBytes } from 'node:crypto';
import { FaultError } from '@agentgate/core';
import type { Disk } from './disk.ts';
import { guarded } from './log-file.ts';

/** Room on the disk that is kept for the moment when there is none. */
export interface Reserve {
  take(): void;
  /** Whether it was given up, and for the life of this store stays so. */
  isUsed(): boolean;
  /** Does something; when the disk is full, gives up the reserve and does it once more. */
  orUse<T>(act: () => T): T;
}

export function makeReserve(path: string, disk: Disk, bytes: number): Reserve {
  let used = false;
  return {
    take() {
      // Noise, since some disks keep nothing for a file of noughts.
      if (!disk.exists(path)) guarded(path, () => disk.put(path, randomBytes(bytes)));
    },
    isUsed: () => used,
    orUse(act) {
      try {
        return act();
      } catch (error) {
        if (used || !(error instanceof FaultError) || error.fault.code !== 'state.full') throw error;
        used = true;
        disk.remove(path);
        return act();
      }
    },
  };
}
