import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';

/** What Node itself takes beside the heap and the buffers of a module. */
const nodeMb = 56;
const everyMs = 50;
const everyPsMs = 250;

/** Collecting garbage takes all the time there is long before the limit is reached. */
const tightShare = 0.9;

export interface MemoryWatch {
  /** Whether the process used nearly all that it may when it was last looked at. */
  readonly tight: boolean;
  end(): void;
}

/**
 * Watches how much memory a process really uses, because a limit on the heap says nothing about buffers.
 * Calls once when it is more than a module may use.
 */
export function watchMemory(pid: number, memoryMb: number, onOver: () => void): MemoryWatch {
  const limitKb = (memoryMb + nodeMb) * 1024;
  const quick = readProc(pid) !== null;
  let usedKb = 0;
  let busy = false;
  const look = async () => {
    if (busy) return;
    busy = true;
    usedKb = (quick ? readProc(pid) : await readPs(pid)) ?? usedKb;
    busy = false;
    if (usedKb <= limitKb) return;
    clearInterval(timer);
    onOver();
  };
  const timer = setInterval(() => void look(), quick ? everyMs : everyPsMs);
  timer.unref();
  return {
    get tight() {
      return usedKb > limitKb * tightShare;
    },
    end: () => clearInterval(timer),
  };
}

function readProc(pid: number): number | null {
  try {
    const kb = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1];
    return kb === undefined ? null : Number(kb);
  } catch {
    // Ended, or a system that tells nothing by files.
    return null;
  }
}

async function readPs(pid: number): Promise<number | null> {
  try {
    const { stdout } = await promisify(execFile)('ps', ['-o', 'rss=', '-p', String(pid)]);
    return Number(stdout.trim()) || null;
  } catch {
    // Ended since.
    return null;
  }
}
