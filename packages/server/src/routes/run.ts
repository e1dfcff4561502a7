import {
  type Event,
  explainRun,
  type EventOf,
  FaultError,
  fault,
  mapOutcome,
  reportMarkdown,
  type RunState,
} from '@agentgate/core';
import { diffTrees, openHistoryTail, readReceipt, redact, treeAt } from '@agentgate/runtime';
import type { RouteKey, RunRow, SnapshotEntry } from '../contract/index.ts';
import type { House } from '../house.ts';
import type { Feeds } from '../live/feeds.ts';
import { eventPage } from './event-page.ts';
import { type Handlers, TextFile } from './handler.ts';

type RunPath = '/api/workspaces/{workspace}/runs/{run}';
type Keys = Extract<RouteKey, `GET ${RunPath}` | `GET ${RunPath}/${string}`>;

/** Everything about one run that is only read. */
export function runReads(house: House, feeds: Feeds): Omit<Handlers<Keys>, `GET ${RunPath}/replay`> {
  const open = ({ workspace, run }: { workspace: string; run: string }) => house.look(workspace, run);
  return {
    async 'GET /api/workspaces/{workspace}/runs/{run}'({ params: { workspace, run: runId } }) {
      const run = house.row(await house.entry(workspace, runId));
      const tail = openHistoryTail(house.home(workspace).runs, runId);
      tail.look();
      const lineage = run.damage === null ? (await house.look(workspace, runId)).state.lineage : [runId];
      return { run, position: tail.count(), controls: controlsOf(run), lineage };
    },
    async 'GET /api/workspaces/{workspace}/runs/{run}/events'({ params, query }) {
      await house.entry(params.workspace, params.run);
      return eventPage(openHistoryTail(house.home(params.workspace).runs, params.run), query);
    },
    async 'GET /api/workspaces/{workspace}/runs/{run}/stream'({ params, query, lastId, gone }) {
      await house.entry(params.workspace, params.run);
      return feeds.run(house.home(params.workspace), params.run).open(positionOf(lastId, query.after), gone);
    },
    async 'GET /api/workspaces/{workspace}/runs/{run}/gates'({ params, query }) {
      const { events } = await open(params);
      const evidence = numbered(events, 'gate.judged')
        .filter(({ event }) => query.iteration === undefined || event.iteration === query.iteration)
        .filter(({ event }) => query.gate === undefined || event.gate === query.gate)
        .map(({ position, event }) => ({
          position,
          at: event.at,
          iteration: event.iteration,
          attempt: event.attempt,
          gate: event.gate,
          tree: event.tree,
          verdict: event.verdict,
          tookMs: event.tookMs,
          output: event.output,
          cached: event.cached === true,
          rung: event.rung ?? null,
        }));
      return { evidence };
    },
    async 'GET /api/workspaces/{workspace}/runs/{run}/outputs/{ref}'({ params }) {
      const { store, runId } = await open(params);
      const text = store.recall(runId, params.ref);
      if (text === null)
        throw new FaultError(
          fault('output.unknown', `run ${runId} has no output ${params.ref}, or not any more`),
        );
      return new TextFile(`${runId}-${params.ref.slice(0, 12)}.txt`, text);
    },
    async 'GET /api/workspaces/{workspace}/runs/{run}/decisions'({ params }) {
      const { events } = await open(params);
      const decisions = numbered(events, 'decided').map(({ position, event: { at, decision } }) => ({
        position,
        at,
        kind: decision.kind,
        iteration: 'iteration' in decision ? decision.iteration : null,
        because: decision.because,
      }));
      return { decisions };
    },
    async 'GET /api/workspaces/{workspace}/runs/{run}/explanations'({ params }) {
      const { events, state } = await open(params);
      return { explanations: explainRun(events), outcome: outcomeOf(state) };
    },
    async 'GET /api/workspaces/{workspace}/runs/{run}/snapshots'({ params }) {
      const { events, state } = await open(params);
      return { snapshots: snapshotsOf(events, state) };
    },
    async 'GET /api/workspaces/{workspace}/runs/{run}/diff'({ params, query }) {
      const { home, state, runId } = await open(params);
      if (state.spec === null)
        throw new FaultError(fault('run.empty', `run ${runId} never started; it has no trees`));
      const from = treeAt(state, query.from);
      const to = treeAt(state, query.to);
      const how = { stat: query.stat === 'true', color: false };
      const diff = redact(await diffTrees(home, state, { from, to }, how));
      return { from, to, diff: diff.slice(0, mostDiff), truncated: diff.length > mostDiff };
    },
    async 'GET /api/workspaces/{workspace}/runs/{run}/receipt'({ params }) {
      const { store, runId } = await open(params);
      const text = store.receipt(runId) ?? (await readReceipt(store, runId));
      if (text === null)
        throw new FaultError(fault('run.open', `run ${runId} has not ended, so it has no receipt yet`));
      return new TextFile(`${runId}-receipt.json`, text);
    },
    async 'GET /api/workspaces/{workspace}/runs/{run}/report'({ params }) {
      const { events, runId } = await open(params);
      return new TextFile(`${runId}.md`, redact(reportMarkdown(events)));
    },
  };
}

const mostDiff = 2_000_000;

/** Whoever comes back says where it stood; that counts more than the address it came with. */
export function positionOf(lastId: string | undefined, after: number | undefined): number {
  const known = /^\d{1,9}$/.exec(lastId ?? '')?.[0];
  return known === undefined ? (after ?? 0) : Number(known);
}

function controlsOf({ standing, ended, open, wentOnAs }: RunRow) {
  const isAlive = standing === 'running' || standing === 'held';
  const isOver = standing === 'damaged' || wentOnAs !== null || ended?.status === 'converged';
  return {
    stop: isAlive,
    redirect: open !== null,
    resume: !isAlive && !isOver,
    restore: !isAlive,
  };
}

function numbered<K extends Event['kind']>(events: readonly Event[], kind: K) {
  return events.flatMap((event, at) =>
    event.kind === kind ? [{ position: at + 1, event: event as EventOf<K> }] : [],
  );
}

function outcomeOf({ ended }: RunState) {
  if (!ended) return null;
  const { status, code, reason, caveats } = ended;
  return { status, code, reason, caveats, elsewhere: { ...mapOutcome(status, code) } };
}

/** The newest tree of each iteration, the one from before the run first. */
function snapshotsOf(events: readonly Event[], state: RunState): SnapshotEntry[] {
  const { history, best, ended } = state;
  const failures = new Map(history.map((one) => [one.iteration, one.judged ? one.failures : null]));
  failures.set(0, state.baselineFailures);
  const bestAt = ended?.best?.iteration ?? best?.iteration;
  const newest = new Map<number, SnapshotEntry>();
  for (const event of events) {
    if (event.kind !== 'snapshot.taken') continue;
    const { iteration, tree, at, changed } = event;
    newest.set(iteration, {
      iteration,
      tree,
      at,
      changed: iteration === 0 ? null : changed,
      failures: failures.get(iteration) ?? null,
      best: iteration === bestAt,
    });
  }
  return [...newest.values()].toSorted((one, other) => one.iteration - other.iteration);
}
