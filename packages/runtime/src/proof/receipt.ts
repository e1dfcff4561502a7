import {
  type FinalReceipt,
  isSealed,
  makeFinalReceipt,
  parseFinalReceipt,
  receiptText,
  sameJson,
} from '@agentgate/core';
import { type Check, checksOf, count } from './check.ts';
import { historyOf, type Lineage } from './lineage.ts';
import type { ProofSource } from './source.ts';
import { sha256 } from '../store/index.ts';

/** Whether the receipt beside the log of one run is as it was written, and says what the log says. */
export function checkReceipt(lineage: Lineage, at: number, source: ProofSource, version: string): Check {
  const { runId, log } = lineage.runs[at]!;
  const { note, broken } = checksOf('receipt', runId);
  const bytes = source.receipt(runId);
  if (bytes === null) {
    const isOver = log.events.at(-1)?.kind === 'run.ended';
    return note(
      isOver
        ? `no receipt lies beside the log of run ${runId}; agentgate show ${runId} --receipt makes it`
        : `run ${runId} has no receipt yet`,
    );
  }
  const receipt = parseFinalReceipt(bytes.toString('utf8'));
  if (!receipt || !bytes.equals(Buffer.from(receiptText(receipt))) || !isSealed(receipt, sha256))
    return broken(`the receipt of run ${runId} is not as it was written`);
  return compareReceipt(receipt, lineage, at, version);
}

/** Whether a receipt belongs to a log and says what the log says. */
export function compareReceipt(receipt: FinalReceipt, lineage: Lineage, at: number, version: string): Check {
  const { runId, log } = lineage.runs[at]!;
  const { ok, note, broken } = checksOf('receipt', runId);
  const { events, hash } = receipt.log;
  const has = log.events.length;
  if (receipt.runId !== runId) return broken(`the receipt beside run ${runId} is of run ${receipt.runId}`);
  if (events !== has || log.events.at(-1)?.kind !== 'run.ended')
    return broken(
      `the receipt of run ${runId} is of a log with ${count(events, 'event')}, and ${count(has, 'good event')} can be read`,
      has,
    );
  if (hash !== log.hash)
    return broken(`the receipt of run ${runId} is of another log: the hashes differ`, has);
  // Parents that cannot be read are told of elsewhere; without them nothing can be made anew.
  if (!lineage.isWhole)
    return note(`the receipt of run ${runId} is of this log; what it says cannot be made anew`);
  const again = makeFinalReceipt(historyOf(lineage, at), log.hash, sha256);
  if (sameJson(again, receipt))
    return ok(`the receipt of run ${runId} is as it was written, and of this log`);
  return receipt.version === version || !saysTheSame(again, receipt)
    ? broken(`the receipt of run ${runId} does not say what its log says`)
    : note(
        `the receipt of run ${runId} is by version ${receipt.version}; version ${version} would write another`,
      );
}

/** Another version may see gates and the first tree otherwise; all else stands in the log word for word. */
function saysTheSame(again: FinalReceipt | null, receipt: FinalReceipt): boolean {
  const { gates: _, baseTree: __, hash: ___, ...said } = receipt;
  return again !== null && sameJson({ ...again, ...said }, again);
}
