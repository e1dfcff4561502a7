import { execFile } from 'node:child_process';
import { closeSync, constants, mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** Both ends of a pipe, as descriptors that no child inherits unless it is given them. */
export interface Pipe {
  readFd: number;
  writeFd: number;
}

const BATCH = 16;
const spare: Pipe[] = [];

/**
 * Opens a real pipe, or answers null where that is impossible. Node's own 'pipe' is a socket, and a
 * script that writes to /dev/stderr by name fails on a socket, though it works everywhere else.
 */
export async function openPipe(): Promise<Pipe | null> {
  if (spare.length === 0) spare.push(...(await makePipes()));
  return spare.pop() ?? null;
}

/** Closes both ends of a pipe that nobody got to use. */
export function closePipe(pipe: Pipe): void {
  closeSync(pipe.readFd);
  closeSync(pipe.writeFd);
}

// Node has no pipe(2). A named pipe whose name is gone is the same thing; making several at
// once shares the cost of the one process that it takes.
async function makePipes(): Promise<Pipe[]> {
  const folder = mkdtempSync(join(tmpdir(), 'agentgate-pipe-'));
  try {
    const paths = Array.from({ length: BATCH }, (_, index) => join(folder, String(index)));
    await promisify(execFile)('mkfifo', ['-m', '600', ...paths]);
    return paths.map(openEnds);
  } catch {
    // No mkfifo, or a folder that allows no pipes: the caller makes do with sockets.
    return [];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function openEnds(path: string): Pipe {
  // Opening one end blocks until the other is open; holding both for a moment avoids that
  // without O_NONBLOCK, which the program would inherit.
  const both = openSync(path, constants.O_RDWR);
  const pipe = { readFd: openSync(path, constants.O_RDONLY), writeFd: openSync(path, constants.O_WRONLY) };
  closeSync(both);
  return pipe;
}
