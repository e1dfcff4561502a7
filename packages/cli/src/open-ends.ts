import { FaultError, fault, fold } from '@agentgate/core';
import {
  isDrivenNow,
  openCatalogue,
  openRunStore,
  ownerOf,
  readHistory,
  standingOf,
  type WorkspaceHome,
} from '@agentgate/runtime';
import type { Context } from './context.ts';
import { plural } from './view/words.ts';

/** Tells whoever begins a run of the last one, where that was cut short: nobody was there to say so. */
export async function tellCutShort(
  { terminal }: Context,
  { quiet }: { quiet?: boolean },
  home: WorkspaceHome,
): Promise<void> {
  const store = openRunStore(home.runs);
  const [newest] = store.list();
  if (quiet || newest === undefined || ownerOf(home) || isDrivenNow(home, newest)) return;
  // What is wrong with it is told by whoever goes on with it.
  const state = await readHistory(store, newest).then(fold, () => null);
  if (!state?.spec || state.ended || state.paused || state.held) return;
  terminal.err(
    `agentgate: run ${newest} was cut short after ${plural(state.iteration, 'iteration')}, and this is a new one; agentgate resume ${newest} goes on with the other`,
  );
}

const refusals: readonly string[] = ['run.converged', 'run.linked', 'run.empty'];
const mostNamed = 5;

/** A refusal of the newest run, for whoever named none: with those that can be gone on with. */
export async function withOthers(error: unknown, home: WorkspaceHome): Promise<unknown> {
  if (!(error instanceof FaultError) || !refusals.includes(error.fault.code)) return error;
  const others = await openEnds(home);
  const named = others.slice(0, mostNamed).map(({ runId, how }) => `${runId} (${how})`);
  const more = others.length > mostNamed ? ' and others' : '';
  const words =
    others.length === 0
      ? 'no other run of this workspace can be gone on with'
      : `these can be gone on with: ${named.join(', ')}${more}; agentgate resume ${others[0]!.runId}`;
  return new FaultError(
    fault(error.fault.code, `${error.fault.message}. Without a name the newest run is meant; ${words}`),
  );
}

/** The runs that can be gone on with, the newest first. */
async function openEnds(home: WorkspaceHome): Promise<{ runId: string; how: string }[]> {
  const catalogue = openCatalogue();
  await catalogue.refresh([home]);
  const entries = catalogue.entries();
  const parents = new Set(entries.map(({ summary }) => summary?.parent));
  return entries.flatMap((entry) => {
    const { runId } = entry;
    const how = standingOf(entry, isDrivenNow(home, runId));
    const isOver = how === 'converged' || how === 'damaged' || how === 'running' || parents.has(runId);
    return isOver ? [] : [{ runId, how: how === 'cut-short' ? 'cut short' : how }];
  });
}
