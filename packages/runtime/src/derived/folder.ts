import { lstatSync, mkdirSync, realpathSync } from 'node:fs';
import { isAbsolute, join, relative, resolve, sep } from 'node:path';
import { FaultError, fault } from '@agentgate/core';

/**
 * The folder for derived files, made where it is missing. Every step is looked at before it is taken, so that
 * nothing is ever made behind a link that leads out of the workspace.
 */
export function openFolder(root: string, stateDir: string): string {
  const way = relative(root, resolve(root, stateDir));
  if (isAbsolute(way) || way === '..' || way.startsWith(`..${sep}`))
    throw refused(stateDir, 'it lies outside');
  const parts = way.split(sep).filter((part) => part !== '');
  if (parts.some((part) => part.toLowerCase() === '.git'))
    throw refused(stateDir, 'it lies in a git directory');
  let path = realpathSync(root);
  for (const part of parts) path = step(root, stateDir, join(path, part));
  return path;
}

function step(root: string, stateDir: string, path: string): string {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found === undefined) {
    mkdirSync(path);
    return path;
  }
  if (found.isDirectory()) return path;
  if (!found.isSymbolicLink()) throw refused(stateDir, `${path} is no folder`);
  const real = readReal(path);
  const inside = real === null ? '..' : relative(realpathSync(root), real);
  if (inside === '..' || inside.startsWith(`..${sep}`) || inside.split(sep).includes('.git'))
    throw refused(stateDir, `the link ${path} leads out of the workspace`);
  return real!;
}

function readReal(path: string): string | null {
  try {
    return realpathSync(path);
  } catch {
    // A link to nowhere leads nowhere inside either.
    return null;
  }
}

function refused(stateDir: string, why: string): FaultError {
  const what = `cannot write the derived files to stateDir ${JSON.stringify(stateDir)}: ${why}`;
  return new FaultError(fault('derived.refused', `${what}; name a folder inside the workspace`));
}
