import * as z from 'zod';
import { FaultError } from '@agentgate/core';
import { scanLog, sha256 } from '../store/index.ts';
import { openBundle } from '../workspace/bundle.ts';
import { type Check, checksOf } from './check.ts';
import type { ExportHeader } from './export.ts';
import type { ProofSource } from './source.ts';

const Header = z.object({
  format: z.literal('agentgate-export'),
  v: z.literal(1),
  runId: z.string(),
  by: z.string(),
  at: z.string(),
  runs: z.array(
    z.object({ runId: z.string(), events: z.number(), hash: z.string(), damage: z.string().nullable() }),
  ),
  trees: z.boolean(),
}) satisfies z.ZodType<ExportHeader>;

const Part = z.discriminatedUnion('part', [
  z.object({ part: z.literal('log'), runId: z.string(), events: z.number().int().nonnegative() }),
  z.object({ part: z.literal('text'), runId: z.string(), ref: z.string(), text: z.string() }),
  z.object({ part: z.literal('receipt'), runId: z.string(), text: z.string() }),
  z.object({ part: z.literal('trees'), bundle: z.string() }),
  z.object({ part: z.literal('end'), hash: z.string() }),
]);

/** An export that was opened for reading. */
export interface OpenExport {
  /** Null where not even the first line can be read. */
  header: ExportHeader | null;
  source: ProofSource;
  checks: Check[];
  close(): void;
}

/** Opens an export without any state directory. What is wrong with the file itself is told in its checks. */
export async function openExport(bytes: Buffer): Promise<OpenExport> {
  const contents = readContents(bytes);
  const { header, bundle } = contents;
  const checks = [contents.check];
  let trees: Awaited<ReturnType<typeof openBundle>> | null = null;
  try {
    trees = bundle === null ? null : await openBundle(Buffer.from(bundle, 'base64'));
  } catch (error) {
    if (!(error instanceof FaultError) || error.fault.code !== 'git.failed') throw error;
    checks.push(
      checksOf('file', header?.runId ?? '').broken(`its trees cannot be unpacked: ${error.message}`),
    );
  }
  return { header, checks, source: sourceOf(contents, trees?.gitDir ?? null), close: () => trees?.remove() };
}

interface Contents {
  header: ExportHeader | null;
  logs: Map<string, Buffer>;
  texts: Map<string, string>;
  receipts: Map<string, string>;
  bundle: string | null;
  check: Check;
}

function sourceOf({ header, logs, texts, receipts }: Contents, gitDir: string | null): ProofSource {
  const bytesOf = (text: string | undefined) => (text === undefined ? null : Buffer.from(text));
  return {
    logBytes: (runId) => logs.get(runId) ?? null,
    log(runId) {
      const bytes = logs.get(runId);
      if (!bytes) return null;
      const scanned = scanLog(bytes);
      const was = header?.runs.find((one) => one.runId === runId)?.damage ?? null;
      return was === null
        ? scanned
        : { ...scanned, damage: scanned.damage ?? `${was} (when it was exported)` };
    },
    text: (runId, ref) => bytesOf(texts.get(`${runId}/${ref}`)),
    receipt: (runId) => bytesOf(receipts.get(runId)),
    gitDir,
  };
}

/** Reads line by line, as far as lines can be read. */
function readContents(bytes: Buffer): Contents {
  const lines = linesOf(bytes);
  const header = Header.safeParse(parse(lines.next().value?.line)).data ?? null;
  const { ok, broken } = checksOf('file', header?.runId ?? '');
  const check = broken('the export is cut short: its last line is not there');
  const contents: Contents = {
    header,
    logs: new Map(),
    texts: new Map(),
    receipts: new Map(),
    bundle: null,
    check,
  };
  if (!header) return { ...contents, check: broken('the first line of the export cannot be read') };
  for (const { line, start } of lines) {
    const part = Part.safeParse(parse(line)).data;
    if (!part) return { ...contents, check: broken(`the export is damaged at byte ${start}`) };
    if (part.part === 'end') {
      const isWhole =
        start + line.length + 1 === bytes.length && part.hash === sha256(bytes.subarray(0, start));
      const what = `the export of run ${header.runId} by version ${header.by}, ${header.at}`;
      return {
        ...contents,
        check: isWhole ? ok(`${what}, is as it was written`) : broken(`${what}, is not as it was written`),
      };
    }
    take(contents, part, lines);
  }
  return contents;
}

type Line = { line: Buffer; start: number };

function take(contents: Contents, part: z.infer<typeof Part>, lines: Iterator<Line, undefined>): void {
  const { logs, texts, receipts } = contents;
  if (part.part === 'log') logs.set(part.runId, takeLog(part.events, lines));
  if (part.part === 'text') texts.set(`${part.runId}/${part.ref}`, part.text);
  if (part.part === 'receipt') receipts.set(part.runId, part.text);
  if (part.part === 'trees') contents.bundle = part.bundle;
}

function takeLog(events: number, lines: Iterator<Line, undefined>): Buffer {
  const newline = Buffer.from('\n');
  const taken: Buffer[] = [];
  for (let left = events; left > 0; left--) {
    const next = lines.next();
    if (next.done) break;
    taken.push(next.value.line, newline);
  }
  return Buffer.concat(taken);
}

/** The whole lines of a file; one without its newline is none. */
function* linesOf(bytes: Buffer): Generator<Line, undefined> {
  let start = 0;
  for (let end = bytes.indexOf(10); end !== -1; end = bytes.indexOf(10, start)) {
    yield { line: bytes.subarray(start, end), start };
    start = end + 1;
  }
}

function parse(line: Buffer | undefined): unknown {
  try {
    return JSON.parse(line?.toString('utf8') ?? '');
  } catch {
    // Not JSON: the schema says no to it.
    return undefined;
  }
}
