import { rmSync } from 'node:fs';
import {
  type Added,
  approachWords,
  FaultError,
  fold,
  type ItemOutcome,
  type PlanDecisionOf,
  type PlanEventBody,
  type PlanState,
  type RunState,
  type ItemShare,
  remaining,
  usedBefore,
} from '@agentgate/core';
import { resumeRun, type Session, type SessionRequest, startRun } from '../driver/session.ts';
import type { Said } from '../driver/begin.ts';
import { readHistory, type WorkspaceHome } from '../store/index.ts';
import { outcomeOf, type Trees, type UsedBefore } from './item-outcome.ts';
import { specOfItem } from './item-spec.ts';
import { mergeTrees } from './merge.ts';
import { hasRun, type Stage } from './stage.ts';
import { keptTree, takeOut, takeTree, treeOnce } from './take-tree.ts';
import { adoptTrees, isReady, keepTree, makeWorktree, worktreeHome } from './worktree.ts';

type RunItem = PlanDecisionOf<'run-item'>;

/** One attempt at an item, begun or gone on with after a crash. What goes wrong around it is its outcome. */
export async function runItem(stage: Stage, decision: RunItem): Promise<PlanEventBody> {
  const state = stage.state();
  const { item, attempt } = decision;
  const goesOn = decision.from !== null && hasRun(stage, decision.from);
  const used = goesOn ? usedBefore(state.records.get(item)!.attempts) : none;
  const name = `${state.planId}/${item}/${decision.runId}`;
  try {
    const own = await placeOf(stage, state, decision);
    const before = own === stage.home ? await treeOnce(stage, `${name}/before`) : null;
    if (before !== null) await bringBack(stage, item, name);
    const session = await drive(stage, state, { ...decision, since: used.iterations }, own);
    const trees = before === null ? null : { before, left: await takeTree(stage, `${name}/after`) };
    const { runId, outcome } = await told(stage, session, decision, { before: used, trees });
    if (own !== stage.home) adoptTrees(stage.home, own, runId);
    return { kind: 'item.ended', item, attempt, runId, outcome };
  } catch (error) {
    if (!(error instanceof FaultError) || error.fault.code === 'state.full') throw error;
    const { runId } = decision;
    const wrong = failed(error.fault.message);
    if (!hasRun(stage, runId)) return { kind: 'item.ended', item, attempt, runId, outcome: unstarted(wrong) };
    // What it did until then is counted, and lies there.
    const run = { kind: 'paused', runId, state: await foldRun(stage, runId) } as const;
    const before = decision.place === 'workspace' ? keptTree(stage, `${name}/before`) : null;
    const trees = before === null ? null : { before, left: await takeTree(stage, `${name}/after`) };
    const { outcome } = await told(stage, run, decision, { before: used, trees });
    const { status, code, reason } = wrong;
    return { kind: 'item.ended', item, attempt, runId, outcome: { ...outcome, status, code, reason } };
  }
}

const none: UsedBefore = { iterations: 0, activeMs: 0, tokens: 0, costUsd: 0 };

/** Its work that made room for others is in the workspace again, beside theirs; where both change the same, theirs stays. */
async function bringBack(stage: Stage, item: string, name: string): Promise<void> {
  const { aside } = stage.state().records.get(item)!;
  if (aside.length === 0 || keptTree(stage, `${name}/back`) !== null) return;
  for (const [at, { before, left }] of aside.entries())
    await takeOut(stage, { before: left, after: before }, `${name}/back-${at + 1}`);
  await takeTree(stage, `${name}/back`);
}

/** The directory in which it is worked on, made where it is not there yet. */
async function placeOf(stage: Stage, state: PlanState, decision: RunItem): Promise<WorkspaceHome> {
  const { home } = stage;
  if (decision.place === 'workspace') return home;
  const own = worktreeHome(home, state.planId, decision.item, stage.env);
  const isBegun = decision.from !== null || hasRun(stage, decision.runId);
  if (isBegun && isReady(own)) return own;
  await makeWorktree(home, own, await treeFor(stage, state, decision));
  return own;
}

/** What a worktree begins with: the workspace as it is, both sides of a conflict, or what an attempt before it left. */
async function treeFor(stage: Stage, state: PlanState, decision: RunItem): Promise<string> {
  const { conflict, attempts } = state.records.get(decision.item)!;
  const name = `${state.planId}/${decision.item}/${decision.runId}`;
  if (decision.approach === 'resolve' && conflict) {
    const { base, before, theirs } = conflict;
    const { tree } = await mergeTrees(stage.home.gitDir, { base, ours: before, theirs });
    keepTree(stage.home, `${name}/base`, tree);
    return tree;
  }
  const last = attempts.findLast(({ outcome }) => outcome.started !== false);
  const left = decision.from === null ? null : last?.outcome.tree;
  if (left) return left;
  return takeTree(stage, `${name}/base`);
}

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
  const goOn = async (runId: string, run: RunState, said: Said = {}): Promise<Session> => {
    if (run.ended) return { kind: 'ended', runId, state: run };
    // An iteration that a crash cut short was counted when it began, and is still to be finished.
    const isOpen = run.open?.kind === 'start-iteration';
    const steps = decision.iterations - Math.max(0, run.iteration - decision.since) + (isOpen ? 1 : 0);
    if (run.paused && steps <= 0) return { kind: 'paused', runId, state: run };
    return resumeRun({ ...request, steps: Math.max(0, steps) }, runId, {}, said);
  };
  // A crash may have left a folder in which nothing was written yet.
  if (!hasRun(stage, decision.runId))
    rmSync(stage.runs.dir(decision.runId), { recursive: true, force: true });
  else return goOn(decision.runId, await foldRun(stage, decision.runId));
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
  const words = approachWords(state, decision);
  const said = words === null ? {} : { redirect: words };
  const { runId: from, run } = await newestOf(stage, decision.from);
  // Somebody went on with it by hand: what came of that is what this attempt comes to.
  if (from !== decision.from) return goOn(from, run);
  // One that was left open when its share was used up is not another run.
  const last = state.records.get(decision.item)!.attempts.at(-1);
  if (!run.ended || last?.outcome.code === 'budget.session') return goOn(decision.from, run, said);
  return resumeRun(
    { ...request, steps: decision.iterations },
    decision.from,
    addedFor(state, decision, run),
    said,
  );
}

/** What this session has for the run beyond what earlier ones had; the limits of the item itself stay. */
function addedFor(state: PlanState, { item, since, iterations }: RunItem, run: RunState): Added {
  const limits = run.spec?.limits;
  if (!limits) return {};
  const own = state.agenda.item(item).limits;
  const share: Partial<ItemShare> = state.records.get(item)!.share ?? {};
  const beyond = (name: keyof ItemShare, used: number, limit: number | undefined) =>
    limit === undefined || share[name] === undefined
      ? 0
      : Math.min(own[name] ?? Infinity, used + share[name]) - limit;
  const more = {
    iterations: since + iterations - limits.iterations,
    wallClockMs: beyond('wallClock', run.activeMs, limits.wallClock),
    tokens: beyond('tokens', run.tokens ?? 0, limits.tokens),
    costUsd: beyond('cost', run.costUsd ?? 0, limits.cost),
  };
  return Object.fromEntries(Object.entries(more).filter(([, one]) => one > 0));
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
  around: { before: UsedBefore; trees: Trees | null },
): Promise<{ runId: string; outcome: ItemOutcome }> {
  switch (session.kind) {
    case 'ended':
    case 'paused': {
      const { runId, state } = session;
      const recall = (ref: string) => runs.recall(runId, ref);
      return { runId, outcome: outcomeOf(state, await runs.read(runId), { ...around, recall }) };
    }
    case 'unstarted': {
      const outcome = unstarted(failed('it was stopped before it began'));
      return { runId: decision.runId, outcome: { ...outcome, status: 'stopped', code: 'user.stop' } };
    }
    case 'busy':
      return { runId: decision.runId, outcome: unstarted(failed('somebody else works in its directory')) };
  }
}

const unstarted = (outcome: ItemOutcome): ItemOutcome => ({ ...outcome, started: false });

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
  left: null,
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
