import { FaultError, fault, foldPlan, type PlanState } from '@agentgate/core';
import { findHome, openPlanStore, type PlanStore, type WorkspaceHome } from '@agentgate/runtime';
import { type CommonFlags, type Context } from '../../context.ts';
import { rootOf } from '../../wire.ts';

/** A stored plan with its folded state. */
export interface OpenPlan {
  home: WorkspaceHome;
  store: PlanStore;
  planId: string;
  state: PlanState;
}

export type OpenState = Pick<OpenPlan, 'planId' | 'state'>;

/** Every plan of the workspace, the newest first. */
export const openStates = (store: PlanStore): OpenState[] =>
  store.list().map((planId) => ({ planId, state: foldPlan(store.read(planId)) }));

/** The plan that was named by its id, its file or the beginning of one; the newest when none was. */
export function openPlan(context: Context, flags: CommonFlags, name?: string): OpenPlan {
  const home = findHome(rootOf(context, flags), context.env);
  const store = openPlanStore(home.plans);
  const ids = store.list();
  if (ids.length === 0)
    throw new FaultError(
      fault('plan.none', `no plan was run in ${home.root} yet; agentgate plan run begins one`),
    );
  const states = openStates(store);
  const found =
    name === undefined
      ? states[0]
      : states.find(({ planId, state }) => planId === name || planId.startsWith(name) || state.file === name);
  if (!found)
    throw new FaultError(
      fault(
        'plan.unknown',
        `there is no plan ${name} here; there are ${states.map(({ planId, state }) => `${planId} (${state.file})`).join(', ')}`,
      ),
    );
  return { home, store, ...found };
}

/** The plan that came from this file, the newest of them. */
export const findOpen = (store: PlanStore, file: string): OpenState | null =>
  openStates(store).find(({ state }) => state.file === file) ?? null;

export const planArgument = {
  kind: 'tuple',
  parameters: [
    {
      parse: String,
      brief: 'the plan: its file or its id; the newest by default',
      placeholder: 'plan',
      optional: true,
    },
  ],
} as const;
