import { FaultError } from '@agentgate/core';
import type { Bounds } from './bounds.ts';
import { type Camera, type Captured, type Change, capture } from './capture.ts';
import { foldMemory, type Memory, readMemory } from './memory.ts';
import { listPassed, type Passed } from './passed.ts';
import { EMPTY_TREE } from './tree.ts';
import { addChanges, listSince, makeSince, readChanges, type Since } from './since.ts';

/** The memory of one open workspace, which a capture that failed halfway never spoils. */
export interface Session {
  /** The snapshot before, the empty tree before the first. */
  last(): Promise<{ tree: string; isFirst: boolean }>;
  capture(request: { ref: string | null; also: ReadonlySet<string> }): Promise<Captured>;
  /** How the last capture differs from a tree. */
  changesSince(base: string): Promise<Change[]>;
  /** The same for a tree that is asked about once. */
  differencesTo(tree: string): Promise<Change[]>;
  /** What the last capture passed over, and the repositories that it met below the root. */
  passed(): Promise<{ paths: Passed[]; nested: string[] }>;
  /** Leaves the next session as little to read as possible. */
  close(): void;
}

export function makeSession(camera: Camera, bounds: Bounds): Session {
  let memory: Memory | null = null;
  let since: Since | null = null;
  let met: readonly string[] | null = null;

  async function remember(): Promise<Memory> {
    memory ??= await readMemory(camera.gitDir, bounds);
    return memory;
  }

  return {
    async last() {
      const { last } = await remember();
      return { tree: last ?? EMPTY_TREE, isFirst: last === null };
    },
    async capture(request) {
      for (let attempt = 1; ; attempt++) {
        try {
          const captured = await capture(camera, await remember(), request);
          if (since !== null) addChanges(since, captured.changes);
          met = captured.nested;
          return captured;
        } catch (error) {
          memory = null;
          since = null;
          if (attempt === MOST_ATTEMPTS || !isPassing(error)) throw error;
        }
      }
    },
    async changesSince(base) {
      const { last, tree } = await remember();
      const current = last ?? EMPTY_TREE;
      if (since?.base !== base) since = makeSince(base, await readChanges(camera.gitDir, base, current));
      return listSince(since, tree);
    },
    async differencesTo(tree) {
      const { last } = await remember();
      return readChanges(camera.gitDir, tree, last ?? EMPTY_TREE);
    },
    async passed() {
      const nested = met ?? (await this.capture({ ref: null, also: new Set() })).nested;
      return { paths: listPassed((await remember()).tree), nested: [...nested] };
    },
    close() {
      if (memory !== null) foldMemory(camera.gitDir, memory, 0);
    },
  };
}

const MOST_ATTEMPTS = 3;

/** Git gives up when a directory becomes a link while it looks; the next look finds one or the other. */
function isPassing(error: unknown): boolean {
  return error instanceof FaultError && error.fault.code === 'git.failed';
}
