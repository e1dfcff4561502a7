import { createHash } from 'node:crypto';
import { lstatSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { emptyState, type Event, evolve, makeDerived, type RunState, Story } from '@agentgate/core';
import { readRegularFile } from '../regular-file.ts';
import { openFolder } from './folder.ts';

/** Keeps the derived files of a run up to date. They are for readers: whatever happens to them, the run goes on. */
export interface DerivedFiles {
  /** Takes one event in, with the state after it, and writes after every decision and at the end. */
  take(event: Event, state: RunState): void;
}

export interface DerivedOptions {
  root: string;
  stateDir: string;
  /** What happened before, for a run that goes on. */
  history?: Iterable<Event>;
  /** Told once for each reason why the files could not be written, in one line. */
  warn?: (text: string) => void;
}

/** So many iterations are listed in the files; the log has them all. */
const kept = 100;

const names = ['loop-state.json', 'metrics.json', 'report.md'] as const;

/** Where the derived files lie, those half-written too: no work of an agent, so no snapshot may hold them. */
export function derivedPaths(root: string, stateDir: string): string[] {
  const folder = resolve(root, stateDir);
  return names.flatMap((name) => [join(folder, name), join(folder, `${name}${beside}`)]);
}

export function openDerived({ root, stateDir, history = [], warn }: DerivedOptions): DerivedFiles {
  const story = new Story(kept);
  const told = new Set<string>();
  let past = emptyState();
  for (const event of history) {
    past = evolve(past, event);
    story.take(event, past);
  }
  const taken = { runId: past.runId, seq: past.seq };
  return {
    take(event, state) {
      // The newest event of the history may be shown to a new reader once more.
      if (state.runId === taken.runId && event.seq <= taken.seq) return;
      story.take(event, state);
      if (!wanted.has(event.kind)) return;
      const problem = tryWrite(root, stateDir, story, state);
      if (problem === null || told.has(problem)) return;
      told.add(problem);
      warn?.(problem);
    },
  };
}

/** Writes the derived files of a whole history at once. Gives the reason, in one line, when it cannot. */
export function writeDerived(request: {
  root: string;
  stateDir: string;
  events: Iterable<Event>;
}): string | null {
  const story = new Story(kept);
  let state = emptyState();
  for (const event of request.events) {
    state = evolve(state, event);
    story.take(event, state);
  }
  return tryWrite(request.root, request.stateDir, story, state);
}

const wanted = new Set<Event['kind']>(['decided', 'delivered', 'run.ended']);
const beside = '.new';

function tryWrite(root: string, stateDir: string, story: Story, state: RunState): string | null {
  try {
    const folder = openFolder(root, stateDir);
    const files = makeDerived(story, state, sha256);
    for (const name of names) refuseForeign(join(folder, name));
    for (const name of names) replaceFile(join(folder, name), files[name]);
    return null;
  } catch (error) {
    // Nobody's run may end because a file for readers could not be written.
    return (error instanceof Error ? error.message : String(error)).split('\n')[0] ?? '';
  }
}

/** A file of that name that we did not write is somebody's; nothing else would keep it. */
function refuseForeign(path: string): void {
  // A link is only replaced; what it leads to stays.
  if (!lstatSync(path, { throwIfNoEntry: false })?.isFile()) return;
  const text = readRegularFile(path);
  if (text === null || isOurs(text)) return;
  throw new Error(`${path} is not ours and stays as it is; give stateDir a folder of its own`);
}

const isOurs = (text: string): boolean =>
  text.trim() === '' || text.startsWith('# AgentGate: ') || /^\{\s*(?:"runId"|$)/.test(text);

/** Written beside its place and moved there: a reader finds the old or the new one, and no link is followed. */
function replaceFile(path: string, text: string): void {
  const part = `${path}${beside}`;
  rmSync(part, { force: true });
  writeFileSync(part, text, { flag: 'wx' });
  renameSync(part, path);
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
