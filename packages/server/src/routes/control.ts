import { FaultError, fault } from '@agentgate/core';
import {
  answerGate,
  answerRun,
  askToStop,
  endNow,
  findGrant,
  hearsStop,
  ownerOf,
  redirectRun,
  refuseLinked,
  releaseSession,
  restoreTree,
  stopPaused,
  type StoredRun,
  treeAt,
  whoAmI,
} from '@agentgate/runtime';
import type { RouteKey, Told } from '../contract/index.ts';
import type { Controllers } from '../controllers/controller.ts';
import type { House } from '../house.ts';
import type { Handlers } from './handler.ts';

type RunPath = '/api/workspaces/{workspace}/runs/{run}';
type Keys = Exclude<Extract<RouteKey, `POST ${RunPath}/${string}`>, `POST ${RunPath}/what-if`>;

/** Everything a person says to a run, by the same letters and locks as from the command line. */
export function runControls(house: House, controllers: Controllers): Handlers<Keys> {
  const open = async ({ workspace, run }: { workspace: string; run: string }): Promise<StoredRun> => {
    const opened = await house.open(workspace, run);
    if (opened.state.spec) return opened;
    throw new FaultError(fault('run.empty', `run ${run} never started; begin a new one with agentgate run`));
  };
  const told = (kind: Told['kind'], runId: string, heard = true): Told => ({ kind, runId, heard });
  const judge = async (
    { params, body }: { params: { workspace: string; run: string }; body: Judgement },
    approved: boolean,
  ): Promise<Told> => {
    const run = await open(params);
    const { gate, tree, note, as } = body;
    const { isLeft } = await answerGate(run, { gate, tree, by: as ?? whoAmI(), approved, note });
    if (!isLeft) return told('answered', run.runId);
    // It was suspended meanwhile. The next prompt of its session hears the answer, or whoever resumes it later.
    if (run.state.held || ownerOf(run.home)) return told('answered', run.runId, false);
    const driven = await controllers.resume(run.home, run.runId, {});
    return told('answered', driven.runId);
  };
  return {
    async 'POST /api/workspaces/{workspace}/runs/{run}/stop'({ params, body }) {
      const run = await open(params);
      const { runId } = run;
      refuseLinked(run);
      if (run.state.ended)
        throw new FaultError(
          fault('run.ended', `run ${runId} has ended already (${run.state.ended.status})`),
        );
      const hears = await hearsStop(run);
      const note = body.note === undefined ? {} : { note: body.note };
      if (hears === 'session') await releaseSession(run, house, body.note, 'api');
      if (hears === 'next-step') await stopPaused(run, house.version, note, 'api');
      if (hears !== 'driver') return told('stopping', runId);
      if (!body.now) {
        // Asked twice it is still asked politely; whoever is in a hurry says so.
        askToStop(run, note, 'api');
        return told('stopping', runId);
      }
      if (await endNow(run, note, 'api')) return told('killed', runId);
      throw new FaultError(
        fault('controller.unable', `the process of run ${runId} is not ours to kill; ask its owner`),
      );
    },
    async 'POST /api/workspaces/{workspace}/runs/{run}/redirect'({ params, body }) {
      const run = await open(params);
      const { version, env } = house;
      const { alive } = await redirectRun(run, body.text, { version, env, door: 'api' });
      return told('redirected', run.runId, alive);
    },
    async 'POST /api/workspaces/{workspace}/runs/{run}/resume'({ params, body }) {
      const run = await open(params);
      const { home, store, runId } = run;
      refuseResume(run, body);
      // Words of a person go the way of all such words; a letter is heard by whoever goes on with the run.
      if (body.redirect !== undefined)
        store.request(runId, { kind: 'redirect', text: body.redirect, via: 'api' });
      const { addIterations, addWallClockMs, addTokens, addCostUsd } = body;
      const driven = await controllers.resume(home, runId, {
        iterations: addIterations,
        wallClockMs: addWallClockMs,
        tokens: addTokens,
        costUsd: addCostUsd,
      });
      return { kind: 'resumed', ...driven };
    },
    'POST /api/workspaces/{workspace}/runs/{run}/approve': (asked) => judge(asked, true),
    'POST /api/workspaces/{workspace}/runs/{run}/reject': (asked) => judge(asked, false),
    async 'POST /api/workspaces/{workspace}/runs/{run}/grant'({ params, body }) {
      const run = await open(params);
      const { grant, alive } = await findGrant(run, body.files, { by: body.as ?? whoAmI(), note: body.note });
      if (!alive) refuseResume(run, {});
      run.store.request(run.runId, { kind: 'grant', ...grant });
      if (alive) return told('granted', run.runId);
      // Its gates are judged again, and it goes on from there.
      const driven = await controllers.resume(run.home, run.runId, {});
      return told('granted', driven.runId);
    },
    async 'POST /api/workspaces/{workspace}/runs/{run}/answer'({ params, body }) {
      const run = await open(params);
      await answerRun(run, body, 'api');
      return told('answered', run.runId);
    },
    async 'POST /api/workspaces/{workspace}/runs/{run}/accept'({ params }) {
      const run = await open(params);
      await answerRun(run, { answer: 'accept' }, 'api');
      return told('answered', run.runId);
    },
    async 'POST /api/workspaces/{workspace}/runs/{run}/restore'({ params, body }) {
      const { home, state } = await open(params);
      const done = await restoreTree(home, state, treeAt(state, String(body.to)));
      if (done.kind === 'restored') return done;
      throw busy(done.holder);
    },
  };
}

interface Judgement {
  gate?: string | undefined;
  tree?: string | undefined;
  note?: string | undefined;
  as?: string | undefined;
}

/** What a resume would refuse is refused before anything is left lying for it. */
function refuseResume(run: StoredRun, body: object): void {
  refuseLinked(run);
  const { home, runId, state } = run;
  const holder = ownerOf(home);
  if (holder) throw busy(holder);
  if (state.ended?.status === 'converged')
    throw new FaultError(fault('run.converged', `run ${runId} has converged already; begin a new one`));
  const isMore = Object.keys(body).some((key) => key.startsWith('add'));
  if (!state.ended && isMore)
    throw new FaultError(
      fault('run.open', `run ${runId} was cut short; resume it first without adding to its limits`),
    );
}

const busy = (holder: { runId: string; pid: number } | null): FaultError =>
  new FaultError(
    fault(
      'workspace.busy',
      holder
        ? `the workspace is held by ${holder.runId} (process ${holder.pid}); wait for it, or stop it`
        : 'the workspace is held by another process; wait for it',
    ),
  );
