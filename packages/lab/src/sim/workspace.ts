import { FaultError, fault, type Workspace } from '@agentgate/core';
import { createHash } from 'node:crypto';
import { type Files, substance, treeOf } from './tree.ts';
import type { World } from './world.ts';

/** A workspace in which a restore may be cut short. */
export interface SimWorkspace extends Workspace {
  /** Brings back every second file of a tree. */
  restoreSome(tree: string): Promise<void>;
}

/** Captures, compares and restores the files of the world. */
export function makeWorkspace(world: World): SimWorkspace {
  const live = (): Map<string, string> => {
    if (!world.files) throw new FaultError(fault('workspace.gone', 'the directory is gone'));
    return world.files;
  };
  const at = (tree: string): Files => world.trees.get(tree) ?? new Map();
  return {
    root: '/w',
    async snapshot({ ignores = () => false, since }) {
      if (world.isFull()) throw new FaultError(fault('state.full', 'no space left for snapshots'));
      const files = new Map(live());
      const tree = keep(world, files);
      const base = new Map(Object.entries(world.plan.files));
      const mine = [...files].filter(([path]) => !ignores(path));
      const changed = since === undefined ? [] : changesOf(at(since), files);
      return {
        tree,
        work: treeOf(new Map(mine.filter(([path, text]) => base.get(path) !== text))),
        substance: treeOf(new Map(mine.map(([path, text]) => [path, substance(text)]))),
        changed: {
          added: changed.filter((one) => one.status === 'added').length,
          modified: changed.filter((one) => one.status === 'modified').length,
          deleted: changed.filter((one) => one.status === 'deleted').length,
          paths: changed.map((one) => one.path),
        },
        leftOut: [],
        nested: [],
      };
    },
    changedPaths: async (from, to) => changesOf(at(from), at(to)),
    async restoreSome(tree) {
      for (const [at_, [path, text]] of [...at(tree)].entries()) if (at_ % 2 === 0) live().set(path, text);
    },
    async restore(tree) {
      const safety = keep(world, new Map(live()));
      world.files = new Map(at(tree));
      return { safety };
    },
    async inputsKey(tree) {
      return createHash('sha1').update(tree).digest('hex');
    },
    close: async () => undefined,
  };
}

function keep({ trees }: World, files: Files): string {
  const tree = treeOf(files);
  trees.set(tree, files);
  return tree;
}

function changesOf(before: Files, after: Files) {
  const paths = [...new Set([...before.keys(), ...after.keys()])].sort();
  return paths.flatMap((path) => {
    const [was, is] = [before.get(path), after.get(path)];
    if (was === is) return [];
    const status = was === undefined ? 'added' : is === undefined ? 'deleted' : 'modified';
    return [{ path, status: status as 'added' | 'modified' | 'deleted' }];
  });
}
