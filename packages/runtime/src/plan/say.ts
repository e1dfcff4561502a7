import {
  FaultError,
  fault,
  findRedirectProblem,
  followAll,
  foldPlan,
  type PlanEventBody,
  type PlanState,
  type Redirect,
} from '@agentgate/core';
import { ownerOf, ownWorkspace } from '../driver/owner.ts';
import type { Holder } from '../process/index.ts';
import type { WorkspaceHome } from '../store/index.ts';
import { openPlanStore, type PlanRequest, type PlanStore } from './plan-store.ts';

/** What persons said and nobody has followed yet: in the log, and in the inbox of whoever drives it. */
export function pendingRedirects(store: PlanStore, { planId, redirects, letters }: PlanState): Redirect[] {
  const inbox = store
    .letters(planId)
    .flatMap(({ name, request }) =>
      request.kind === 'redirect' && !letters.has(name) ? [request.redirect] : [],
    );
  return [...redirects, ...inbox];
}

/** The plan with everything followed that was said before: the next word is about that one. */
export function aheadOf(store: PlanStore, state: PlanState): PlanState {
  const pending = pendingRedirects(store, state);
  if (pending.length === 0) return state;
  const ahead = foldPlan(store.read(state.planId));
  return followAll(ahead, pending.slice(ahead.redirects.length));
}

/** The event that a word of a person becomes, or why it cannot be followed. */
export function eventFor(
  state: PlanState,
  request: PlanRequest,
  letter?: string,
): { body: PlanEventBody } | { problem: string } {
  const named = letter === undefined ? {} : { letter };
  switch (request.kind) {
    case 'stop':
      return {
        body: { kind: 'stop.requested', by: request.via ?? 'command', ...named, ...noted(request.note) },
      };
    case 'reload':
      return { problem: 'nobody drives it; agentgate plan run --edited follows the file' };
    case 'redirect': {
      const problem = findRedirectProblem(state, request.redirect);
      if (problem !== null) return { problem };
      return { body: { kind: 'redirect.requested', by: 'command', ...named, redirect: request.redirect } };
    }
    case 'tick': {
      const { item, criterion, met, by, note } = request;
      if (!state.records.has(item)) return { problem: `there is no item ${item}` };
      return { body: { kind: 'item.ticked', item, criterion, met, by, ...named, ...noted(note) } };
    }
  }
}

/** Whether whoever holds the workspace works through this plan: the lock names it, or the run of one of its items. */
export function isDriving(holder: Holder | null, { planId, inFlight, records }: PlanState): boolean {
  if (holder?.runId.startsWith('plan ')) return holder.runId === `plan ${planId}`;
  const own = [...inFlight].flatMap((id) => records.get(id)?.open ?? []);
  return own.some(
    (open) =>
      ('runId' in open && open.runId === holder?.runId) || (open.kind === 'run-item' && open.from !== null),
  );
}

/** Whether somebody works through a plan now, also while the run of one of its items has the workspace. */
export function isPlanDriven(home: WorkspaceHome, planId: string): boolean {
  const owner = ownerOf(home);
  if (owner === null || owner.runId.startsWith('plan ')) return owner?.runId === `plan ${planId}`;
  const store = openPlanStore(home.plans);
  try {
    const state = foldPlan(store.read(planId));
    return state.session?.ended === null && isDriving(owner, state);
  } catch (error) {
    // Nobody goes on with a plan whose log is damaged.
    if (error instanceof FaultError) return false;
    throw error;
  } finally {
    store.close();
  }
}

const noted = (note: string | undefined): { note?: string } => (note === undefined ? {} : { note });

/** Says something to a plan: to whoever drives it, or, where nobody does, to its log. */
export async function sayToPlan(
  home: WorkspaceHome,
  planId: string,
  request: PlanRequest,
): Promise<'heard' | 'recorded'> {
  const store = openPlanStore(home.plans);
  const lock = await ownWorkspace(home, 'check');
  try {
    if (lock.kind === 'busy') {
      if (request.kind === 'stop' && !isDriving(lock.holder, foldPlan(store.read(planId))))
        throw new FaultError(
          fault(
            'usage',
            `nobody drives plan ${planId}; ${lock.holder?.runId ?? 'somebody else'} has the workspace`,
          ),
        );
      store.request(planId, request);
      return 'heard';
    }
    const state = foldPlan(store.read(planId));
    if (request.kind === 'stop')
      throw new FaultError(fault('usage', `nobody drives plan ${planId}; there is nothing to stop`));
    const taken = eventFor(aheadOf(store, state), request);
    if ('problem' in taken)
      throw new FaultError(fault('usage', `plan ${planId} cannot be told so: ${taken.problem}`));
    store.append(planId, state.seq, [taken.body]);
    return 'recorded';
  } finally {
    store.close();
    if (lock.kind === 'held') lock.release();
  }
}
