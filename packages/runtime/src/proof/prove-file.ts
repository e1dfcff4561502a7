import { FaultError, type FinalReceipt, fault, isSealed, parseFinalReceipt } from '@agentgate/core';
import { type Check, checksOf } from './check.ts';
import { readLineage } from './lineage.ts';
import { proveRun } from './prove.ts';
import { openExport } from './read-export.ts';
import { compareReceipt } from './receipt.ts';
import type { ProofSource } from './source.ts';
import { sha256 } from '../store/index.ts';

/** Proves an export, or a receipt by its log, wherever in `sources` that lies. Refuses what is neither. */
export async function* proveFile(
  { name, bytes }: { name: string; bytes: Buffer },
  sources: readonly ProofSource[],
  version: string,
): AsyncGenerator<Check> {
  const head = bytes.toString('utf8', 0, 500);
  if (head.includes('agentgate-export')) return yield* proveExport(bytes, version);
  if (head.includes('agentgate-receipt'))
    return yield* proveReceipt(bytes.toString('utf8'), sources, version);
  throw new FaultError(
    fault('usage', `${name} is neither a receipt nor an export; agentgate export RUN -o FILE writes one`),
  );
}

async function* proveExport(bytes: Buffer, version: string): AsyncGenerator<Check> {
  const { header, checks, source, close } = await openExport(bytes);
  try {
    yield* checks;
    if (header) yield* proveRun(header.runId, source, version);
  } finally {
    close();
  }
}

function* proveReceipt(text: string, sources: readonly ProofSource[], version: string): Generator<Check> {
  const receipt = parseFinalReceipt(text);
  const { ok, open, broken } = checksOf('receipt', receipt?.runId ?? '');
  if (!receipt || !isSealed(receipt, sha256)) return yield broken('the receipt is not as it was written');
  const { runId, status, code } = receipt;
  const source = sourceFor(receipt, sources);
  // Anybody can seal what they wrote: without the log a receipt says no more than that it is whole.
  if (!source)
    return yield open(
      `the receipt says ${status} (${code}) and is consistent with itself; the log of run ${runId}, which alone proves it, is not on this machine`,
    );
  yield ok(`the receipt of run ${runId} is as it was written: ${status} (${code})`);
  const lineage = readLineage(runId, source);
  yield* lineage.checks;
  yield compareReceipt(receipt, lineage, lineage.runs.length - 1, version);
}

/** Where the log of a receipt lies. Two workspaces may have a run of the same id: the one whose log it names is meant. */
function sourceFor({ runId, log }: FinalReceipt, sources: readonly ProofSource[]): ProofSource | undefined {
  const known = sources.filter((source) => source.log(runId) !== null);
  return known.find((source) => source.log(runId)?.hash === log.hash) ?? known[0];
}
