import { readdirSync, readFileSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, isAbsolute } from 'node:path';
import { makeFolder } from '../make-folder.ts';
import type { HostName } from './hosts.ts';

/** A session that is held, as one small file says it. */
export interface Binding {
  v: 1;
  host: HostName;
  sessionId: string;
  root: string;
  runId: string;
  /** `working`: the agent has the word. `judging`: we have. `suspended`: the next prompt goes on. */
  phase: 'working' | 'judging' | 'suspended';
  /** Blocks in a row, as the host counts them. */
  blocks: number;
  /** What the host told at our last block; a host that only repeats itself lets nobody work. */
  last: string | null;
  /** How long the transcript was then. */
  transcriptBytes: number;
  /** How our last block begins: some hosts tell it to us again, as a prompt. */
  told: string;
  /** How many of the words that persons gave the run the session knows. */
  redirects: number;
  /** The last stop and what was answered to it: hooks that stand in two settings are both started for one stop. */
  heard: { stop: string; answer: object; atMs?: number } | null;
  /** Names its workspace among those that have something unseen. */
  key: string;
  /** Stops that were let through without being judged, because work went on in the background; since the last judgement. */
  pauses?: { stops: number; sinceMs: number };
  /** How long it has waited for words of its person in this iteration, and since when it waits now. */
  idle?: { ms: number; sinceMs: number | null };
}

/** An order to hold the next session in a workspace. */
export interface Arming {
  v: 1;
  root: string;
  untilMs: number;
  /** A run to go on with; without one a new run begins. */
  runId: string | null;
  /** What is added to the limits of that run. */
  added: object;
  /** The spec of a new run, as it was when it was armed. */
  loaded: object | null;
}

/** A session in this workspace went away unfinished, and its person has not been told yet. */
export interface Unseen {
  v: 1;
  root: string;
  runId: string;
  text: string;
}

/** A prompt that was to be held and was not. Not every host shows its person why. */
export interface Unarmed {
  v: 1;
  root: string;
  host: HostName;
  sessionId: string;
  atMs: number;
  text: string;
}

const bindingAt = (state: string, sessionId: string): string => join(state, 'sessions', `${sessionId}.json`);

export const readBinding = (state: string, sessionId: string): Binding | null =>
  read(bindingAt(state, sessionId)) as Binding | null;

export const writeBinding = (state: string, binding: Binding): void =>
  put(bindingAt(state, binding.sessionId), binding);

export const removeBinding = (state: string, sessionId: string): void =>
  rmSync(bindingAt(state, sessionId), { force: true });

/** Made where it is asked for; whoever holds its lock answers for the session. */
export function turnPath(state: string, sessionId: string): string {
  makeFolder(join(state, 'sessions'), 0o700);
  return join(state, 'sessions', `${sessionId}.turn`);
}

export const listBindings = (state: string): Binding[] =>
  keyed(join(state, 'sessions')) as unknown as Binding[];

/** Kept by the name of the workspace's home, so that each has one at most. */
export const writeArming = (state: string, key: string, arming: Arming): void =>
  put(join(state, 'arming', `${key}.json`), arming);

export const listArmings = (state: string): (Arming & { key: string })[] =>
  keyed(join(state, 'arming')) as unknown as (Arming & { key: string })[];

export const removeArming = (state: string, key: string): void =>
  rmSync(join(state, 'arming', `${key}.json`), { force: true });

/** One for each run: of two that went away unfinished neither hides the other. */
export const writeUnseen = (state: string, key: string, unseen: Unseen): void =>
  put(join(state, 'unseen', `${key}-${unseen.runId}.json`), unseen);

export const listUnseen = (state: string): (Unseen & { key: string })[] =>
  keyed(join(state, 'unseen')) as unknown as (Unseen & { key: string })[];

export const removeUnseen = (state: string, key: string): void =>
  rmSync(join(state, 'unseen', `${key}.json`), { force: true });

/** The last one of each workspace. */
export const writeUnarmed = (state: string, key: string, unarmed: Unarmed): void =>
  put(join(state, 'unarmed', `${key}.json`), unarmed);

export const listUnarmed = (state: string): (Unarmed & { key: string })[] =>
  keyed(join(state, 'unarmed')) as unknown as (Unarmed & { key: string })[];

export const removeUnarmed = (state: string, key: string): void =>
  rmSync(join(state, 'unarmed', `${key}.json`), { force: true });

/** There is nothing left to tell of these runs. */
export function forgetUnseen(state: string, runIds: readonly string[]): void {
  for (const { key, runId } of listUnseen(state)) if (runIds.includes(runId)) removeUnseen(state, key);
}

/** The word of an agent whose session is held: the same fields as in an outcome file. */
export const wordsPath = (state: string, runId: string): string => join(state, 'words', `${runId}.json`);

export const leaveWords = (state: string, runId: string, words: object): void =>
  put(wordsPath(state, runId), { v: 1, ...read(wordsPath(state, runId)), ...words });

export const removeWords = (state: string, runId: string): void =>
  rmSync(wordsPath(state, runId), { force: true });

/** Hosts tell the folder as it was entered, perhaps by a link; workspaces are known by their real one. */
export function realFolder(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    return folder;
  }
}

/** Whether a folder is another one or lies in it. */
export function isWithin(folder: string, root: string): boolean {
  const way = relative(root, folder);
  return way === '' || (!way.startsWith('..') && !isAbsolute(way));
}

type Loose = Record<string, unknown>;

function read(path: string): Loose | null {
  try {
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'));
    return typeof value === 'object' && value !== null && (value as Loose)['v'] === 1
      ? (value as Loose)
      : null;
  } catch {
    // Not there, as almost always, or none of ours.
    return null;
  }
}

function keyed(folder: string): Loose[] {
  let names: string[];
  try {
    names = readdirSync(folder);
  } catch {
    return [];
  }
  return names.flatMap((name) => {
    const value = name.endsWith('.json') ? read(join(folder, name)) : null;
    // A session names its workspace itself; the others are named by their files.
    return value ? [{ key: name.slice(0, -'.json'.length), ...value }] : [];
  });
}

/** Whoever reads it meanwhile finds the old one or the new one. */
function put(path: string, value: object): void {
  makeFolder(dirname(path), 0o700);
  const made = `${path}.${process.pid}`;
  writeFileSync(made, JSON.stringify(value), { mode: 0o600 });
  renameSync(made, path);
}
