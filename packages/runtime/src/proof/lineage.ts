import { type Event, EventBody } from '@agentgate/core';
import type { ScannedLog } from '../store/index.ts';
import { type Check, checksOf, count } from './check.ts';
import type { ProofSource } from './source.ts';

/** One run of a lineage. */
export interface Ancestor {
  runId: string;
  log: ScannedLog;
  /** How many of its events the next run goes on from; for the newest one all of them. */
  used: number;
}

/** A run with the runs that it goes on from, the oldest first. */
export interface Lineage {
  runs: readonly Ancestor[];
  /** Whether no run is missing and each is good as far as the next one needs it. */
  isWhole: boolean;
  checks: readonly Check[];
}

/** Reads a run and all that it goes on from, and checks each log and each link. */
export function readLineage(runId: string, source: ProofSource): Lineage {
  const runs: Ancestor[] = [];
  const checks: Check[] = [];
  let isWhole = true;
  let link: Link | null = { runId };
  while (link) {
    const log = runs.some((one) => one.runId === link!.runId) ? null : source.log(link.runId);
    if (!log) {
      checks.unshift(checksOf('log', link.runId).broken(`the log of run ${link.runId} is not there`));
      return { runs, checks, isWhole: false };
    }
    const used = link.seq ?? log.events.length;
    runs.unshift({ runId: link.runId, log, used });
    checks.unshift(
      checkLog(link.runId, log, { upTo: link.seq, told: source.lastTold?.(link.runId) ?? 0 }),
      ...(link.from ? [checkLink(link, log)] : []),
    );
    isWhole &&= log.events.length >= used && log.events.length > 0 && misshapen(log.events) === null;
    link = linkOf(link.runId, log.events[0]);
  }
  return { runs, checks, isWhole };
}

/** All events that lead up to the end of one run of a lineage. */
export function historyOf({ runs }: Lineage, at = runs.length - 1): Event[] {
  const before = runs.slice(0, at).flatMap(({ log, used }) => log.events.slice(0, used));
  return [...before, ...(runs[at]?.log.events ?? [])];
}

interface Link {
  runId: string;
  seq?: number;
  hash?: string | undefined;
  /** The run that goes on from it. */
  from?: string;
}

function linkOf(from: string, first: Event | undefined): Link | null {
  const parent = first?.kind === 'run.started' ? first.parent : undefined;
  return parent ? { ...parent, from } : null;
}

function checkLog(
  runId: string,
  log: ScannedLog,
  { upTo, told }: { upTo: number | undefined; told: number },
): Check {
  const { ok, note, broken } = checksOf('log', runId);
  const { events, hash, damage, torn } = log;
  const last = events.at(-1);
  const good = last
    ? `the last good event is ${last.seq} (${last.kind}, ${last.at})`
    : 'no event in it is good';
  if (damage !== null) {
    const what = `the log of run ${runId} is damaged after event ${events.length}: ${damage}; ${good}`;
    const isForked = upTo !== undefined && events.length >= upTo && events[upTo - 1]?.kind !== 'run.ended';
    if (!isForked) return broken(what, events.length);
    return note(`${what}; what is good reaches as far as it is needed`, events.length);
  }
  if (!last) return broken(`the log of run ${runId} is empty`, 0);
  if (upTo === undefined && told > events.length)
    return broken(
      `the log of run ${runId} has lost its end: a sign of life tells of event ${told}; ${good}`,
      last.seq,
    );
  const end = events.findIndex((event) => event.kind === 'run.ended');
  if (end !== -1 && end < events.length - 1)
    return broken(`the log of run ${runId} goes on after its end at event ${end + 1}`, end + 1);
  const odd = misshapen(events);
  if (odd) return broken(`event ${odd.seq} of run ${runId} is none that can be read: ${odd.why}`, odd.seq);
  if (torn && last.kind === 'run.ended')
    return broken(`the log of run ${runId} goes on after its end; ${good}`, last.seq);
  if (torn)
    return note(
      `the log of run ${runId} holds together; a crash cut its last event short, and ${good}`,
      last.seq,
    );
  return ok(
    `the log of run ${runId} holds together: ${count(events.length, 'event')}, hash ${hash.slice(0, 16)}`,
    last.seq,
  );
}

/** The first event that no version can have written. */
function misshapen(events: readonly Event[]): { seq: number; why: string } | null {
  for (const event of events) {
    const issue = EventBody.safeParse(event).error?.issues[0];
    if (issue) return { seq: event.seq, why: `${issue.path.join('.')} ${issue.message}`.trim() };
  }
  return null;
}

function checkLink({ runId, seq = 0, hash, from }: Link, { events, hashes }: ScannedLog): Check {
  const { ok, note, broken } = checksOf('parent', from ?? '');
  const what = `run ${from} goes on from event ${seq} of run ${runId}`;
  if (events.length < seq)
    return broken(`${what}, of which only ${count(events.length, 'event')} can be read`, events.length);
  if (hash === undefined) return note(`${what}; the link has no hash, as older versions wrote it`, seq);
  if (hashes[seq - 1] === hash) return ok(what, seq);
  return broken(`${what}, but that log is not the one it went on from: the hashes differ`, seq);
}
