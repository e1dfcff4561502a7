import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { systemDisk } from '@agentgate/runtime';
import { serverDir } from './entrance/token.ts';

const noteOf = (stateRoot: string): string => join(serverDir(stateRoot), 'port');

/** The port of the last server of this state to which a bookmark may point; null before the first. */
export function readUsualPort(stateRoot: string): number | null {
  try {
    const text = readFileSync(noteOf(stateRoot), 'utf8').trim();
    const port = /^\d{1,5}$/.test(text) ? Number(text) : 0;
    return port > 0 && port < 65_536 ? port : null;
  } catch {
    return null;
  }
}

export function keepUsualPort(stateRoot: string, port: number): void {
  if (readUsualPort(stateRoot) !== port) systemDisk.put(noteOf(stateRoot), `${port}\n`);
}
