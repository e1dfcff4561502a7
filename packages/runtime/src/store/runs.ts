import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { type Event, type EventBody, type EventLog, FaultError, fault } from '@agentgate/core';
import { redact, redactAll } from '../redact/index.ts';
import { type Disk, systemDisk } from './disk.ts';
import { refOf } from './hash.ts';
import { makeReserve } from './reserve.ts';
import { checkRequest, type InboxRequest, parseRequest } from './request.ts';
import { type LogWriter, guarded, openLogWriter } from './log-file.ts';
import { withoutSecrets } from './without-secrets.ts';
import { chainHashAt, checkLog, cutFault, readLog } from './log-read.ts';

/** The runs of one workspace: their logs, and what lies beside them. */
export interface RunStore extends EventLog {
  /** An id that no run of this workspace has. */
  newId(): string;
  /** What a run that begins now counts as; asked by the owner of the workspace. */
  nextNumber(): number;
  create(runId: string): void;
  /**
   * Makes sure that everything which can be read of a run is on the disk to stay. Refuses a damaged log, unless only
   * its events up to `upTo` are wanted.
   */
  settle(runId: string, upTo?: number): void;
  /** The hash over all events of a run, or over those up to `upTo`. */
  chainHash(runId: string, upTo?: number): string;
  /** Keeps the receipt of an ended run beside its log. */
  keepReceipt(runId: string, text: string): void;
  /** Null where none was written. */
  receipt(runId: string): string | null;
  /** Whether the log ends in an event that a crash cut short; it was never acknowledged and counts for nothing. */
  isTorn(runId: string): boolean;
  /** The run that goes on from this event in the place of this one, if any; a fork takes nobody's place. */
  childOf(runId: string, seq: number): string | null;
  /** The run that this one goes on from, also where the rest of its log is damaged. */
  parentOf(runId: string): string | null;
  /**
   * Sets room aside, so that what has happened can still be written down when the disk is full. Refuses where there is
   * no room even for that: nothing may begin that could not be recorded.
   */
  reserve(): void;
  /** Whether the disk is full and the room set aside is in use: what is under way is recorded, nothing new begins. */
  isFull(): boolean;
  /** Newest first. */
  list(): string[];
  dir(runId: string): string;
  /** Keeps a text under its content hash and returns the reference. */
  keep(runId: string, text: string): string;
  /** Looks in the runs that this one goes on from, too; null for a text that is not there, or not as it was kept. */
  recall(runId: string, ref: string): string | null;
  /** Says that the owner is alive, so that the time of an interrupted step is known afterwards. */
  beat(runId: string, beat: Beat & { durable?: boolean }): void;
  lastBeat(runId: string): (Beat & { wallMs: number }) | null;
  /** The file by which an agent shows that it really began; one for each time it is started. */
  startMark(runId: string, start: string): string;
  hasStarted(runId: string, start: string): boolean;
  request(runId: string, request: InboxRequest): void;
  /** What other processes said and nobody has done with yet, oldest first. */
  letters(runId: string): Letter[];
  inbox(runId: string): string;
  close(): void;
}

/** A sign of life: the last event then, and how long ago that was by a clock that only ever grows. */
export interface Beat {
  seq: number;
  sinceMs: number;
}

/** A request that lies in the inbox until it is done with: a crash before that loses nothing. */
export interface Letter {
  name: string;
  request: InboxRequest;
  done(): void;
}

export interface RunStoreOptions {
  now?: () => Date;
  random?: (bytes: number) => Uint8Array;
  /** How much room is set aside for a full disk. */
  reserveBytes?: number;
  disk?: Disk;
}

export function openRunStore(
  runsDir: string,
  {
    now = () => new Date(),
    random = randomBytes,
    disk = systemDisk,
    reserveBytes = 8_000_000,
  }: RunStoreOptions = {},
): RunStore {
  const reserve = makeReserve(join(runsDir, reserveName), disk, reserveBytes);
  const writers = new Map<string, LogWriter>();
  const dir = (runId: string) => join(runsDir, runId);
  const logPath = (runId: string) => join(dir(runId), 'log.jsonl');
  const receiptPath = (runId: string) => join(dir(runId), 'receipt.json');
  /** A log that lost its end is none that was cut short: the receipt and the last sign of life know more than it. */
  const cutCheck = (runId: string): ((events: readonly Event[]) => void) => {
    // Asked before the log is read, which only grows.
    const isEnded = disk.exists(receiptPath(runId));
    const told = lastBeat(runId)?.seq ?? 0;
    const refuse = (events: readonly Event[], known: string) =>
      new FaultError(cutFault(logPath(runId), events, known));
    return (events) => {
      if (isEnded && events.at(-1)?.kind !== 'run.ended')
        throw refuse(events, 'its receipt says that the run ended');
      if (told > events.length) throw refuse(events, `a sign of life tells of event ${told}`);
    };
  };
  const lastBeat = (runId: string): (Beat & { wallMs: number }) | null => {
    const path = join(dir(runId), 'alive');
    if (!disk.exists(path)) return null;
    const read = /^(\d+) (\d+) *$/.exec(disk.read(path).toString('utf8'));
    const beat = { seq: Number(read?.[1] ?? 0), sinceMs: Number(read?.[2] ?? 0) };
    return { ...beat, wallMs: disk.writtenMs(path) };
  };
  const writer = (runId: string): LogWriter => {
    const open = writers.get(runId);
    if (open) return open;
    const made = openLogWriter(logPath(runId), disk, cutCheck(runId));
    writers.set(runId, made);
    return made;
  };
  return {
    dir,
    inbox: (runId) => join(dir(runId), 'inbox'),
    isTorn: (runId) => checkLog(logPath(runId), disk).torn,
    parentOf: (runId) => parentOf(logPath(runId), disk),
    childOf: (runId, seq) =>
      byAge(runsDir, disk).find((other) => {
        const [, parent, at, fork] = parentPattern.exec(firstLine(logPath(other), disk)) ?? [];
        return parent === runId && Number(at) === seq && fork === undefined;
      }) ?? null,
    reserve() {
      guarded(runsDir, () => disk.makeDir(runsDir));
      reserve.take();
    },
    isFull: () => reserve.isUsed(),
    list: () => (disk.exists(runsDir) ? byAge(runsDir, disk) : []),
    newId: () => newId(runsDir, disk, random),
    nextNumber: () => 1 + (disk.exists(runsDir) ? (agesIn(runsDir, disk)[0]?.number ?? 0) : 0),
    create: (runId) => reserve.orUse(() => guarded(runsDir, () => createRun(dir(runId), disk))),
    settle(runId, upTo) {
      const path = logPath(runId);
      if (!disk.exists(path)) return;
      guarded(path, () => {
        // A text that a killed process had just put in its place is taken as kept from now on.
        const texts = join(dir(runId), 'blobs');
        if (disk.exists(texts)) disk.settle(texts);
        if (upTo === undefined) writer(runId);
        else syncFile(path, disk);
      });
    },
    chainHash: (runId, upTo) => chainHashAt(logPath(runId), disk, upTo),
    keepReceipt: (runId, text) => guarded(receiptPath(runId), () => disk.put(receiptPath(runId), text)),
    receipt: (runId) =>
      disk.exists(receiptPath(runId)) ? disk.read(receiptPath(runId)).toString('utf8') : null,
    async read(runId, upTo) {
      if (!disk.exists(logPath(runId))) {
        // Who reads up to an event reads what a later run goes on from.
        const why =
          upTo === undefined
            ? `there is no run ${runId} here; agentgate list shows the runs`
            : `the records of run ${runId}, which a later run goes on from, are gone from ${dir(runId)}; bring them back, or begin a new run`;
        throw new FaultError(fault('run.unknown', why));
      }
      const check = cutCheck(runId);
      const { events } = readLog(logPath(runId), disk, upTo);
      if (upTo === undefined) check(events);
      return events;
    },
    async append(runId: string, afterSeq: number, bodies: readonly EventBody[]): Promise<readonly Event[]> {
      const clean = bodies.map(withoutSecrets);
      const open = () => guarded(logPath(runId), () => writer(runId));
      return reserve.orUse(() => open().append(afterSeq, clean, now()));
    },
    keep(runId, words) {
      const text = redact(words);
      const ref = refOf(text);
      const path = join(dir(runId), 'blobs', ref);
      if (!disk.exists(path)) reserve.orUse(() => guarded(path, () => disk.put(path, text)));
      return ref;
    },
    recall(runId, ref) {
      for (let at: string | null = runId; at !== null; at = parentOf(logPath(at), disk)) {
        const path = join(dir(at), 'blobs', ref);
        const text = disk.exists(path) ? disk.read(path).toString('utf8') : null;
        if (text !== null && refOf(text) === ref) return text;
      }
      return null;
    },
    beat(runId, { seq, sinceMs, durable = false }) {
      try {
        disk.note(join(dir(runId), 'alive'), `${seq} ${Math.round(sinceMs)}`.padEnd(beatWidth), durable);
      } catch {
        // A sign of life that cannot be written is missed by nobody but the clock of a later resume.
      }
    },
    lastBeat,
    startMark: (runId, start) => join(dir(runId), `started-${start}`),
    hasStarted: (runId, start) => disk.exists(join(dir(runId), `started-${start}`)),
    request(runId, request) {
      checkRequest(request);
      const name = `${now().getTime()}-${Buffer.from(random(4)).toString('hex')}.json`;
      const path = join(dir(runId), 'inbox', name);
      deliver(runId, () => disk.put(path, JSON.stringify(redactAll(request))));
    },
    letters: (runId) => readLetters(join(dir(runId), 'inbox'), disk),
    close() {
      for (const open of writers.values()) open.close();
      writers.clear();
    },
  };
}

/** A sign of life always has this length, so that a shorter one leaves nothing of the one before. */
const beatWidth = 32;

/** The events of a run, or those up to `upTo`, with those that it goes on from before them. */
export async function readHistory(log: EventLog, runId: string, upTo?: number): Promise<Event[]> {
  const own = await log.read(runId, upTo);
  const first = own[0];
  const parent = first?.kind === 'run.started' ? first.parent : undefined;
  if (!parent) return [...own];
  // What the parent recorded later, or lost, is no part of this history.
  const before = await readHistory(log, parent.runId, parent.seq);
  return [...before, ...own];
}

/** Puts a letter where its run finds it. */
function deliver(runId: string, put: () => void): void {
  try {
    guarded(`a letter to run ${runId}`, put);
  } catch (error) {
    if (!(error instanceof FaultError) || error.fault.code !== 'state.full') throw error;
    throw new FaultError(
      fault('letter.full', `no space left for a word to run ${runId}; free some, then say it again`, error),
    );
  }
}

function syncFile(path: string, disk: Disk): void {
  const file = disk.open(path);
  try {
    file.sync();
  } finally {
    file.close();
  }
}

function newId(runsDir: string, disk: Disk, random: (bytes: number) => Uint8Array): string {
  for (;;) {
    const runId = shortId(random(6));
    if (!disk.exists(join(runsDir, runId))) return runId;
  }
}

function createRun(dir: string, disk: Disk): void {
  if (disk.exists(dir))
    throw new FaultError(fault('state.unwritable', `there is a run in ${dir} already; take another id`));
  disk.makeDir(join(dir, 'blobs'));
  disk.makeDir(join(dir, 'inbox'));
}

/** Six characters that read well aloud. */
function shortId(bytes: Uint8Array): string {
  const letters = '23456789abcdefghjkmnpqrstvwxyz';
  return [...bytes].map((byte) => letters[byte % letters.length]).join('');
}

/** The file that keeps room for a full disk. */
export const reserveName = '.reserve';

/** How the folder of a run begins that is being removed: no reader knows it any more. */
export const removedMark = '.removed-';

const byAge = (runsDir: string, disk: Disk): string[] => agesIn(runsDir, disk).map((one) => one.name);

interface Age {
  /** 0 for a run from before runs were counted. */
  number: number;
  born: number;
}

/** Newest first. A clock may have been set back; the number has not. */
function agesIn(runsDir: string, disk: Disk): (Age & { name: string })[] {
  const runs = disk.list(runsDir).flatMap((name) => {
    if (name.startsWith('.')) return [];
    const log = join(runsDir, name, 'log.jsonl');
    return disk.exists(log) ? [{ name, ...ageOf(log, disk) }] : [];
  });
  return runs.sort((a, b) => b.number - a.number || b.born - a.born);
}

/** The first event's own number and date; file dates change when a state directory is copied. */
function ageOf(log: string, disk: Disk): Age {
  const head = headOf(log, 200, disk);
  const at = /"at":"([^"]+)"/.exec(head)?.[1];
  const number = Number(/"kind":"run\.started","number":(\d+)/.exec(head)?.[1] ?? 0);
  if (at) return { number, born: Date.parse(at) };
  return { number, born: disk.exists(log) ? disk.writtenMs(log) : 0 };
}

/** The run that this one goes on from. */
const parentOf = (log: string, disk: Disk): string | null =>
  parentPattern.exec(firstLine(log, disk))?.[1] ?? null;

/** Which run the first event of a log goes on from, after which event, and whether as a fork. */
const parentPattern = /"parent":\{"runId":"([^"]+)","seq":(\d+)(?:,"hash":"[^"]*")?(,"fork":true)?\}/;

const firstLine = (log: string, disk: Disk): string => headOf(log, 2_000_000, disk).split('\n', 1)[0]!;

const notOurs: readonly (string | undefined)[] = ['ENOENT', 'EACCES', 'EPERM', 'EISDIR'];

/** Nothing of a run that was removed since it was listed, or is not ours to read: whoever opens that one tells why. */
function headOf(log: string, most: number, disk: Disk): string {
  try {
    return disk.read(log, most).toString('utf8');
  } catch (error) {
    if (!notOurs.includes((error as NodeJS.ErrnoException).code)) throw error;
    return '';
  }
}

/** Empty for what cannot be read now, or was taken away meanwhile; whoever polls comes again. */
function readText(path: string, disk: Disk): string {
  try {
    return disk.read(path).toString('utf8');
  } catch {
    return '';
  }
}

function readLetters(inbox: string, disk: Disk): Letter[] {
  if (!disk.exists(inbox)) return [];
  const names = disk.list(inbox).filter((name) => name.endsWith('.json'));
  return names.sort().flatMap((name) => {
    const path = join(inbox, name);
    const done = () => disk.remove(path);
    return parseRequest(readText(path, disk)).map((request) => ({ name, request, done }));
  });
}
