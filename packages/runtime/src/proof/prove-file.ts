import { FaultError, fault, isSealed, parseFinalReceipt } from '@agentgate/core';
import { type Check, checksOf } from './check.ts';
import { readLineage } from './lineage.ts';
import { proveRun } from './prove.ts';
import { openExport } from './read-export.ts';
import { compareReceipt } from './receipt.ts';
import type { ProofSource } from './source.ts';
import { sha256 } from '../store/index.ts';

/** Proves an export, or a receipt with the help of the log where that is at hand. Refuses what is neither. */
export async function* proveFile(
  { name, bytes }: { name: string; bytes: Buffer },
  here: ProofSource,
  version: string,
): AsyncGenerator<Check> {
  const head = bytes.toString('utf8', 0, 500);
  if (head.includes('agentgate-export')) return yield* proveExport(bytes, version);
  if (head.includes('agentgate-receipt')) return yield* proveReceipt(bytes.toString('utf8'), here, version);
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

function* proveReceipt(text: string, here: ProofSource, version: string): Generator<Check> {
  const receipt = parseFinalReceipt(text);
  const { ok, note, broken } = checksOf('receipt', receipt?.runId ?? '');
  if (!receipt || !isSealed(receipt, sha256)) return yield broken('the receipt is not as it was written');
  const { runId, status, code } = receipt;
  yield ok(`the receipt of run ${runId} is as it was written: ${status} (${code})`);
  if (!here.log(runId)) return yield note(`the log of run ${runId} is not here; it was not compared with it`);
  const lineage = readLineage(runId, here);
  yield* lineage.checks;
  yield compareReceipt(receipt, lineage, lineage.runs.length - 1, version);
}
