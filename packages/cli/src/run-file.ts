import { type Event, FaultError, type RunFile, type RunState } from '@agentgate/core';
import { isDrivenNow, openRunWorkspace, redact, type RunStore } from '@agentgate/runtime';
import type { OpenRun } from './wire.ts';

/** A page that is sent around stays small enough for that; the log keeps everything. */
const most = { text: 200_000, texts: 8_000_000, diff: 500_000, diffs: 6_000_000 };

/** A run with what its page shows of it. Where something is left out, it is the oldest. */
export async function makeRunFile(opened: OpenRun, version: string, now: Date): Promise<RunFile> {
  const { store, runId, events, state } = opened;
  return {
    v: 1,
    version,
    at: now.toISOString(),
    standing: standingOf(opened),
    events,
    texts: readTexts(store, runId, events),
    diffs: await readDiffs(opened, pairsOf(state)),
  };
}

function standingOf({ home, runId, state: { ended, held, paused } }: OpenRun): string {
  if (ended) return ended.status;
  if (isDrivenNow(home, runId)) return 'running';
  return held ? 'held' : paused ? 'paused' : 'cut-short';
}

function readTexts(store: RunStore, runId: string, events: readonly Event[]): Record<string, string> {
  const texts: Record<string, string> = {};
  let left = most.texts;
  for (const event of events.toReversed())
    for (const ref of refsOf(event)) {
      const text = ref in texts || left <= 0 ? null : store.recall(runId, ref);
      if (text === null) continue;
      texts[ref] = redact(text.slice(-most.text));
      left -= texts[ref].length;
    }
  return texts;
}

function refsOf(event: Event): string[] {
  switch (event.kind) {
    case 'agent.started':
      return event.feedback === undefined ? [event.prompt] : [event.feedback, event.prompt];
    case 'agent.ended':
    case 'gate.judged':
      return event.output === null ? [] : [event.output];
    default:
      return [];
  }
}

/** From before the run to its end and to its best tree, and then from each iteration to the next, newest first. */
function pairsOf({ baseTree, history, ended, best, current }: RunState): [string, string][] {
  const trees = [baseTree, ...history.map((one) => one.tree), current?.tree ?? null].filter(
    (tree): tree is string => tree !== null && tree !== '',
  );
  const first = trees[0];
  const last = trees.at(-1);
  const steps = trees.slice(1).map((tree, at): [string, string] => [trees[at]!, tree]);
  const whole = [last, ended?.best?.tree ?? best?.tree].flatMap((tree): [string, string][] =>
    first !== undefined && tree !== undefined ? [[first, tree]] : [],
  );
  return [...whole, ...steps.toReversed()].filter(([from, to]) => from !== to);
}

async function readDiffs(
  { home, state }: OpenRun,
  pairs: readonly [string, string][],
): Promise<RunFile['diffs']> {
  const diffs: RunFile['diffs'] = {};
  if (!state.spec || pairs.length === 0) return diffs;
  let left = most.diffs;
  try {
    const workspace = await openRunWorkspace(home, state.spec);
    try {
      for (const [from, to] of pairs) {
        const key = `${from}..${to}`;
        if (key in diffs || left <= 0) continue;
        const text = redact(await workspace.diff(from, to, { stat: false, color: false }));
        diffs[key] = { diff: text.slice(0, most.diff), truncated: text.length > most.diff };
        left -= diffs[key].diff.length;
      }
    } finally {
      await workspace.close();
    }
  } catch (error) {
    // Trees that were pruned, or a workspace that is gone: the story is there all the same.
    if (!(error instanceof FaultError)) throw error;
  }
  return diffs;
}
