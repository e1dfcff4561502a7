import { FaultError, makeFinalReceipt, receiptText } from '@agentgate/core';
import { type RunStore, readHistory, sha256 } from '../store/index.ts';

/** Writes the receipt of an ended run beside its log. The run is over whether or not that works. */
export async function writeReceipt(
  store: RunStore,
  runId: string,
  warn: (text: string) => void = () => undefined,
): Promise<void> {
  try {
    const text = await readReceipt(store, runId);
    if (text !== null) store.keepReceipt(runId, text);
  } catch (error) {
    if (!(error instanceof FaultError)) throw error;
    warn(
      `the receipt was not written: ${error.message}; agentgate show ${runId} --receipt makes it from the log`,
    );
  }
}

/** The text of the receipt that the log of a run gives; null while the run has not ended. */
export async function readReceipt(store: RunStore, runId: string): Promise<string | null> {
  const events = await readHistory(store, runId);
  const receipt = makeFinalReceipt(events, store.chainHash(runId), sha256);
  return receipt && receiptText(receipt);
}
