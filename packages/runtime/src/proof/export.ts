import type { Check } from './check.ts';
import { type Ancestor, readLineage } from './lineage.ts';
import type { ProofSource } from './source.ts';
import { referencesOf } from './texts.ts';
import { bundleTrees } from '../workspace/bundle.ts';
import { refOf, sha256 } from '../store/index.ts';

/** The first line of an export. */
export interface ExportHeader {
  format: 'agentgate-export';
  v: 1;
  runId: string;
  /** The version that exported, and when. */
  by: string;
  at: string;
  /** The oldest first. */
  runs: { runId: string; events: number; hash: string; damage: string | null }[];
  trees: boolean;
}

/** Every other line of an export; the lines of a log stand behind theirs, exactly as they are. */
export type ExportPart =
  | { part: 'log'; runId: string; events: number }
  | { part: 'text'; runId: string; ref: string; text: string }
  | { part: 'receipt'; runId: string; text: string }
  | { part: 'trees'; bundle: string }
  /** Over all bytes before this line. */
  | { part: 'end'; hash: string };

export interface ExportOptions {
  version: string;
  at: Date;
  /** Also every captured tree, with all files. */
  trees: boolean;
}

/** A run with the runs it goes on from as one file, and what of it could not come along. */
export async function exportRun(
  runId: string,
  source: ProofSource,
  { version, at, trees }: ExportOptions,
): Promise<{ content: Buffer; header: ExportHeader; problems: Check[] }> {
  const { runs, checks } = readLineage(runId, source);
  const bundle = trees ? await bundleOf(runs, source) : null;
  const header: ExportHeader = {
    format: 'agentgate-export',
    v: 1,
    runId,
    by: version,
    at: at.toISOString(),
    runs: runs.map(({ runId, log: { events, hash, damage } }) => ({
      runId,
      events: events.length,
      hash,
      damage,
    })),
    trees: bundle !== null,
  };
  const parts = [line(header), ...runs.flatMap((run) => partsOf(run, source))];
  if (bundle) parts.push(line({ part: 'trees', bundle: bundle.toString('base64') }));
  const body = Buffer.concat(parts);
  const content = Buffer.concat([body, line({ part: 'end', hash: sha256(body) })]);
  return { content, header, problems: checks.filter((one) => one.result === 'broken') };
}

const line = (value: ExportHeader | ExportPart): Buffer => Buffer.from(`${JSON.stringify(value)}\n`);

function partsOf({ runId, log }: Ancestor, source: ProofSource): Buffer[] {
  const receipt = source.receipt(runId);
  return [
    line({ part: 'log', runId, events: log.events.length }),
    source.logBytes(runId)?.subarray(0, log.bytes) ?? Buffer.alloc(0),
    ...referencesOf(log.events).flatMap(({ ref }) => textOf(runId, ref, source)),
    ...(receipt === null ? [] : [line({ part: 'receipt', runId, text: receipt.toString('utf8') })]),
  ];
}

/** A text that is damaged is left out: nobody could use it, and who verifies the export is told that it is missing. */
function textOf(runId: string, ref: string, source: ProofSource): Buffer[] {
  const text = source.text(runId, ref);
  if (text === null || refOf(text) !== ref) return [];
  return [line({ part: 'text', runId, ref, text: text.toString('utf8') })];
}

function bundleOf(runs: readonly Ancestor[], { gitDir }: ProofSource): Promise<Buffer | null> {
  if (gitDir === null) return Promise.resolve(null);
  return bundleTrees(
    gitDir,
    runs.map(({ runId }) => `runs/${runId}`),
  );
}
