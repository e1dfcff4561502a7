import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { FaultError } from '@agentgate/core';
import {
  findPlanFile,
  type LoadedPlan,
  loadPlan,
  type PlanStore,
  type WorkspaceHome,
} from '@agentgate/runtime';
import type { Context } from '../../context.ts';
import { findOpen, type OpenState, openStates } from './open.ts';

/** What a session begins with: a file, a plan that is there, or both. */
export interface Beginning {
  kind: 'found';
  path: string;
  /** What the file says; null where it is left aside. */
  loaded: Extract<LoadedPlan, { kind: 'loaded' }> | null;
  /** The plan of that file that goes on. */
  before: OpenState | null;
  /** Why the file is left aside. */
  warning: string | null;
}

export type Refused = { kind: 'refused'; invalid: Extract<LoadedPlan, { kind: 'invalid' }> };

interface Wishes {
  new?: boolean;
  edited?: boolean;
  dryRun?: boolean;
}

/**
 * Finds what is to be worked on. A plan that was begun does not need its file: where that is gone or cannot be read, or
 * the plan was named by its id, it goes on as it was.
 */
export async function chooseBeginning(
  { env }: Context,
  flags: Wishes,
  { home, store }: { home: WorkspaceHome; store: PlanStore },
  name?: string,
): Promise<Beginning | Refused> {
  const { root } = home;
  const asItWas = (before: OpenState, why: string): Beginning => {
    const { file } = before.state;
    const warning = `${why}; plan ${before.planId} goes on as it was`;
    return { kind: 'found', path: resolve(root, file), loaded: null, before, warning };
  };
  const mayGoOn = !flags.new && !flags.edited;
  const named = name === undefined || existsSync(resolve(root, name)) ? null : byId(store, name);
  if (named && mayGoOn) return asItWas(named, `${named.state.file} is left aside`);
  let path: string;
  try {
    path = findPlanFile(root, named?.state.file ?? name);
  } catch (error) {
    const lost = mayGoOn && error instanceof FaultError ? withoutFile(store, root, name) : null;
    if (!lost) throw error;
    return asItWas(lost, `${lost.state.file} is gone`);
  }
  const loaded = await loadPlan(root, path, env);
  const before = flags.new ? null : findOpen(store, loaded.file);
  if (loaded.kind === 'loaded') return { kind: 'found', path, loaded, before, warning: null };
  if (!before || !mayGoOn || flags.dryRun) return { kind: 'refused', invalid: loaded };
  const [first] = loaded.problems;
  return asItWas(before, `${loaded.file} cannot be followed (${first?.where} ${first?.message})`);
}

const byId = (store: PlanStore, name: string): OpenState | null =>
  /^p[0-9a-f]+$/.test(name)
    ? (openStates(store).find(({ planId }) => planId.startsWith(name)) ?? null)
    : null;

/** The plan whose file was there when it began; without a name the newest that is not complete. */
function withoutFile(store: PlanStore, root: string, name?: string): OpenState | null {
  return (
    openStates(store).find(({ state }) =>
      name === undefined
        ? !state.session?.ended?.status.startsWith('complete')
        : resolve(root, state.file) === resolve(root, name),
    ) ?? null
  );
}
