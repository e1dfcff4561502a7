import { createHash } from 'node:crypto';
import {
  closeSync,
  fdatasyncSync,
  fstatSync,
  ftruncateSync,
  openSync,
  readFileSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { type Event, type EventBody, eventVersion, FaultError, fault } from '@agentgate/core';

/** What a log file holds: its good events, where they end, and whether a torn tail was left behind them. */
export interface LogContents {
  events: Event[];
  hash: string;
  bytes: number;
  torn: boolean;
}

const genesis = '';
const seal = /,"hash":"([0-9a-f]{64})"\}$/;

/** Reads a log and checks its chain. Refuses a damaged one, naming the last good event. */
export function readLog(path: string): LogContents {
  const bytes = readFileSync(path);
  const contents: LogContents = { events: [], hash: genesis, bytes: 0, torn: false };
  let start = 0;
  for (let end = bytes.indexOf(10, start); end !== -1; end = bytes.indexOf(10, start)) {
    const line = bytes.toString('utf8', start, end);
    const read = readLine(line, contents);
    if (!read) throw new FaultError(damaged(path, contents));
    contents.events.push(read.event);
    contents.hash = read.hash;
    start = end + 1;
    contents.bytes = start;
  }
  // An append that a crash cut short ends without its newline and was never acknowledged.
  contents.torn = start < bytes.length;
  return contents;
}

/** The one writer of a run's log. */
export interface LogWriter {
  /** Durable when it returns. */
  append(afterSeq: number, bodies: readonly EventBody[], at: Date): Event[];
  close(): void;
}

/** Opens a log for appending, after dropping a torn tail. */
export function openLogWriter(path: string): LogWriter & { contents: LogContents } {
  const fd = openSync(path, 'a+');
  try {
    const contents = readLog(path);
    if (contents.torn) {
      ftruncateSync(fd, contents.bytes);
      fdatasyncSync(fd);
    } else if (contents.bytes === 0) syncDirectory(path);
    return { contents, ...makeWriter(fd, path, contents) };
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}

function makeWriter(fd: number, path: string, contents: LogContents): LogWriter {
  let seq = contents.events.at(-1)?.seq ?? 0;
  let { hash, bytes } = contents;
  let broken = false;
  const refuse = (code: string, why: string) =>
    new FaultError(fault(code, `cannot append to ${path}: ${why}`));
  return {
    append(afterSeq, bodies, at) {
      if (broken) throw refuse('state.unwritable', 'an earlier append failed half-way; run agentgate resume');
      if (afterSeq !== seq)
        throw refuse('log.moved', `event ${afterSeq} is not its last, it is at event ${seq}`);
      const events: Event[] = [];
      let text = '';
      let chain = hash;
      for (const body of bodies) {
        const event: Event = { v: eventVersion, seq: seq + events.length + 1, at: at.toISOString(), ...body };
        const sealed = sealLine(event, chain);
        chain = sealed.hash;
        text += sealed.line;
        events.push(event);
      }
      const data = Buffer.from(text);
      try {
        trimForeign(fd, path, bytes);
        writeDurably(fd, data);
      } catch (error) {
        // What was not acknowledged must not stay: a later append would stand behind half an event.
        broken = !cutBack(fd, bytes);
        throw error instanceof FaultError ? error : new FaultError(storeFault(error, path));
      }
      bytes += data.length;
      seq += events.length;
      hash = chain;
      return events;
    },
    close: () => closeSync(fd),
  };
}

/** The log has one writer: what somebody else put behind our last event is cut off, and nothing before it may be missing. */
function trimForeign(fd: number, path: string, bytes: number): void {
  const { size } = fstatSync(fd);
  if (size > bytes) ftruncateSync(fd, bytes);
  if (size >= bytes) return;
  throw new FaultError(
    fault(
      'state.unwritable',
      `somebody shortened the log ${path} while the run was on; the run cannot go on`,
    ),
  );
}

function cutBack(fd: number, bytes: number): boolean {
  try {
    ftruncateSync(fd, bytes);
    return true;
  } catch {
    // The disk refuses even that; the torn tail is dropped by the next reader.
    return false;
  }
}

/** One line of the log: the event, then the hash over the chain so far and this event. */
export function sealLine(event: Event, before: string): { line: string; hash: string } {
  const body = JSON.stringify(event);
  const hash = chainHash(before, body);
  return { line: `${body.slice(0, -1)},"hash":"${hash}"}\n`, hash };
}

function readLine(line: string, { events, hash }: LogContents): { event: Event; hash: string } | null {
  const sealed = seal.exec(line);
  if (!sealed) return null;
  const body = `${line.slice(0, sealed.index)}}`;
  if (chainHash(hash, body) !== sealed[1]) return null;
  const event = JSON.parse(body) as Event;
  if (event.v > eventVersion) {
    throw new FaultError(
      fault(
        'log.newer',
        `this log was written by a newer agentgate (event version ${event.v}); update agentgate to read it`,
      ),
    );
  }
  return event.seq === events.length + 1 ? { event, hash: sealed[1] } : null;
}

const chainHash = (before: string, body: string): string =>
  createHash('sha256').update(before).update(body).digest('hex');

function damaged(path: string, { events }: LogContents) {
  const last = events.at(-1);
  const good = last
    ? `the last good event is ${last.seq} (${last.kind}, ${last.at})`
    : 'no event in it is good';
  return fault(
    'log.damaged',
    `the log ${path} is damaged after event ${events.length}; ${good}. Nothing was changed.`,
  );
}

function writeDurably(fd: number, bytes: Buffer): void {
  for (let written = 0; written < bytes.length; ) written += writeSync(fd, bytes, written);
  fdatasyncSync(fd);
}

/** Tells a full disk from other faults of the store. */
export function storeFault(error: unknown, path: string) {
  const code = (error as NodeJS.ErrnoException).code;
  if (code === 'ENOSPC' || code === 'EDQUOT') {
    return fault('state.full', `no space left to write ${path}; free some, then run agentgate resume`, error);
  }
  return fault(
    'state.unwritable',
    `cannot write ${path} (${code ?? 'unknown'}); check the directory's permissions`,
    error,
  );
}

/** A new file is durable only once its directory is. */
function syncDirectory(path: string): void {
  const fd = openSync(dirname(path), 'r');
  try {
    fdatasyncSync(fd);
  } finally {
    closeSync(fd);
  }
}
