import type { Check } from './check.ts';
import { type Ancestor, historyOf, type Lineage, readLineage } from './lineage.ts';
import { checkReceipt } from './receipt.ts';
import { checkReplay } from './replayed.ts';
import type { ProofSource } from './source.ts';
import { checkTexts } from './texts.ts';
import { checkTree } from './trees.ts';

/** Proves a run and the runs it goes on from, or says where the proof breaks. Reads only. */
export async function* proveRun(runId: string, source: ProofSource, version: string): AsyncGenerator<Check> {
  const lineage = readLineage(runId, source);
  yield* lineage.checks;
  if (lineage.isWhole) yield* checkReplay(runId, historyOf(lineage), version);
  yield* lineage.runs.flatMap(({ runId, log, used }) => checkTexts(runId, log.events.slice(0, used), source));
  const ended = endOf(lineage);
  if (ended) yield await checkTree(runId, ended.tree, source.gitDir);
  for (const [at, run] of lineage.runs.entries()) {
    const check = checkReceipt(lineage, at, source, version);
    yield isForked(run, at === lineage.runs.length - 1) ? asNote(check) : check;
  }
}

/** Whether nothing is broken, and nothing is left open. */
export const isProved = (checks: readonly Check[]): boolean =>
  checks.every((one) => one.result === 'ok' || one.result === 'note');

/** What a parent did or lost after the event that was gone on from proves nothing about this run. */
const isForked = ({ log, used }: Ancestor, isNewest: boolean): boolean =>
  !isNewest && log.events[used - 1]?.kind !== 'run.ended';

const asNote = (check: Check): Check => (check.result === 'broken' ? { ...check, result: 'note' } : check);

function endOf({ runs }: Lineage) {
  const last = runs.at(-1)?.log.events.at(-1);
  return last?.kind === 'run.ended' ? last : null;
}
