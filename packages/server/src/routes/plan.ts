import {
  FaultError,
  fault,
  findRedirectProblem,
  foldPlan,
  planHealth,
  planMetrics,
  planTree,
  type Redirect,
  sessionReport,
} from '@agentgate/core';
import { openLogTail, openPlanStore, type PlanRequest, sayToPlan, whoAmI } from '@agentgate/runtime';
import { join } from 'node:path';
import type { PlanRow, RouteKey } from '../contract/index.ts';
import type { House } from '../house.ts';
import type { Feeds } from '../live/feeds.ts';
import { planRow } from '../plans.ts';
import { eventPage } from './event-page.ts';
import type { Handlers } from './handler.ts';
import { positionOf } from './run.ts';

type PlanPath = '/api/workspaces/{workspace}/plans/{plan}';
type Keys = Extract<RouteKey, `${string} ${PlanPath}` | `${string} ${PlanPath}/${string}`> | 'GET /api/plans';

interface Place {
  workspace: string;
  plan: string;
}

export function planRoutes(house: House, feeds: Feeds, readPlans: () => PlanRow[]): Handlers<Keys> {
  const read = ({ workspace, plan: planId }: Place) => {
    const home = house.home(workspace);
    const events = openPlanStore(home.plans).read(planId);
    return { home, planId, events, state: foldPlan(events) };
  };
  const say = async (place: Place, request: PlanRequest) => {
    const { home, planId } = read(place);
    const how = await sayToPlan(home, planId, request);
    return { kind: 'said' as const, planId, how };
  };
  return {
    'GET /api/plans'({ query: { workspace } }) {
      return { plans: readPlans().filter((one) => workspace === undefined || one.workspace === workspace) };
    },
    'GET /api/workspaces/{workspace}/plans/{plan}'({ params }) {
      const { home, events, state } = read(params);
      return {
        plan: planRow(home, events, state),
        position: events.length,
        items: planTree(state),
        metrics: planMetrics(state),
        health: planHealth(state),
        session: sessionReport(state),
        trail: state.trail.map(({ group, from, to, reason }) => ({ group, from, to, reason })),
        corrections: state.corrections.map(({ kind, text }) => ({ kind, text })),
      };
    },
    'GET /api/workspaces/{workspace}/plans/{plan}/events'({ params, query }) {
      const { home, planId } = read(params);
      return eventPage(openLogTail(join(home.plans, planId, 'log.jsonl')), query);
    },
    'GET /api/workspaces/{workspace}/plans/{plan}/stream'({ params, query, lastId, gone }) {
      const { home, planId } = read(params);
      return feeds.plan(home, planId).open(positionOf(lastId, query.after), gone);
    },
    'POST /api/workspaces/{workspace}/plans/{plan}/stop': ({ params, body }) =>
      say(params, { kind: 'stop', note: body.note, via: 'api' }),
    'POST /api/workspaces/{workspace}/plans/{plan}/reload': ({ params }) => say(params, { kind: 'reload' }),
    'POST /api/workspaces/{workspace}/plans/{plan}/redirect'({ params, body }) {
      const { state, planId } = read(params);
      const redirect: Redirect = body.kind === 'graph' ? { add: [], ...withoutUndefined(body) } : body;
      const problem = findRedirectProblem(state, redirect);
      if (problem !== null)
        throw new FaultError(fault('usage', `plan ${planId} cannot be redirected so: ${problem}`));
      return say(params, { kind: 'redirect', redirect });
    },
    'POST /api/workspaces/{workspace}/plans/{plan}/tick'({ params, body }) {
      const { state, planId } = read(params);
      const { item, criterion, met, note, as } = body;
      const asked = state.records.has(item) ? state.agenda.item(item).acceptance[criterion - 1] : undefined;
      if (!asked || !('person' in asked))
        throw new FaultError(
          fault('usage', `plan ${planId} has no criterion ${criterion} of ${item} that a person ticks`),
        );
      return say(params, { kind: 'tick', item, criterion: criterion - 1, met, by: as ?? whoAmI(), note });
    },
  };
}

function withoutUndefined<T extends { note?: string | undefined }>({ note, ...rest }: T) {
  return note === undefined ? rest : { ...rest, note };
}
