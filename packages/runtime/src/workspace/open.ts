import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { FaultError } from '@agentgate/core';
import type { Workspace } from '@agentgate/core';
import { makeBounds } from './bounds.ts';
import {
  checkedTree,
  type DiffOptions,
  hasTree,
  readChangedPaths,
  readDiff,
  readTreeFile,
} from './compare.ts';
import { asFault, goneFault } from './faults.ts';
import { openGitDir } from './git-dir.ts';
import { readInputsKey } from './inputs.ts';
import { makeSubstance, type SubstanceOf } from './keys.ts';
import { makeObjects } from './objects.ts';
import type { Passed } from './passed.ts';
import { isText, toText } from './path.ts';
import { openReader } from './reader.ts';
import { type Restored, restoreTree } from './restore.ts';
import { makeRulebook } from './rulebook.ts';
import { makeSession } from './session.ts';
import { takeSnapshot } from './snapshot.ts';

export interface WorkspaceOptions {
  /** The real path of the user's directory. */
  root: string;
  /** Our own git directory, made on first use. */
  gitDir: string;
  /** Globs that are never captured and never restored. */
  exclude?: readonly string[];
  /** Globs that are captured although git ignores them. */
  include?: readonly string[];
  /** Further paths of ours that may lie in the workspace. */
  outside?: readonly string[];
  /** Removes from a text what means nothing; without it the substance is the text. */
  substanceOf?: SubstanceOf;
}

export interface GitWorkspace extends Workspace {
  /** Makes the directory exactly `tree`, after keeping what is there under `safetyRef`. */
  restore(tree: string, safetyRef: string): Promise<Restored>;
  /** The patch between two trees, for people. */
  diff(from: string, to: string, options?: DiffOptions): Promise<string>;
  /** A file of a tree, a link as its target; null when the tree has no such file. */
  readFile(tree: string, path: string): Promise<Buffer | null>;
  hasTree(tree: string): Promise<boolean>;
  /** What lies in the workspace and is not in the snapshot that was just taken. */
  passed(): Promise<{ path: string; isDir: boolean }[]>;
  /** The folders that are repositories: '' for the workspace itself, and those below it. */
  repositories(): Promise<string[]>;
}

/** Opens the workspace for one owner; the lock that makes it the only one is held elsewhere. */
export async function openWorkspace(options: WorkspaceOptions): Promise<GitWorkspace> {
  const { root, gitDir, exclude = [], include = [], outside = [] } = options;
  if (!existsSync(root)) throw new FaultError(goneFault(root));
  await asFault(async () => openGitDir(gitDir));
  const bounds = makeBounds({ root, ours: [gitDir, ...outside], exclude, include });
  const camera = { root, gitDir, book: makeRulebook({ root, gitDir, bounds }), objects: makeObjects(gitDir) };
  const session = makeSession(camera, bounds);
  const reader = openReader(gitDir);
  const readSubstance = makeSubstance(reader, options.substanceOf);
  const inTurn = makeTurns();
  return {
    root,
    snapshot: (request) => inTurn(() => takeSnapshot(session, readSubstance, request)),
    restore: (tree, safetyRef) =>
      inTurn(() => restoreTree({ root, gitDir, bounds, reader, session }, checkedTree(tree), safetyRef)),
    changedPaths: (from, to) => asFault(() => readChangedPaths(gitDir, from, to)),
    diff: (from, to, wanted = {}) => asFault(() => readDiff(gitDir, from, to, wanted)),
    inputsKey: (tree, patterns) => asFault(() => readInputsKey(gitDir, tree, patterns)),
    readFile: (tree, path) => asFault(() => readTreeFile(gitDir, reader, tree, path)),
    hasTree: (tree) => asFault(() => hasTree(reader, tree)),
    passed: () =>
      inTurn(async () => {
        const { paths } = await session.passed();
        return paths.filter(({ path }) => isText(path) && !bounds.isOurs(path)).map(named);
      }),
    repositories: () =>
      inTurn(async () => {
        const own = existsSync(join(root, '.git')) ? [''] : [];
        return [...own, ...(await session.passed()).nested.filter(isText).map(toText)];
      }),
    close: () =>
      inTurn(async () => {
        try {
          session.close();
        } catch {
          // What it remembers is only there to be quicker the next time.
        } finally {
          reader.close();
        }
      }),
  };
}

const named = ({ path, isDir }: Passed): Passed => ({ path: toText(path), isDir });

/** Lets each piece of work begin when the one before it has ended, well or badly. */
function makeTurns(): <T>(work: () => Promise<T>) => Promise<T> {
  let before: Promise<unknown> = Promise.resolve();
  return (work) => {
    const turn = before.then(() => asFault(work));
    before = turn.catch(() => {}); // Whoever asked for it gets the error.
    return turn;
  };
}
