import { type FSWatcher } from 'node:fs';
import { type LogTail, tryWatch } from '@agentgate/runtime';
import type { Problem } from '../contract/index.ts';
import { frameOf } from './frame.ts';
import { liveBody, makeBell, type Next } from './reader.ts';

/** A log that is followed for any number of readers. It keeps no events: each reader is served from the log itself. */
export interface Feed {
  /** The events behind a position, and then each as it is recorded. */
  open(after: number, gone: AbortSignal): ReadableStream<Uint8Array>;
  readers(): number;
  close(): void;
}

export interface FeedSource {
  tail: LogTail;
  /** The folder of the log, to be woken by. */
  dir: string;
  /** How it stands, as the data of a frame; asked again and again. */
  standing(): Promise<string>;
  /** Called when the last reader has left. */
  idle(): void;
}

/** Events that come this shortly after each other go out together. */
const gatherMs = 40;
/** Where nothing wakes it, it looks by itself; and so often it asks how things stand. */
const pollMs = 1_000;
const frameBytes = 64_000;
const mostFrames = 16;

export function openFeed({ tail, dir, standing, idle }: FeedSource): Feed {
  const bell = makeBell();
  let readers = 0;
  let isClosed = false;
  /** Grows when the log was not what it was before. */
  let life = 0;
  let stands: string | null = null;
  let problem: Problem | null = null;
  let gathering: NodeJS.Timeout | null = null;
  const frames = makeFrames(tail);

  const look = (): void => {
    gathering = null;
    if (isClosed) return;
    const seen = tail.look();
    if (seen === 'grown' || seen === 'restarted') frames.forget();
    if (seen === 'restarted') life += 1;
    problem = seen === 'gone' ? removed : damagedAt(tail);
    if (seen !== 'same') bell.ring();
  };
  const gather = (): void => {
    gathering ??= setTimeout(look, gatherMs);
  };
  const ask = async (): Promise<void> => {
    const now = await standing();
    if (now === stands || isClosed) return;
    stands = now;
    bell.ring();
  };
  look();
  // A failure to tell how it stands is told by whoever asks for the run itself.
  const askQuietly = () => void ask().catch(() => undefined);
  askQuietly();
  const poll = setInterval(() => {
    gather();
    askQuietly();
  }, pollMs);
  let watcher: FSWatcher | null = tryWatch(dir, gather);

  return {
    readers: () => readers,
    open(after, gone) {
      readers += 1;
      const reader = { at: after, life, stands: null as string | null, told: false };
      let isOpen = true;
      const next = (): Next => {
        if (isClosed) return { kind: 'end' };
        if (reader.told) return { kind: 'end' };
        if (reader.life !== life || reader.at > tail.count()) {
          Object.assign(reader, { at: 0, life });
          return { kind: 'frame', bytes: frameOf('restart', '{}', '0') };
        }
        if (reader.stands !== stands && stands !== null) {
          reader.stands = stands;
          return { kind: 'frame', bytes: frameOf('standing', stands) };
        }
        if (reader.at < tail.count()) {
          const { bytes, last } = frames.behind(reader.at);
          if (last > reader.at) {
            reader.at = last;
            return { kind: 'frame', bytes };
          }
        }
        if (problem === null) return null;
        reader.told = true;
        return { kind: 'frame', bytes: frameOf('problem', JSON.stringify(problem)) };
      };
      const closed = () => {
        if (!isOpen) return;
        isOpen = false;
        readers -= 1;
        if (readers === 0) idle();
      };
      return liveBody(next, { bell, closed, gone });
    },
    close() {
      isClosed = true;
      clearInterval(poll);
      if (gathering) clearTimeout(gathering);
      watcher?.close();
      watcher = null;
      bell.ring();
    },
  };
}

/** Frames that many readers want at once are made once. */
function makeFrames(tail: LogTail) {
  const made = new Map<number, { bytes: Uint8Array; last: number }>();
  return {
    forget: () => made.clear(),
    behind(at: number): { bytes: Uint8Array; last: number } {
      const known = made.get(at);
      if (known) return known;
      const { texts, last } = tail.chunk(at, frameBytes);
      const frame = { bytes: frameOf('events', `[${texts.join(',')}]`, String(last)), last };
      if (made.size >= mostFrames) made.clear();
      made.set(at, frame);
      return frame;
    },
  };
}

const removed: Problem = { kind: 'refused', code: 'run.unknown', message: 'it was removed' };

function damagedAt(tail: LogTail): Problem | null {
  const why = tail.damage();
  if (why === null) return null;
  const message = `the log is damaged behind event ${tail.count()}: ${why}`;
  return { kind: 'refused', code: 'log.damaged', message };
}
