import { accessSync, constants, readFileSync, readlinkSync, realpathSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Fault, fault } from '@agentgate/core';
import type { Entry } from './mirror.ts';

/** A path of the dependencies by which a gate would see what the agent can still change. */
export interface Leak {
  path: string;
  target: string;
  why: string;
}

/**
 * Where links and editable installs of a dependency folder lead out of the room. What leads to the workspace's own
 * path does not: the room is mounted there.
 */
export function leaksOf(root: string, { path, stat }: Entry): Leak[] {
  const at = join(root, path);
  const targets = stat.isSymbolicLink()
    ? [resolve(dirname(at), readlinkSync(at))]
    : stat.isFile() && EDITABLE.test(basename(path))
      ? editableTargets(at)
      : [];
  return targets.flatMap((target) => {
    const why = whyLeak(root, target);
    return why === null ? [] : [{ path, target, why }];
  });
}

export function leakFault(leaks: readonly Leak[]): Fault {
  const named = leaks.slice(0, 3).map(({ path, target, why }) => `${path} leads to ${target}, ${why}`);
  const more = leaks.length > 3 ? ` and ${leaks.length - 3} more` : '';
  return fault(
    'room.leak',
    `the gates' room has a leak: ${named.join('; ')}${more}; install it as a copy, or inside the workspace`,
  );
}

const EDITABLE = /\.(?:pth|egg-link)$|^direct_url\.json$|^__editable__.*\.py$/;

function editableTargets(file: string): string[] {
  const text = readFileSync(file, 'utf8');
  const name = basename(file);
  if (name === 'direct_url.json') return editableUrl(text);
  const found = name.endsWith('.py')
    ? [...text.matchAll(/(['"])(\/[^'"\n]+)\1/g)].map((match) => match[2] as string)
    : text.split('\n').map((line) => line.trim());
  return found.filter((path) => isAbsolute(path));
}

function editableUrl(text: string): string[] {
  try {
    const { url, dir_info: info } = JSON.parse(text) as { url?: string; dir_info?: { editable?: boolean } };
    return info?.editable === true && url?.startsWith('file://') ? [fileURLToPath(url)] : [];
  } catch {
    // Whatever it says, pip cannot read it either.
    return [];
  }
}

function whyLeak(root: string, target: string): string | null {
  if (isBelow(root, target)) return null;
  const real = realPath(target);
  if (real === null) return null;
  if (isSameFolder(root, real)) return 'which is the live workspace by another path';
  if (SYSTEM.some((folder) => isBelow(folder, real)) || isOfToolchain(real) || !isWritable(real)) return null;
  return 'which lies outside of the workspace and can be changed';
}

const SYSTEM = [
  '/usr',
  '/bin',
  '/sbin',
  '/lib',
  '/lib64',
  '/opt',
  '/etc',
  '/nix',
  '/gnu',
  '/snap',
  '/proc',
  '/dev',
  '/sys',
];

/** Toolchains and package stores lie in hidden folders of the home, or in a few by these names. */
function isOfToolchain(path: string): boolean {
  const first = relative(homedir(), path).split('/')[0] ?? '';
  if (first === '..' || first === '' || isAbsolute(first)) return false;
  return first.startsWith('.') || TOOLS.test(first);
}

const TOOLS = /^(?:go|sdk|snap|Library|miniconda3?|anaconda3?|miniforge3?|mambaforge|micromamba)$/;

/** Bind mounts give one folder two real paths, so it is known by what it is. */
function isSameFolder(root: string, path: string): boolean {
  const own = statSync(root);
  for (let at = path; ; at = dirname(at)) {
    const stat = statSync(at, { throwIfNoEntry: false });
    if (stat?.dev === own.dev && stat.ino === own.ino) return true;
    if (at === dirname(at)) return false;
  }
}

function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    // Not ours to write, so not the agent's either.
    return false;
  }
}

function realPath(path: string): string | null {
  try {
    return realpathSync(path);
  } catch {
    // It leads nowhere, in the room as outside.
    return null;
  }
}

function isBelow(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== '..' && !way.startsWith('../') && !isAbsolute(way);
}
