import {
  FaultError,
  fold,
  isDone,
  type GateWords,
  type PlanDecision,
  type PlanDecisionOf,
  type PlanEventBody,
  type RunState,
  type Standing,
} from '@agentgate/core';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { judgeOnce } from '../driver/judge-once.ts';
import { resumeRun, type Session, startRun } from '../driver/session.ts';
import { readHistory } from '../store/index.ts';
import { baselineOf } from './baseline.ts';
import { lastWords } from './item-outcome.ts';
import { gatesOfItem, specOfProbe } from './item-spec.ts';
import { judgementsOf } from './judgements.ts';
import { hashOf, mergeTrees } from './merge.ts';
import { runItem } from './run-item.ts';
import type { Stage } from './stage.ts';
import { keptTree, restoreTree, takeOut, takeTree } from './take-tree.ts';
import { adoptTrees, keepTree, makeWorktree, removeWorktree, worktreeHome } from './worktree.ts';

export type Deed = Extract<
  PlanDecision,
  { kind: 'run-item' | 'judge-item' | 'merge-item' | 'revert-item' | 'probe' }
>;

export const isDeed = (decision: PlanDecision): decision is Deed =>
  ['run-item', 'judge-item', 'merge-item', 'revert-item', 'probe'].includes(decision.kind);

/** Does what was decided, and gives the fact that came of it. Doing it again after a crash is harmless. */
export function perform(stage: Stage, decision: Deed): Promise<PlanEventBody> {
  switch (decision.kind) {
    case 'run-item':
      return runItem(stage, decision);
    case 'judge-item':
      return judgeItem(stage, decision.item);
    case 'merge-item':
      return mergeItem(stage, decision);
    case 'revert-item':
      return revertItem(stage, decision);
    case 'probe':
      return probe(stage, decision);
  }
}

interface Judged {
  passed: boolean;
  failing: string[];
  soft: string[];
  said?: GateWords[];
  unable?: string;
}

/** The same, with the ids of what the hard gates found. */
interface JudgedHere extends Judged {
  found: string[];
}

/**
 * Judges the gates of an item in the workspace, in which this tree lies; null where that was cut short. What waits for a
 * person or a service was answered in the item's own run, where it `wasRun`.
 */
async function judgeHere(
  stage: Stage,
  item: string,
  { tree, wasRun }: { tree: string; wasRun: boolean },
): Promise<JudgedHere | null> {
  const { root } = stage.home;
  const known = judgementsOf(stage, tree);
  try {
    const spec = await gatesOfItem(stage.state(), item, { root, ...envOf(stage) });
    const failing: string[] = [];
    const soft: string[] = [];
    const baseline = await baselineOf(stage, item, spec);
    const unable: string[] = [];
    const found: string[] = [];
    const said: GateWords[] = [];
    for await (const one of judgeOnce(root, spec, stage.signal, undefined, { ...known, baseline })) {
      const { gate, passed, spared, verdict, findings } = one.standing;
      if (stage.signal.aborted) return null;
      known.keep(gate, one.judgement);
      if (verdict.kind === 'unable') unable.push(gate.name);
      if (passed || spared || (wasRun && verdict.kind === 'pending')) continue;
      (gate.severity === 'hard' ? failing : soft).push(gate.name);
      if (gate.severity === 'soft') continue;
      found.push(...findings.map(({ id }) => `${gate.name} ${id}`));
      said.push(wordsOf(one.standing));
    }
    if (stage.signal.aborted) return null;
    if (unable.length > 0)
      return {
        passed: false,
        failing,
        soft,
        found,
        said,
        unable: `${unable.join(', ')} could not be judged`,
      };
    return { passed: failing.length === 0, failing, soft, found, said };
  } catch (error) {
    if (!(error instanceof FaultError)) throw error;
    return { passed: false, failing: [], soft: [], found: [], unable: error.fault.message };
  }
}

async function judgeItem(stage: Stage, item: string): Promise<PlanEventBody> {
  const { planId, records } = stage.state();
  const { proven, status } = records.get(item)!;
  try {
    const tree = await takeTree(stage, `${planId}/${item}/judged`);
    // It was judged on this very tree, whatever the workspace was in between.
    if (isDone(status) && proven?.tree === tree)
      return { kind: 'item.judged', item, tree, passed: true, failing: [] };
    const judged = await judgeHere(stage, item, { tree, wasRun: isDone(status) });
    return judged ? { kind: 'item.judged', item, tree, ...eventOf(judged) } : cutShort(item);
  } catch (error) {
    if (!(error instanceof FaultError)) throw error;
    const unable = error.fault.message;
    return { kind: 'item.judged', item, tree: null, passed: false, failing: [], unable };
  }
}

const mostLines = 10;
const mostChars = 300;

/** What a gate that fails found; of one that names nothing, the end of what it printed. */
function wordsOf({ gate, verdict, findings }: Standing): GateWords {
  const named = findings.filter(({ synthetic }) => !synthetic);
  const excerpt = 'excerpt' in verdict ? (verdict.excerpt ?? '') : '';
  const lines =
    named.length > 0
      ? named.slice(0, mostLines).map(({ title, file, line, message }) => {
          const place = file === undefined ? '' : ` (${file}${line === undefined ? '' : `:${line}`})`;
          return `${title}${place}${message === undefined ? '' : `: ${message}`}`;
        })
      : excerpt.trim().split('\n').slice(-mostLines);
  const says = lines.map((one) => one.replace(/\s+/g, ' ').trim().slice(0, mostChars));
  return { gate: gate.name, says: says.filter((one) => one !== '') };
}

const eventOf = ({ passed, failing, soft, said = [], unable }: JudgedHere): Judged => ({
  passed,
  failing,
  soft,
  ...(said.length === 0 ? {} : { said }),
  ...(unable === undefined ? {} : { unable }),
});

/** Nothing came of it: it is decided again when it is needed. */
const cutShort = (item: string): PlanEventBody => ({ kind: 'item.left', item, why: 'it was stopped' });

const envOf = ({ env }: Stage): { env?: NodeJS.ProcessEnv } => (env ? { env } : {});

/** Brings the work of a worktree to that of the others, judges it there, and takes it back where it does not hold. */
async function mergeItem(stage: Stage, decision: PlanDecisionOf<'merge-item'>): Promise<PlanEventBody> {
  const { home } = stage;
  const { planId, records } = stage.state();
  const { item, attempt } = decision;
  const record = records.get(item)!;
  const { outcome, runId } = record.attempts.at(-1)!;
  const name = `${planId}/${item}/${runId}`;
  const theirs = outcome.tree!;
  const base = record.conflict?.before ?? outcome.before!;
  keepTree(home, `${name}/theirs`, theirs);
  const told = { item, attempt, base, theirs };
  const ours = await oursFor(stage, name, { base, theirs });
  const { tree, conflicts, fingerprint } = await mergeTrees(home.gitDir, { base, ours, theirs });
  if (conflicts.length > 0) {
    const paths = conflicts.slice(0, 100);
    return { kind: 'item.conflicted', ...told, before: ours, paths, failing: [], fingerprint };
  }
  keepTree(home, `${name}/merged`, tree);
  await restoreTree(stage, tree, `${name}/aside`);
  const judged = await judgeHere(stage, item, { tree, wasRun: true });
  if (!judged?.passed) {
    const { kept } = await takeOut(stage, { before: ours, after: tree }, name);
    if (!judged) return cutShort(item);
    const why = [
      ...judged.failing,
      ...(judged.unable === undefined ? [] : [judged.unable]),
      ...(kept.length > 0 ? [`it could not be taken out again (${kept.join(', ')})`] : []),
    ];
    const { said = [] } = judged;
    const found = { fingerprint: hashOf([...why, ...judged.found.toSorted()]), said };
    return { kind: 'item.conflicted', ...told, before: ours, paths: [], failing: why, ...found };
  }
  return { kind: 'item.merged', item, attempt, before: ours, tree };
}

/** What the workspace was before the merge; a crash in the middle of one may have left its result there. */
async function oursFor(
  stage: Stage,
  name: string,
  { base, theirs }: { base: string; theirs: string },
): Promise<string> {
  const before = keptTree(stage, `${name}/ours`);
  const now = await takeTree(stage, `${name}/now`);
  if (before !== null && before !== now) {
    const { tree } = await mergeTrees(stage.home.gitDir, { base, ours: before, theirs });
    if (tree === now) return before;
  }
  keepTree(stage.home, `${name}/ours`, now);
  return now;
}

/** The newest piece of work first, each from what it left back to what it found. */
async function revertItem(stage: Stage, decision: PlanDecisionOf<'revert-item'>): Promise<PlanEventBody> {
  const { item, works } = decision;
  const trees: { from: string; to: string }[] = [];
  const kept = new Set<string>();
  for (const [at, { before, left }] of [...works.entries()].toReversed()) {
    const name = `${stage.state().planId}/${item}/reverted-${at + 1}`;
    const done = await takeOut(stage, { before, after: left }, name);
    trees.push(done);
    for (const path of done.kept) kept.add(path);
  }
  const [from, to] = [trees[0]?.from ?? '', trees.at(-1)?.to ?? ''];
  return { kind: 'item.reverted', item, from, to, ...(kept.size > 0 ? { kept: [...kept] } : {}) };
}

/** An agent looks into something, in a directory that is thrown away. */
async function probe(stage: Stage, decision: PlanDecisionOf<'probe'>): Promise<PlanEventBody> {
  const { home, runs } = stage;
  const state = stage.state();
  const { item, runId } = decision;
  const own = worktreeHome(home, state.planId, `${item}.probe`, stage.env);
  const isBegun = existsSync(join(runs.dir(runId), 'log.jsonl'));
  try {
    if (!isBegun || !existsSync(own.root))
      await makeWorktree(home, own, await takeTree(stage, `${state.planId}/${item}/probe`));
    const request = {
      home: own,
      version: stage.version,
      control: stage.controlFor(item),
      watcher: stage.watcherFor(item),
      runId,
    };
    const session: Session = isBegun
      ? await again(stage, request, runId)
      : await startRun(request, await specOfProbe(state, decision, { root: home.root, ...envOf(stage) }));
    return await found(stage, decision, session);
  } catch (error) {
    if (!(error instanceof FaultError)) throw error;
    return nothing(item, `nobody could look into it: ${error.fault.message}`);
  } finally {
    // Its run is one like any other, and is proved and compared by its trees.
    if (existsSync(join(own.gitDir, 'objects'))) adoptTrees(home, own, runId);
    removeWorktree(own);
  }
}

async function again(
  { runs }: Stage,
  request: Parameters<typeof resumeRun>[0],
  runId: string,
): Promise<Session> {
  const state: RunState = fold(await readHistory(runs, runId));
  return state.ended ? { kind: 'ended', runId, state } : resumeRun(request, runId, {});
}

async function found(
  { runs }: Stage,
  { item }: PlanDecisionOf<'probe'>,
  session: Session,
): Promise<PlanEventBody> {
  if (session.kind !== 'ended' && session.kind !== 'paused') return cutShort(item);
  const { runId, state } = session;
  const agent = (await runs.read(runId)).findLast((one) => one.kind === 'agent.ended');
  const words = agent?.output ? (runs.recall(runId, agent.output) ?? '') : '';
  const { split, drop } = agent?.proposal ?? {};
  return {
    kind: 'probe.ended',
    item,
    findings: lastWords(words, 2_000) || 'it said nothing',
    iterations: state.iteration,
    tokens: state.tokens,
    costUsd: state.costUsd,
    activeMs: state.activeMs,
    ...(state.ended?.status === 'stopped' ? { cut: true } : {}),
    ...(split ? { split } : {}),
    ...(drop ? { drop } : {}),
  };
}

const nothing = (item: string, findings: string): PlanEventBody => ({
  kind: 'probe.ended',
  item,
  findings,
  iterations: 0,
  tokens: null,
  costUsd: null,
  activeMs: 0,
});
