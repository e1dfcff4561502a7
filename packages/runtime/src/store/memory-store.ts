import { type Event, eventVersion, FaultError, fault } from '@agentgate/core';
import { sealLine } from './log-read.ts';
import { redact, redactAll } from '../redact/index.ts';
import { checkRequest, type InboxRequest } from './request.ts';
import { withoutSecrets } from './without-secrets.ts';
import { refOf } from './hash.ts';
import { type Beat, type RunStore } from './runs.ts';

/** One run as it lies in memory. Events are kept as text, so that nobody can change what was recorded. */
interface Kept {
  lines: string[];
  inbox: { name: string; request: InboxRequest }[];
  letters: number;
  beat: (Beat & { wallMs: number }) | null;
  receipt: string | null;
}

export interface MemoryStoreOptions {
  now?: () => Date;
  /** The texts beside the logs take at most so many characters; the oldest are forgotten first. */
  maxTextChars?: number;
}

/** Runs that live as long as this process: the same promises as the files, except that nothing survives it. */
export function makeMemoryStore({
  now = () => new Date(),
  maxTextChars = 8_000_000,
}: MemoryStoreOptions = {}): RunStore {
  const runs = new Map<string, Kept>();
  const texts = makeTexts(maxTextChars);
  let ids = 0;
  const at = (runId: string): Kept => {
    const run = runs.get(runId);
    if (!run) throw new FaultError(fault('run.unknown', `there is no run ${runId} here`));
    return run;
  };
  return {
    // There are no files: nobody outside of this process can look or write.
    dir: () => '',
    inbox: () => '',
    startMark: () => '',
    hasStarted: () => false,
    isTorn: () => false,
    parentOf: (runId) => parentOf(runs.get(runId))?.runId ?? null,
    childOf: (runId, seq) =>
      begun(runs).find((other) => {
        const parent = parentOf(runs.get(other));
        return parent?.runId === runId && parent.seq === seq && !parent.fork;
      }) ?? null,
    settle: () => undefined,
    reserve: () => undefined,
    isFull: () => false,
    list: () => begun(runs),
    newId() {
      do ids += 1;
      while (runs.has(`run-${ids}`));
      return `run-${ids}`;
    },
    nextNumber: () => runs.size + 1,
    create(runId) {
      if (runs.has(runId))
        throw new FaultError(fault('state.unwritable', `there is a run ${runId} already; take another id`));
      runs.set(runId, { lines: [], inbox: [], letters: 0, beat: null, receipt: null });
    },
    read: async (runId, upTo) => linesTo(at(runId), runId, upTo).map((line) => JSON.parse(line) as Event),
    chainHash: (runId, upTo) =>
      linesTo(at(runId), runId, upTo).reduce(
        (hash, line) => sealLine(JSON.parse(line) as Event, hash).hash,
        '',
      ),
    keepReceipt(runId, text) {
      at(runId).receipt = text;
    },
    receipt: (runId) => runs.get(runId)?.receipt ?? null,
    async append(runId, afterSeq, bodies) {
      const { lines } = at(runId);
      if (afterSeq !== lines.length) {
        const message = `cannot append to run ${runId}: event ${afterSeq} is not its last, it is at event ${lines.length}`;
        throw new FaultError(fault('log.moved', message));
      }
      if (isEnd(lines.at(-1)))
        throw new FaultError(fault('log.ended', `cannot append to run ${runId}: nothing follows its end`));
      const date = now().toISOString();
      const made = bodies
        .map(withoutSecrets)
        .map((body, index): Event => ({ v: eventVersion, seq: afterSeq + index + 1, at: date, ...body }));
      lines.push(...made.map((event) => JSON.stringify(event)));
      return made;
    },
    keep: (runId, text) => texts.keep(`${runId}\n`, redact(text)),
    recall(runId, ref) {
      for (let at: string | undefined = runId; at !== undefined; at = parentOf(runs.get(at))?.runId) {
        const text = texts.recall(`${at}\n${ref}`);
        if (text !== null) return text;
      }
      return null;
    },
    beat(runId, { seq, sinceMs }) {
      const run = runs.get(runId);
      if (run) run.beat = { seq, sinceMs, wallMs: now().getTime() };
    },
    lastBeat: (runId) => runs.get(runId)?.beat ?? null,
    request(runId, request) {
      const run = at(runId);
      checkRequest(request);
      run.letters += 1;
      run.inbox.push({ name: String(run.letters), request: redactAll(structuredClone(request)) });
    },
    letters(runId) {
      const run = runs.get(runId);
      return (run?.inbox ?? []).map((letter) => ({
        ...letter,
        done: () => run?.inbox.splice(run.inbox.indexOf(letter) >>> 0, 1),
      }));
    },
    close: () => undefined,
  };
}

const isEnd = (line: string | undefined): boolean =>
  line !== undefined && (JSON.parse(line) as Event).kind === 'run.ended';

function linesTo({ lines }: Kept, runId: string, upTo = lines.length): string[] {
  if (upTo <= lines.length) return lines.slice(0, upTo);
  throw new FaultError(
    fault('log.damaged', `run ${runId} has no event ${upTo}; its last is ${lines.length}`),
  );
}

/** Those with an event, the newest first. */
const begun = (runs: ReadonlyMap<string, Kept>): string[] =>
  [...runs].flatMap(([runId, { lines }]) => (lines.length > 0 ? [runId] : [])).reverse();

function parentOf(
  kept: Kept | undefined,
): { runId: string; seq: number; fork?: true | undefined } | undefined {
  const line = kept?.lines[0];
  const first = line === undefined ? null : (JSON.parse(line) as Event);
  return first?.kind === 'run.started' ? first.parent : undefined;
}

/** Texts by the hash of their content. The last one is always kept, however long it is. */
function makeTexts(maxChars: number) {
  const texts = new Map<string, string>();
  let chars = 0;
  return {
    keep(prefix: string, text: string): string {
      const ref = refOf(text);
      const key = prefix + ref;
      // Taken out first, so that what is kept again counts as the newest.
      if (texts.delete(key)) chars -= text.length;
      texts.set(key, text);
      chars += text.length;
      for (const [oldest, dropped] of texts) {
        if (chars <= maxChars || oldest === key) break;
        texts.delete(oldest);
        chars -= dropped.length;
      }
      return ref;
    },
    recall: (key: string): string | null => texts.get(key) ?? null,
  };
}
