import { createHash, randomBytes } from 'node:crypto';
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { type Event, type EventBody, type EventLog, FaultError, fault } from '@agentgate/core';
import { redact, redactAll } from '../redact/index.ts';
import { checkRequest, type InboxRequest, parseRequest } from './request.ts';
import { type LogWriter, openLogWriter, readLog, storeFault } from './log-file.ts';

/** The runs of one workspace: their logs, and what lies beside them. */
export interface RunStore extends EventLog {
  /** An id that no run of this workspace has. */
  newId(): string;
  create(runId: string): void;
  /** Whether the log ends in an event that a crash cut short; it was never acknowledged and counts for nothing. */
  isTorn(runId: string): boolean;
  /** The run that goes on from this one, if any. */
  childOf(runId: string): string | null;
  /** Newest first. */
  list(): string[];
  dir(runId: string): string;
  /** Keeps a text under its content hash and returns the reference. */
  keep(runId: string, text: string): string;
  /** Looks in the runs that this one goes on from, too. */
  recall(runId: string, ref: string): string | null;
  /** Says that the owner is alive, so that the time of an interrupted step is known afterwards. */
  beat(runId: string): void;
  lastBeat(runId: string): number | null;
  /** The file by which an agent shows that it really began; one for each time it is started. */
  startMark(runId: string, start: string): string;
  hasStarted(runId: string, start: string): boolean;
  request(runId: string, request: InboxRequest): void;
  /** What other processes said and nobody has done with yet, oldest first. */
  letters(runId: string): Letter[];
  inbox(runId: string): string;
  close(): void;
}

/** A request that lies in the inbox until it is done with: a crash before that loses nothing. */
export interface Letter {
  name: string;
  request: InboxRequest;
  done(): void;
}

export function openRunStore(runsDir: string, now: () => Date = () => new Date()): RunStore {
  const writers = new Map<string, LogWriter>();
  const dir = (runId: string) => join(runsDir, runId);
  const logPath = (runId: string) => join(dir(runId), 'log.jsonl');
  const writer = (runId: string): LogWriter => {
    const open = writers.get(runId);
    if (open) return open;
    const made = openLogWriter(logPath(runId));
    writers.set(runId, made);
    return made;
  };
  return {
    dir,
    inbox: (runId) => join(dir(runId), 'inbox'),
    isTorn: (runId) => readLog(logPath(runId)).torn,
    childOf: (runId) => byAge(runsDir).find((other) => parentOf(logPath(other)) === runId) ?? null,
    list: () => (existsSync(runsDir) ? byAge(runsDir) : []),
    newId: () => newId(runsDir),
    create: (runId) => guarded(runsDir, () => createRun(dir(runId))),
    async read(runId) {
      if (!existsSync(logPath(runId))) {
        throw new FaultError(
          fault('run.unknown', `there is no run ${runId} here; agentgate list shows the runs`),
        );
      }
      return readLog(logPath(runId)).events;
    },
    async append(runId: string, afterSeq: number, bodies: readonly EventBody[]): Promise<readonly Event[]> {
      return writer(runId).append(afterSeq, bodies.map(withoutSecrets), now());
    },
    keep(runId, words) {
      const text = redact(words);
      const ref = createHash('sha256').update(text).digest('hex').slice(0, 40);
      const path = join(dir(runId), 'blobs', ref);
      if (!existsSync(path)) guarded(path, () => writeAtomically(path, text));
      return ref;
    },
    recall(runId, ref) {
      for (let at: string | null = runId; at !== null; at = parentOf(logPath(at))) {
        const path = join(dir(at), 'blobs', ref);
        if (existsSync(path)) return readFileSync(path, 'utf8');
      }
      return null;
    },
    beat(runId) {
      const path = join(dir(runId), 'alive');
      const time = now();
      try {
        if (existsSync(path)) utimesSync(path, time, time);
        else writeFileSync(path, '');
      } catch {
        // A sign of life that cannot be written is missed by nobody but the clock of a later resume.
      }
    },
    lastBeat(runId) {
      const path = join(dir(runId), 'alive');
      return existsSync(path) ? statSync(path).mtimeMs : null;
    },
    startMark: (runId, start) => join(dir(runId), `started-${start}`),
    hasStarted: (runId, start) => existsSync(join(dir(runId), `started-${start}`)),
    request(runId, request) {
      checkRequest(request);
      const name = `${now().getTime()}-${randomBytes(4).toString('hex')}.json`;
      guarded(dir(runId), () =>
        writeAtomically(join(dir(runId), 'inbox', name), JSON.stringify(redactAll(request))),
      );
    },
    letters: (runId) => readLetters(join(dir(runId), 'inbox')),
    close() {
      for (const open of writers.values()) open.close();
      writers.clear();
    },
  };
}

/**
 * Nothing that others said is written down with a secret in it. The spec is what its owner wrote and what a later
 * resume needs, word for word.
 */
function withoutSecrets(body: EventBody): EventBody {
  const clean = redactAll(body);
  return clean.kind === 'run.started' && body.kind === 'run.started' ? { ...clean, spec: body.spec } : clean;
}

/** The events of a run with those of the runs it goes on from before them. */
export async function readHistory(log: EventLog, runId: string): Promise<Event[]> {
  const own = await log.read(runId);
  const first = own[0];
  const parent = first?.kind === 'run.started' ? first.parent : undefined;
  if (!parent) return [...own];
  const before = await readHistory(log, parent.runId);
  return [...before, ...own];
}

function newId(runsDir: string): string {
  for (;;) {
    const runId = shortId();
    if (!existsSync(join(runsDir, runId))) return runId;
  }
}

function createRun(dir: string): void {
  mkdirSync(join(dir, 'blobs'), { recursive: true, mode: 0o700 });
  mkdirSync(join(dir, 'inbox'), { mode: 0o700 });
}

/** Six characters that read well aloud. */
function shortId(): string {
  const letters = '23456789abcdefghjkmnpqrstvwxyz';
  return [...randomBytes(6)].map((byte) => letters[byte % letters.length]).join('');
}

function byAge(runsDir: string): string[] {
  const runs = readdirSync(runsDir).flatMap((name) => {
    const log = join(runsDir, name, 'log.jsonl');
    return existsSync(log) ? [{ name, born: bornAt(log) }] : [];
  });
  return runs.sort((a, b) => b.born - a.born).map((one) => one.name);
}

/** The first event's own date; file dates change when a state directory is copied. */
function bornAt(log: string): number {
  const at = /"at":"([^"]+)"/.exec(readHead(log, 200))?.[1];
  return at ? Date.parse(at) : statSync(log).birthtimeMs;
}

/** The run that this one goes on from. */
function parentOf(log: string): string | null {
  if (!existsSync(log)) return null;
  const [first = ''] = readHead(log, 2_000_000).split('\n', 1);
  return /"parent":\{"runId":"([^"]+)"/.exec(first)?.[1] ?? null;
}

function readHead(path: string, bytes: number): string {
  const fd = openSync(path, 'r');
  try {
    const head = Buffer.alloc(bytes);
    return head.toString('utf8', 0, readSync(fd, head));
  } finally {
    closeSync(fd);
  }
}

function readLetters(inbox: string): Letter[] {
  if (!existsSync(inbox)) return [];
  const names = readdirSync(inbox).filter((name) => name.endsWith('.json'));
  return names.sort().flatMap((name) => {
    const path = join(inbox, name);
    const done = () => rmSync(path, { force: true });
    const parsed = parseRequest(readFileSync(path, 'utf8'));
    if (parsed.length === 0) done();
    return parsed.map((request) => ({ name, request, done }));
  });
}

function writeAtomically(path: string, text: string): void {
  const part = `${path}.${randomBytes(4).toString('hex')}.part`;
  writeFileSync(part, text, { mode: 0o600 });
  renameSync(part, path);
}

function guarded<T>(path: string, act: () => T): T {
  try {
    return act();
  } catch (error) {
    throw error instanceof FaultError ? error : new FaultError(storeFault(error, path));
  }
}
