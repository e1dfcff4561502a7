import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Event, type EventBody, makeFinalReceipt, receiptText } from '@agentgate/core';
import { openRunStore, readHistory, type RunStore, sealLine, sha256 } from '../store/index.ts';
import type { Check } from './check.ts';
import { isProved, proveRun } from './prove.ts';
import { type ProofSource, sourceOf } from './source.ts';

const histories = new URL('../../../core/src/golden/histories/', import.meta.url);

/** The runs of a golden history as they would lie on the disk, with texts and receipts. */
export interface Shelf {
  runs: string[];
  store: RunStore;
  source: ProofSource;
  path(runId: string, ...rest: string[]): string;
  /** Changes events of a log and seals all of it anew, as somebody would who wants it to look untouched. */
  forge(runId: string, change: (event: Event) => Event): void;
  prove(version?: string): Promise<Told>;
  remove(): void;
}

export interface Told {
  proved: boolean;
  checks: Check[];
  /** The texts of what is broken. */
  broken: string[];
  notes: string[];
}

export async function layOut(name: string): Promise<Shelf> {
  const dir = mkdtempSync(join(tmpdir(), 'agentgate-proof-'));
  const store = openRunStore(dir);
  const runs: string[] = [];
  for (const events of logsOf(name)) runs.push(await record(store, events));
  store.close();
  const source = { ...sourceOf({ runs: dir, gitDir: dir }), gitDir: null };
  const path = (runId: string, ...rest: string[]) => join(dir, runId, ...rest);
  return {
    runs,
    store,
    source,
    path,
    forge(runId, change) {
      const log = path(runId, 'log.jsonl');
      let hash = '';
      const lines = readFileSync(log, 'utf8').trimEnd().split('\n');
      const sealed = lines.map((line) => {
        const { hash: _, ...event } = JSON.parse(line) as Event & { hash: string };
        const made = sealLine(change(event), hash);
        hash = made.hash;
        return made.line;
      });
      writeFileSync(log, sealed.join(''));
    },
    prove: (version = '0.1.0') => tell(proveRun(runs.at(-1)!, source, version)),
    remove: () => rmSync(dir, { recursive: true, force: true }),
  };
}

export async function tell(proof: AsyncIterable<Check>): Promise<Told> {
  const checks: Check[] = [];
  for await (const check of proof) checks.push(check);
  const texts = (result: Check['result']) =>
    checks.filter((one) => one.result === result).map((one) => one.text);
  return { proved: isProved(checks), checks, broken: texts('broken'), notes: texts('note') };
}

function logsOf(name: string): Event[][] {
  const logs: Event[][] = [];
  for (const line of readFileSync(new URL(`${name}.jsonl`, histories), 'utf8')
    .trimEnd()
    .split('\n')) {
    const event = JSON.parse(line) as Event;
    if (event.kind === 'run.started') logs.push([]);
    logs.at(-1)!.push(event);
  }
  return logs;
}

async function record(store: RunStore, events: readonly Event[]): Promise<string> {
  const first = events[0] as Extract<Event, { kind: 'run.started' }>;
  store.create(first.runId);
  const bodies = events.map((event) => bodyOf(store, first.runId, event));
  await store.append(first.runId, 0, bodies);
  const history = await readHistory(store, first.runId);
  const receipt = makeFinalReceipt(history, store.chainHash(first.runId), sha256);
  if (receipt) store.keepReceipt(first.runId, receiptText(receipt));
  return first.runId;
}

/** The event as its recorder gave it to the store, with texts that are there. */
function bodyOf(store: RunStore, runId: string, event: Event & { hash?: string }): EventBody {
  const { v: _, seq, at: __, hash: ___, ...body } = event;
  const keep = (what: string) => store.keep(runId, `${what} at ${seq}: ä\uFFFD`);
  if (body.kind === 'agent.started')
    return { ...body, prompt: keep('prompt'), ...(body.feedback ? { feedback: keep('feedback') } : {}) };
  if (body.kind === 'agent.ended') return { ...body, output: keep('output') };
  if (body.kind === 'gate.judged') return { ...body, output: keep('output'), cases: keep('cases') };
  if (body.kind !== 'run.started' || !body.parent) return body;
  const hash = store.chainHash(body.parent.runId, body.parent.seq);
  return { ...body, parent: { ...body.parent, hash } };
}
