import { type Event, type EventBody, eventVersion, FaultError, fault } from '@agentgate/core';
import { type Disk, type OpenFile, systemDisk } from './disk.ts';
import { type LogContents, type Numbered, readLog, sealLine } from './log-read.ts';

/** The one writer of a run's log. */
export interface LogWriter<E extends Numbered = Event, B = EventBody> {
  /** Durable when it returns. */
  append(afterSeq: number, bodies: readonly B[], at: Date): E[];
  close(): void;
}

/** Opens a log for appending, after dropping a torn tail. `check` may refuse it before anything is changed. */
export function openLogWriter<E extends Numbered = Event, B extends object = EventBody>(
  path: string,
  disk: Disk = systemDisk,
  check: (events: readonly E[]) => void = () => undefined,
): LogWriter<E, B> {
  const file = disk.open(path);
  try {
    const contents = readLog<E>(path, disk);
    check(contents.events);
    if (contents.torn) file.cut(contents.bytes);
    // What a killed process wrote may not be on the disk yet; nobody may act upon it before it is.
    file.sync();
    return makeWriter<E, B>(file, path, disk, contents);
  } catch (error) {
    file.close();
    throw error;
  }
}

function makeWriter<E extends Numbered, B extends object>(
  file: OpenFile,
  path: string,
  disk: Disk,
  contents: LogContents<E>,
): LogWriter<E, B> {
  let seq = contents.events.at(-1)?.seq ?? 0;
  let { hash, bytes } = contents;
  let broken = false;
  let isEnded = contents.events.at(-1)?.kind === 'run.ended';
  const refuse = (code: string, why: string) =>
    new FaultError(fault(code, `cannot append to ${path}: ${why}`));
  // After any fault but a full disk nobody knows what of the file is on the disk, so this handle is not used again.
  const failed = (error: unknown, isWhole: boolean) => {
    const found = error instanceof FaultError ? error : new FaultError(storeFault(error, path));
    broken = !isWhole || found.fault.code !== 'state.full';
    return found;
  };
  return {
    append(afterSeq, bodies, at) {
      if (broken) throw refuse('state.unwritable', 'an earlier append failed half-way; run agentgate resume');
      if (afterSeq !== seq)
        throw refuse('log.moved', `event ${afterSeq} is not its last, it is at event ${seq}`);
      if (isEnded) throw refuse('log.ended', 'nothing follows the end of a run');
      const events: E[] = [];
      let text = '';
      let chain = hash;
      for (const body of bodies) {
        const numbered = { v: eventVersion, seq: seq + events.length + 1, at: at.toISOString() };
        const event = { ...numbered, ...body } as unknown as E;
        const sealed = sealLine(event, chain);
        chain = sealed.hash;
        text += sealed.line;
        events.push(event);
      }
      const data = Buffer.from(text);
      try {
        trimTorn(file, path, disk, bytes);
      } catch (error) {
        throw failed(error, true);
      }
      try {
        file.append(data);
        file.sync();
      } catch (error) {
        // What was not acknowledged must not stay: a later append would stand behind half an event.
        const cut = cutBack(file, bytes);
        throw failed(error, cut);
      }
      bytes += data.length;
      seq += events.length;
      hash = chain;
      isEnded = events.at(-1)?.kind === 'run.ended';
      return events;
    },
    close: () => file.close(),
  };
}

/**
 * The log has one writer: half a line behind our last event is what a write that failed left, and is cut off. Whole
 * ones are somebody else's events, which are not ours to take away, and nothing before them may be missing. What is
 * written to a file that nobody finds any more would be lost.
 */
function trimTorn(file: OpenFile, path: string, disk: Disk, bytes: number): void {
  const refuse = (what: string, next = 'agentgate verify tells what is left of it') =>
    new FaultError(
      fault(
        'state.unwritable',
        `somebody ${what} the log ${path} while the run was on; the run cannot go on. ${next}`,
      ),
    );
  if (!file.isThere()) throw refuse('removed or replaced');
  const size = file.size();
  if (size < bytes) throw refuse('shortened');
  if (size > bytes && disk.read(path).includes(10, bytes))
    throw refuse(
      'else appended to',
      'Nothing was cut off: end the other writer; agentgate verify tells what the log holds, and agentgate resume goes on behind it',
    );
  if (size > bytes) file.cut(bytes);
}

function cutBack(file: OpenFile, bytes: number): boolean {
  try {
    file.cut(bytes);
    return true;
  } catch {
    // The disk refuses even that; the torn tail is dropped by the next reader.
    return false;
  }
}

/** Tells a full disk from other faults of the store. */
export function storeFault(error: unknown, path: string) {
  const { code, syscall, path: folder } = error as NodeJS.ErrnoException;
  if (code === 'ENOSPC' || code === 'EDQUOT') {
    return fault(
      'state.full',
      `no space left to write ${path}; free some, then try again; agentgate resume goes on with a run that was begun`,
      error,
    );
  }
  if (syscall === 'mkdir')
    return fault(
      'state.unwritable',
      `cannot make the folder ${folder} (${code}); check the permissions of the one around it, or name another directory for the state in AGENTGATE_STATE_DIR`,
      error,
    );
  return fault(
    'state.unwritable',
    `cannot write ${path} (${code ?? 'unknown'}); check the directory's permissions`,
    error,
  );
}

/** What the system refused comes out as a fault. */
export function guarded<T>(path: string, act: () => T): T {
  try {
    return act();
  } catch (error) {
    throw error instanceof FaultError ? error : new FaultError(storeFault(error, path));
  }
}

/** The same for work that takes a while. */
export async function guardedState<T>(path: string, act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    throw error instanceof FaultError ? error : new FaultError(storeFault(error, path));
  }
}
