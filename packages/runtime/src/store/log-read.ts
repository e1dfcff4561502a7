import { createHash } from 'node:crypto';
import { basename, dirname } from 'node:path';
import { type Event, eventVersion, FaultError, fault } from '@agentgate/core';
import { type CheckedLog, findChecked, rememberChecked } from './checked-log.ts';
import { type Disk, systemDisk } from './disk.ts';

/** What every event of a log has, whatever it is a log of. */
export interface Numbered {
  v: number;
  seq: number;
  at: string;
  kind: string;
}

/** What a log file holds: its good events, where they end, and whether a torn tail was left behind them. */
export interface LogContents<E extends Numbered = Event> {
  events: E[];
  /** The hash over all of them. */
  hash: string;
  bytes: number;
  torn: boolean;
}

/** A log as far as it is good, and what is wrong with it behind that. */
export interface ScannedLog<E extends Numbered = Event> extends LogContents<E> {
  /** The hash up to each event. */
  hashes: string[];
  /** What is wrong with the line behind the last good event; null for a whole log. */
  damage: string | null;
}

const genesis = '';
const seal = /,"hash":"([0-9a-f]{64})"\}$/;
const sealLength = ',"hash":""}'.length + 64;

/**
 * Reads a log and checks its chain, up to an event where one is given. Refuses a damaged one, naming the last good
 * event. What was checked once is not hashed again while nobody touches it.
 */
export function readLog<E extends Numbered = Event>(
  path: string,
  disk: Disk = systemDisk,
  upTo?: number,
): LogContents<E> {
  const { checked, stamp, bytes } = readable(path, () => ({
    checked: findChecked(path, disk),
    stamp: disk.stamp(path),
    bytes: disk.read(path),
  }));
  if (checked && checked.hashes.length >= (upTo ?? 0)) return parseChecked(bytes, checked, upTo);
  const { damage, hashes, ...contents } = scanLog<E>(bytes, upTo);
  if (damage !== null) throw new FaultError(damaged(path, contents.events));
  if (upTo !== undefined && contents.events.length < upTo)
    throw new FaultError(tooShort(path, contents, upTo));
  if (upTo === undefined) rememberChecked(path, disk, stamp, { hashes, ...contents });
  return contents;
}

/** What the system does not let us read says nothing about what is in it. */
function readable<T>(path: string, act: () => T): T {
  try {
    return act();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === undefined || code === 'ENOENT') throw error;
    const why = `cannot read the log ${path} (${code}); check whose it is and its permissions`;
    throw new FaultError(fault('log.unreadable', why, error));
  }
}

/** A log by all but its events. Refuses a damaged one. */
export function checkLog(path: string, disk: Disk): CheckedLog {
  const checked = readable(path, () => findChecked(path, disk));
  if (checked) return checked;
  const { stamp, bytes } = readable(path, () => ({ stamp: disk.stamp(path), bytes: disk.read(path) }));
  const { damage, ...contents } = scanLog(bytes);
  if (damage !== null) throw new FaultError(damaged(path, contents.events));
  rememberChecked(path, disk, stamp, contents);
  return contents;
}

/** The hash over a log, or over its events up to one. */
export function chainHashAt(path: string, disk: Disk, upTo?: number): string {
  if (upTo === undefined) return checkLog(path, disk).hashes.at(-1) ?? genesis;
  // What stands behind that event may be damaged.
  return findChecked(path, disk)?.hashes[upTo - 1] ?? readLog(path, disk, upTo).hash;
}

function parseChecked<E extends Numbered>(
  file: Buffer,
  { hashes, bytes, torn }: CheckedLog,
  upTo = hashes.length,
): LogContents<E> {
  const events: E[] = [];
  let start = 0;
  while (events.length < upTo) {
    const end = file.indexOf(10, start);
    events.push(JSON.parse(`${file.toString('utf8', start, end - sealLength)}}`) as E);
    start = end + 1;
  }
  const isWhole = upTo === hashes.length;
  return { events, hash: hashes[upTo - 1] ?? genesis, bytes: isWhole ? bytes : start, torn: isWhole && torn };
}

/** Reads as much of a log as is good. What stands behind event `upTo` is not looked at. */
export function scanLog<E extends Numbered = Event>(
  bytes: Buffer,
  upTo = Number.POSITIVE_INFINITY,
): ScannedLog<E> {
  const log: ScannedLog<E> = { events: [], hashes: [], hash: genesis, bytes: 0, torn: false, damage: null };
  let start = 0;
  for (let end = bytes.indexOf(10, start); end !== -1; end = bytes.indexOf(10, start)) {
    if (log.events.length >= upTo) return log;
    const read = readLine(bytes.subarray(start, end), log);
    if (typeof read === 'string') return { ...log, damage: read };
    log.events.push(read.event);
    log.hashes.push(read.hash);
    log.hash = read.hash;
    start = end + 1;
    log.bytes = start;
  }
  // An append that a crash cut short ends without its newline and was never acknowledged.
  log.torn = start < bytes.length && log.events.length < upTo;
  return log;
}

/** One line of the log: the event, then the hash over the chain so far and this event. */
export function sealLine(event: object, before: string): { line: string; hash: string } {
  const body = JSON.stringify(event);
  const hash = chainHash(before, body.slice(0, -1));
  return { line: `${body.slice(0, -1)},"hash":"${hash}"}\n`, hash };
}

/** The event of a line, or what is wrong with it. */
function readLine<E extends Numbered>(
  line: Buffer,
  { events, hash }: ScannedLog<E>,
): { event: E; hash: string } | string {
  const opened = unsealLine(line, hash);
  if (typeof opened === 'string') return opened;
  const event = parseEvent<E>(opened.text);
  if (event === null) return 'it is not an event';
  if (event.v > eventVersion) throw new FaultError(newer(event.v));
  return event.seq === events.length + 1 ? { event, hash: opened.hash } : `it has the number ${event.seq}`;
}

/**
 * The event of a line as it was written, and the hash of the chain up to it; or what is wrong with it. The bytes are
 * hashed as they lie there, not as a reader takes them.
 */
export function unsealLine(line: Buffer, before: string): { text: string; hash: string } | string {
  const sealed = seal.exec(line.toString('latin1', Math.max(0, line.length - sealLength)));
  if (!sealed) return 'it does not end with a hash';
  const body = line.subarray(0, line.length - sealLength);
  if (chainHash(before, body) !== sealed[1]) return 'its hash does not fit it and all before it';
  return { text: `${body.toString('utf8')}}`, hash: sealed[1] };
}

function parseEvent<E extends Numbered>(text: string): E | null {
  try {
    const value = JSON.parse(text) as E | null;
    return typeof value === 'object' ? value : null;
  } catch {
    // Sealed by somebody, but never written by us.
    return null;
  }
}

/** The hash over the chain so far and an event, which is given without its closing brace. */
const chainHash = (before: string, open: string | Uint8Array): string =>
  createHash('sha256').update(before).update(open).update('}').digest('hex');

const newer = (version: number) =>
  fault(
    'log.newer',
    `this log was written by a newer agentgate (event version ${version}); update agentgate to read it`,
  );

function damaged(path: string, events: readonly Numbered[]) {
  return fault(
    'log.damaged',
    `the log ${path} is damaged after event ${events.length}; ${lastGood(events)}. Nothing was changed. ${waysOut(path, events.length)}`,
  );
}

function tooShort(path: string, { events }: LogContents<Numbered>, upTo: number) {
  return fault(
    'log.damaged',
    `the log ${path} has no event ${upTo}; ${lastGood(events)}. Nothing was changed. ${waysOut(path, events.length)}`,
  );
}

/** Receipt and signs of life are written after what they tell of is on the disk, so a log without it has lost it. */
export function cutFault(path: string, events: readonly Numbered[], known: string) {
  return fault(
    'log.damaged',
    `the log ${path} has lost its end: ${known}, and that is not in it; ${lastGood(events)}. Nothing was changed. ${waysOut(path, events.length)}`,
  );
}

function lastGood(events: readonly Numbered[]): string {
  const last = events.at(-1);
  return last ? `the last good event is ${last.seq} (${last.kind}, ${last.at})` : 'no event in it is good';
}

/** What can still be done with a damaged log. */
function waysOut(path: string, good: number): string {
  if (basename(dirname(dirname(path))) === 'plans')
    return 'agentgate plan run --new begins the plan anew; what its items left stays where it is.';
  const runId = basename(dirname(path));
  const keep = `agentgate export ${runId} saves what is good`;
  return good === 0
    ? `${keep}; a new run begins with agentgate run.`
    : `${keep}; agentgate resume ${runId} --from-event ${good} goes on from there as a new run.`;
}
