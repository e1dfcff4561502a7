import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { chmodSync, lstatSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { FaultError, fault } from '@agentgate/core';
import { makeFolder, systemDisk } from '@agentgate/runtime';

/** Where the server keeps what is its own. It lies in the state, which no sandbox shows. */
export const serverDir = (stateRoot: string): string => join(stateRoot, 'server');

export const tokenPath = (stateRoot: string): string => join(serverDir(stateRoot), 'token');

const tokenBytes = 32;
const shape = /^[\w-]{43,}$/;

/** The token of this state, made on first use: 256 bits that only its owner can read. There is no way without one. */
export function readToken(stateRoot: string): string {
  const path = tokenPath(stateRoot);
  try {
    makeFolder(serverDir(stateRoot), 0o700);
    return ownToken(path) ?? newToken(path);
  } catch (error) {
    if (error instanceof FaultError) throw error;
    throw new FaultError(
      fault('server.token', `cannot keep the token of the server in ${path}; check its permissions`, error),
    );
  }
}

/** Makes another token; every cookie and every program that knows the old one is shut out. */
export function renewToken(stateRoot: string): void {
  makeFolder(serverDir(stateRoot), 0o700);
  systemDisk.put(tokenPath(stateRoot), makeToken());
}

/** None where there is no file, or one that is no token. One that others could read is none any more. */
function ownToken(path: string): string | null {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (!found) return null;
  const uid = process.getuid?.();
  if (!found.isFile() || (uid !== undefined && found.uid !== uid))
    throw new FaultError(
      fault('server.token', `${path} is not a file of yours; remove it, then start the server again`),
    );
  const text = readFileSync(path, 'utf8').trim();
  const isOpen = process.platform !== 'win32' && (found.mode & 0o077) !== 0;
  if (!shape.test(text) || isOpen) return replaceToken(path);
  return text;
}

function replaceToken(path: string): string {
  const token = makeToken();
  systemDisk.put(path, token);
  return token;
}

/** Two servers that begin at once agree on the token of the one that came first. */
function newToken(path: string): string {
  const token = makeToken();
  try {
    writeFileSync(path, token, { mode: 0o600, flag: 'wx' });
    chmodSync(path, 0o600);
    return token;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return readFileSync(path, 'utf8').trim();
  }
}

const makeToken = (): string => randomBytes(tokenBytes).toString('base64url');

/** Whether two secrets are the same; how long it takes tells nothing about them. */
export function sameSecret(one: string, other: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(one), digest(other));
}
