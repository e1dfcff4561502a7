import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { systemDisk } from '@agentgate/runtime';
import { type Links, openLinks } from './entrance/links.ts';
import { serverDir } from './entrance/token.ts';

/** A server that is open for this state. */
interface Running {
  url: string;
  pid: number;
}

const noteOf = (stateRoot: string): string => join(serverDir(stateRoot), 'running.json');

export function noteRunning(stateRoot: string, running: Running): void {
  systemDisk.put(noteOf(stateRoot), JSON.stringify(running));
}

export function forgetRunning(stateRoot: string, pid: number): void {
  if (readNote(stateRoot)?.pid === pid) rmSync(noteOf(stateRoot), { force: true });
}

/** A new link to a server that runs already; null where none does. */
export function linkToRunning(stateRoot: string): { link: string; url: string } | null {
  const note = readNote(stateRoot);
  if (note === null || !isAlive(note.pid)) return null;
  return { link: loginLink(note.url, openLinks(stateRoot)), url: note.url };
}

export const loginLink = (url: string, links: Links): string => `${url}/login?code=${links.make()}`;

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    // It has ended, or is another user's.
    return false;
  }
}

function readNote(stateRoot: string): Running | null {
  try {
    const note = JSON.parse(readFileSync(noteOf(stateRoot), 'utf8')) as Partial<Running>;
    return typeof note.url === 'string' && typeof note.pid === 'number' ? (note as Running) : null;
  } catch {
    return null;
  }
}
