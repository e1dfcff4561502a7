import {
  chmodSync,
  existsSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { FaultError, fault } from '@agentgate/core';
import { makeFolder } from '@agentgate/runtime';

export type Did = 'wrote' | 'kept' | 'removed' | 'nothing' | 'foreign';

/** Writes a file of our own; one of the same name that is somebody else's stays. */
export function putOwn(path: string, text: string): Did {
  const there = readIf(path);
  if (there === text) return 'kept';
  if (there !== null && !isOurs(there)) return 'foreign';
  put(path, text);
  return 'wrote';
}

export function removeOwn(path: string): Did {
  const there = readIf(path);
  if (there === null || !isOurs(there)) return 'nothing';
  remove(path);
  return 'removed';
}

export const remove = (path: string): void => onDisk('removed', path, () => rmSync(path));

export const readIf = (path: string): string | null =>
  onDisk('read', path, () => (existsSync(path) ? readFileSync(path, 'utf8') : null));

const isOurs = (text: string): boolean => /\(AgentGate\)|^\/\/ Written by agentgate hook install/m.test(text);

/**
 * Whoever reads the file meanwhile finds the old one or the new one. Who may read it stays as it was; a new one is made
 * like any other file of this person.
 */
export const put = (path: string, text: string): void => onDisk('written', path, () => write(path, text));

function write(path: string, text: string): void {
  makeFolder(dirname(path));
  const real = existsSync(path) ? realpathSync(path) : path;
  const made = `${real}.${process.pid}`;
  const mode = existsSync(real) ? statSync(real).mode & 0o7777 : null;
  // Nobody else looks into it before it has its mode.
  writeFileSync(made, text, mode === null ? {} : { mode: 0o600 });
  if (mode !== null) chmodSync(made, mode);
  renameSync(made, real);
}

/** A file that the system keeps from us is a matter for its owner, and no bug. */
function onDisk<T>(what: string, path: string, deed: () => T): T {
  try {
    return deed();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    throw new FaultError(
      fault('settings.unreadable', `${path} cannot be ${what} (${code}); put it right, then try again`),
    );
  }
}
