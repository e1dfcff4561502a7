import { createHash } from 'node:crypto';
import { FaultError, fault } from '@agentgate/core';
import { replaceFile } from './git-dir.ts';
import { readIfThere } from './read.ts';
import type { Stamp } from './stamp.ts';
import type { File } from './tree.ts';

/** A fact worth remembering: the file with this stamp has this content. */
export interface Fact {
  file: File;
  stamp: Stamp;
}

/**
 * Writes facts into a git index, where `git diff-files` checks them faster than we could. Null takes a path
 * out. Only settled facts may go in: git compares whole seconds.
 */
export function foldIndex(path: string, facts: ReadonlyMap<string, Fact | null>): void {
  const news = [...facts].flatMap(([name, fact]) => (fact === null ? [] : [{ name, fact }]));
  news.sort((a, b) => (a.name < b.name ? -1 : 1));
  const rows: Buffer[] = [];
  let next = 0;
  for (const old of readRows(path)) {
    if (facts.has(old.name)) continue;
    for (let at = news[next]; at !== undefined && at.name < old.name; at = news[++next])
      rows.push(makeRow(at));
    rows.push(old.row);
  }
  for (const rest of news.slice(next)) rows.push(makeRow(rest));
  const head = Buffer.from('DIRC\0\0\0\x02\0\0\0\0', 'latin1');
  head.writeUInt32BE(rows.length, 8);
  const body = Buffer.concat([head, ...rows]);
  replaceFile(path, Buffer.concat([body, createHash('sha1').update(body).digest()]));
}

const ROW_HEAD = 62;

function* readRows(path: string): Generator<{ name: string; row: Buffer }> {
  const bytes = readOld(path);
  const count = bytes.length === 0 ? 0 : bytes.readUInt32BE(8);
  let start = 12;
  for (let at = 0; at < count; at++) {
    const end = bytes.indexOf(0, start + ROW_HEAD);
    const name = bytes.toString('latin1', start + ROW_HEAD, end);
    const next = start + rowLength(name);
    yield { name, row: bytes.subarray(start, next) };
    start = next;
  }
}

function readOld(path: string): Buffer {
  const bytes = readIfThere(path) ?? Buffer.alloc(0);
  if (bytes.length === 0 || bytes.toString('latin1', 0, 8) === 'DIRC\0\0\0\x02') return bytes;
  throw new FaultError(fault('state.damaged', `${path} is not an index of ours; remove it, then run resume`));
}

/** At least one zero byte ends the name, and rows start at multiples of eight. */
function rowLength(name: string): number {
  return (ROW_HEAD + name.length + 8) & ~7;
}

function makeRow({ name, fact: { file, stamp } }: { name: string; fact: Fact }): Buffer {
  const row = Buffer.alloc(rowLength(name));
  const { stat } = stamp;
  const numbers = [
    stat.ctimeNs / 1_000_000_000n,
    stat.ctimeNs % 1_000_000_000n,
    stat.mtimeNs / 1_000_000_000n,
    stat.mtimeNs % 1_000_000_000n,
    stat.dev,
    stat.ino,
    BigInt(Number.parseInt(file.mode, 8)),
    stat.uid,
    stat.gid,
    stat.size,
  ];
  numbers.forEach((number, at) => row.writeUInt32BE(Number(BigInt.asUintN(32, number)), at * 4));
  row.write(file.oid, 40, 'hex');
  row.writeUInt16BE(Math.min(name.length, 0xfff), 60);
  row.write(name, ROW_HEAD, 'latin1');
  return row;
}
