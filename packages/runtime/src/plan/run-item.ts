import { existsSync } from 'node:fs';
import { join } from 'node:path';
import {
  approachWords,
  FaultError,
  fold,
  type ItemOutcome,
  type PlanDecisionOf,
  type PlanEventBody,
  type PlanState,
  type RunState,
  remaining,
  usedBefore,
} from '@agentgate/core';
import { resumeRun, type Session, type SessionRequest, startRun } from '../driver/session.ts';
import { readHistory, type WorkspaceHome } from '../store/index.ts';
import { outcomeOf, type UsedBefore } from './item-outcome.ts';
import { specOfItem } from './item-spec.ts';
import { mergeTrees } from './merge.ts';
import type { Stage } from './stage.ts';
import { takeTree } from './take-tree.ts';
import { adoptTrees, keepTree, makeWorktree, worktreeHome } from './worktree.ts';

type RunItem = PlanDecisionOf<'run-item'>;

/** One attempt at an item, begun or gone on with after a crash. What goes wrong around it is its outcome. */
export async function runItem(stage: Stage, decision: RunItem): Promise<PlanEventBody> {
  const state = stage.state();
  const { item, attempt } = decision;
  const before = decision.from === null ? none : usedBefore(state.records.get(item)!.attempts);
  try {
    const own = await placeOf(stage, state, decision);
    const session = await drive(stage, state, decision, own);
    const { runId, outcome } = await told(stage, session, decision, before);
    if (own !== stage.home) adoptTrees(stage.home, own, runId);
    return { kind: 'item.ended', item, attempt, runId, outcome };
  } catch (error) {
    if (!(error instanceof FaultError) || error.fault.code === 'state.full') throw error;
    const { runId } = decision;
    return { kind: 'item.ended', item, attempt, runId, outcome: failed(error.fault.message) };
  }
}

const none: UsedBefore = { iterations: 0, activeMs: 0, tokens: 0, costUsd: 0 };

/** The directory in which it is worked on, made where it is not there yet. */
async function placeOf(stage: Stage, state: PlanState, decision: RunItem): Promise<WorkspaceHome> {
  const { home } = stage;
  if (decision.place === 'workspace') return home;
  const own = worktreeHome(home, state.planId, decision.item, stage.env);
  const isBegun = decision.from !== null || hasRun(stage, decision.runId);
  if (isBegun && existsSync(own.root)) return own;
  await makeWorktree(home, own, await treeFor(stage, state, decision));
  return own;
}

/** What a worktree begins with: the workspace as it is, both sides of a conflict, or what an attempt before it left. */
async function treeFor(stage: Stage, state: PlanState, decision: RunItem): Promise<string> {
  const { conflict, attempts } = state.records.get(decision.item)!;
  const name = `${state.planId}/${decision.item}/${decision.attempt}`;
  if (decision.approach === 'resolve' && conflict) {
    const { base, before, theirs } = conflict;
    const { tree } = await mergeTrees(stage.home.gitDir, { base, ours: before, theirs });
    keepTree(stage.home, `${name}/base`, tree);
    return tree;
  }
  const left = decision.from === null ? null : attempts.at(-1)?.outcome.tree;
  if (left) return left;
  return takeTree(stage, `${name}/base`);
}

const hasRun = ({ runs }: Stage, runId: string): boolean => existsSync(join(runs.dir(runId), 'log.jsonl'));

/** The run begins, goes on where a crash left it, or goes on from the attempt before. */
async function drive(
  stage: Stage,
  state: PlanState,
  decision: RunItem,
  own: WorkspaceHome,
): Promise<Session> {
  const request: SessionRequest = {
    home: own,
    version: stage.version,
    control: stage.controlFor(decision.item),
    watcher: stage.watcherFor(decision.item),
    runId: decision.runId,
    ...(own === stage.home ? { owned: stage.lock } : {}),
  };
  const left = (run: RunState) => decision.iterations - Math.max(0, run.iteration - decision.since);
  const goOn = async (runId: string, run: RunState): Promise<Session> => {
    if (run.ended) return { kind: 'ended', runId, state: run };
    const steps = left(run);
    return steps <= 0 ? { kind: 'paused', runId, state: run } : resumeRun({ ...request, steps }, runId, {});
  };
  if (hasRun(stage, decision.runId)) return goOn(decision.runId, await foldRun(stage, decision.runId));
  // One that somebody removed meanwhile cannot be gone on with; another begins in its place.
  if (decision.from === null || !hasRun(stage, decision.from)) {
    const limit = Math.max(decision.iterations, remaining(state, decision.item));
    const loaded = await specOfItem(state, decision, {
      root: stage.home.root,
      limit,
      ...(stage.env ? { env: stage.env } : {}),
    });
    return startRun({ ...request, steps: decision.iterations }, loaded);
  }
  const { runId: from, run } = await newestOf(stage, decision.from);
  // Somebody went on with it by hand: what came of that is what this attempt comes to.
  if (from !== decision.from) return goOn(from, run);
  // One that was left open when its share was used up is not another run.
  const last = state.records.get(decision.item)!.attempts.at(-1);
  if (!run.ended || last?.outcome.code === 'budget.session') return goOn(decision.from, run);
  const words = approachWords(state, decision);
  const limit = run.spec?.limits.iterations ?? 0;
  const added = decision.since + decision.iterations - limit;
  return resumeRun(
    { ...request, steps: decision.iterations },
    decision.from,
    added > 0 ? { iterations: added } : {},
    words === null ? {} : { redirect: words },
  );
}

/** The run at the end of those that went on from this one. */
async function newestOf(stage: Stage, first: string): Promise<{ runId: string; run: RunState }> {
  for (let runId = first; ; ) {
    const run = await foldRun(stage, runId);
    const next = stage.runs.childOf(runId, run.seq);
    if (next === null) return { runId, run };
    runId = next;
  }
}

const foldRun = async ({ runs }: Stage, runId: string): Promise<RunState> =>
  fold(await readHistory(runs, runId));

async function told(
  { runs }: Stage,
  session: Session,
  decision: RunItem,
  before: UsedBefore,
): Promise<{ runId: string; outcome: ItemOutcome }> {
  switch (session.kind) {
    case 'ended':
    case 'paused': {
      const { runId, state } = session;
      const recall = (ref: string) => runs.recall(runId, ref);
      return { runId, outcome: outcomeOf(state, await runs.read(runId), { before, recall }) };
    }
    case 'unstarted':
      return {
        runId: decision.runId,
        outcome: { ...failed('it was stopped before it began'), status: 'stopped', code: 'user.stop' },
      };
    case 'busy':
      return { runId: decision.runId, outcome: failed('somebody else works in its directory') };
  }
}

const failed = (reason: string): ItemOutcome => ({
  status: 'error',
  code: 'error.build',
  reason,
  iterations: 0,
  activeMs: 0,
  tokens: null,
  costUsd: null,
  tests: null,
  tree: null,
  before: null,
  commit: null,
  failures: [],
  failureKey: '',
  work: '',
  failing: [],
  soft: [],
  paths: [],
  summary: '',
  gaveUp: null,
});
