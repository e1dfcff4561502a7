import { createHash } from 'node:crypto';
import { renameSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { makeFolder } from '../make-folder.ts';
import { runGit, safeEnv } from './git.ts';

export interface Objects {
  /** Takes an object over and gives its id. It is in the store after the next `flush`. */
  put(kind: ObjectKind, body: Buffer): string;
  /** Whether so much is waiting that it should be flushed before more is put. */
  isHeavy(): boolean;
  flush(): Promise<void>;
}

export type ObjectKind = 'blob' | 'tree';

/** Writes git objects: a few as loose files, many as one pack. */
export function makeObjects(gitDir: string): Objects {
  let waiting = new Map<string, { kind: ObjectKind; body: Buffer }>();
  let bytes = 0;
  return {
    put(kind, body) {
      const oid = objectId(kind, body);
      if (!waiting.has(oid) && !isKept(loosePath(gitDir, oid))) {
        waiting.set(oid, { kind, body });
        bytes += body.length;
      }
      return oid;
    },
    isHeavy: () => bytes > HEAVY_BYTES,
    async flush() {
      const batch = waiting;
      waiting = new Map();
      bytes = 0;
      if (batch.size > LOOSE_AT_MOST) await writePack(gitDir, [...batch.values()]);
      else for (const [oid, { kind, body }] of batch) writeLoose(gitDir, oid, kind, body);
    },
  };
}

const HEAVY_BYTES = 32 * 1024 * 1024;
const LOOSE_AT_MOST = 300;
const PACK_KIND = { tree: 2, blob: 3 };
// Most objects are small, and setting up a large window would cost more than it saves.
const ZLIB = { level: 1, windowBits: 12, memLevel: 4 };
const MOST_CHUNK = 64 * 1024;

function objectId(kind: ObjectKind, body: Buffer): string {
  return createHash('sha1').update(`${kind} ${body.length}\0`).update(body).digest('hex');
}

/** A power cut may leave the name of an object and nothing in it. */
const isKept = (path: string): boolean => (statSync(path, { throwIfNoEntry: false })?.size ?? 0) > 0;

function loosePath(gitDir: string, oid: string): string {
  return `${gitDir}/objects/${oid.slice(0, 2)}/${oid.slice(2)}`;
}

function writeLoose(gitDir: string, oid: string, kind: ObjectKind, body: Buffer): void {
  const beside = join(gitDir, 'objects/object.new');
  writeFileSync(beside, deflate(Buffer.concat([Buffer.from(`${kind} ${body.length}\0`), body])));
  makeFolder(`${gitDir}/objects/${oid.slice(0, 2)}`);
  renameSync(beside, loosePath(gitDir, oid));
}

async function writePack(gitDir: string, objects: { kind: ObjectKind; body: Buffer }[]): Promise<void> {
  const head = Buffer.from('PACK\0\0\0\x02\0\0\0\0', 'latin1');
  head.writeUInt32BE(objects.length, 8);
  const parts: Buffer[] = [head];
  for (const { kind, body } of objects) parts.push(packHead(PACK_KIND[kind], body.length), deflate(body));
  const sum = createHash('sha1');
  for (const part of parts) sum.update(part);
  const input = Buffer.concat([...parts, sum.digest()]);
  await runGit({ args: ['index-pack', '--stdin'], cwd: gitDir, env: safeEnv(gitDir), input });
}

function deflate(body: Buffer): Buffer {
  return deflateSync(body, { ...ZLIB, chunkSize: Math.min(body.length + 256, MOST_CHUNK) });
}

function packHead(kind: number, size: number): Buffer {
  const bytes = [(kind << 4) | (size & 15)];
  for (let rest = Math.floor(size / 16); rest > 0; rest = Math.floor(rest / 128)) {
    bytes[bytes.length - 1]! |= 0x80;
    bytes.push(rest & 0x7f);
  }
  return Buffer.from(bytes);
}
