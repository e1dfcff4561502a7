import { type ChildProcessByStdio, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import { FaultError, fault } from '@agentgate/core';
import { safeEnv, spawnFault } from './git.ts';

export interface StoredObject {
  kind: string;
  body: Buffer;
}

export interface Reader {
  /** The object with this id, or null when the store does not have it. */
  read(oid: string): Promise<StoredObject | null>;
  close(): void;
}

/** Reads objects through one `git cat-file` that lives as long as the handle; it is started by the first read. */
export function openReader(gitDir: string): Reader {
  let child: CatFile | null = null;
  let waiting: Waiting[] = [];
  let chunks: Buffer[] = [];
  let wanted = 1;

  function start(): CatFile {
    const started = spawn('git', ['cat-file', '--batch'], {
      cwd: gitDir,
      env: safeEnv(gitDir),
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    started.stdout.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      wanted -= chunk.length;
      if (wanted <= 0) answer(Buffer.concat(chunks));
    });
    started.on('error', (error) => fail(spawnFault(gitDir, error)));
    started.on('close', (code) =>
      fail(new FaultError(fault('git.failed', `git cat-file ended with ${code}`))),
    );
    started.stdin.on('error', () => {}); // The close event follows and fails whoever waits.
    return started;
  }

  function answer(bytes: Buffer): void {
    let rest = bytes;
    let parsed = parseAnswer(rest);
    for (; parsed.kind === 'whole'; parsed = parseAnswer(rest)) {
      rest = rest.subarray(parsed.length);
      waiting.shift()?.resolve(parsed.object);
    }
    chunks = [rest];
    wanted = parsed.missing;
  }

  function fail(error: Error): void {
    child = null;
    chunks = [];
    wanted = 1;
    const failed = waiting;
    waiting = [];
    for (const { reject } of failed) reject(error);
  }

  return {
    read: (oid) =>
      new Promise((resolve, reject) => {
        child ??= start();
        waiting.push({ resolve, reject });
        child.stdin.write(`${oid}\n`);
      }),
    close: () => void child?.stdin.end(),
  };
}

type CatFile = ChildProcessByStdio<Writable, Readable, null>;

interface Waiting {
  resolve(object: StoredObject | null): void;
  reject(error: Error): void;
}

type Parsed =
  | { kind: 'whole'; object: StoredObject | null; length: number }
  | { kind: 'part'; missing: number };

function parseAnswer(bytes: Buffer): Parsed {
  const end = bytes.indexOf(10);
  if (end < 0) return { kind: 'part', missing: 1 };
  const [, kind, size] = bytes.toString('latin1', 0, end).split(' ');
  if (kind === undefined || size === undefined) return { kind: 'whole', object: null, length: end + 1 };
  const length = end + 1 + Number(size) + 1;
  if (bytes.length < length) return { kind: 'part', missing: length - bytes.length };
  return { kind: 'whole', object: { kind, body: bytes.subarray(end + 1, length - 1) }, length };
}
