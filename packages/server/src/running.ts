import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { findBirth, makeFolder, systemDisk } from '@agentgate/runtime';
import { type Links, openLinks } from './entrance/links.ts';
import { serverDir } from './entrance/token.ts';

/** A server that is open for this state. */
interface Running {
  url: string;
  pid: number;
  /** Tells it from a later process with the same number; 0 where the platform does not say. */
  born: number;
  startedAt: string;
}

const folderOf = (stateRoot: string): string => join(serverDir(stateRoot), 'running');
const noteOf = (stateRoot: string, pid: number): string => join(folderOf(stateRoot), `${pid}.json`);

/** Each server has a note of its own, so that none takes another's with it when it ends. */
export function noteRunning(stateRoot: string, url: string, pid = process.pid): void {
  const note: Running = { url, pid, born: findBirth(pid), startedAt: new Date().toISOString() };
  makeFolder(folderOf(stateRoot), 0o700);
  systemDisk.put(noteOf(stateRoot, pid), JSON.stringify(note));
}

export function forgetRunning(stateRoot: string): void {
  rmSync(noteOf(stateRoot, process.pid), { force: true });
}

/** The servers that are alive, the newest first. What others left that were killed is removed. */
export function listRunning(stateRoot: string): Running[] {
  return namesIn(folderOf(stateRoot))
    .flatMap((name) => {
      const note = readNote(join(folderOf(stateRoot), name));
      if (note !== null && isAlive(note)) return [note];
      rmSync(join(folderOf(stateRoot), name), { force: true });
      return [];
    })
    .toSorted((one, other) => (one.startedAt < other.startedAt ? 1 : -1));
}

/** A new link to a server that runs already; null where none does. */
export function linkToRunning(stateRoot: string): { link: string; url: string } | null {
  const [note] = listRunning(stateRoot);
  return note ? { link: loginLink(note.url, openLinks(stateRoot)), url: note.url } : null;
}

export const loginLink = (url: string, links: Links): string => `${url}/login?code=${links.make()}`;

function isAlive({ pid, born }: Running): boolean {
  if (born !== 0) return findBirth(pid) === born;
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    // It has ended, or is another user's.
    return false;
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function readNote(path: string): Running | null {
  try {
    const note = JSON.parse(readFileSync(path, 'utf8')) as Partial<Running>;
    const { url, pid, born = 0, startedAt = '' } = note;
    return typeof url === 'string' && typeof pid === 'number' ? { url, pid, born, startedAt } : null;
  } catch {
    return null;
  }
}
