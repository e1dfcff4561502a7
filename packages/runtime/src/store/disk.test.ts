import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { systemDisk as disk } from './disk.ts';

let dir: string;
const at = (...names: string[]) => join(dir, ...names);
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'agentgate-disk-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

describe('the disk of this machine', () => {
  it('makes folders down to the last, for nobody else to read', () => {
    disk.makeDir(at('a', 'b'));
    disk.makeDir(at('a', 'b'));
    expect(statSync(at('a', 'b')).mode & 0o777).toBe(0o700);
    expect([disk.exists(at('a')), disk.exists(at('c'))]).toEqual([true, false]);
  });

  it('puts a whole file in its place, over one that is there, and leaves no part of it behind', () => {
    disk.put(at('f'), 'first and longer');
    disk.put(at('f'), Buffer.from('second'));
    expect(readFileSync(at('f'), 'utf8')).toBe('second');
    expect(statSync(at('f')).mode & 0o777).toBe(0o600);
    expect(readdirSync(dir)).toEqual(['f']);
  });

  it('leaves what was there, and nothing else, where a file cannot be put', () => {
    disk.makeDir(at('f', 'x'));
    expect(() => disk.put(at('f'), 'text')).toThrow();
    expect(readdirSync(dir)).toEqual(['f']);
    expect(() => disk.put(at('gone', 'f'), 'text')).toThrow(/ENOENT/);
  });

  it.each([true, false])('notes in place, so that a reader never finds nothing (durable: %s)', (durable) => {
    disk.note(at('n'), 'aaaa', durable);
    const { ino } = statSync(at('n'));
    disk.note(at('n'), 'bb', durable);
    expect(readFileSync(at('n'), 'utf8')).toBe('bbaa');
    expect(statSync(at('n')).ino).toBe(ino);
  });

  it('reads a file, or its beginning', () => {
    writeFileSync(at('f'), 'abcdef');
    expect([disk.read(at('f')), disk.read(at('f'), 3), disk.read(at('f'), 99)].map(String)).toEqual([
      'abcdef',
      'abc',
      'abcdef',
    ]);
    expect(Math.abs(disk.writtenMs(at('f')) - Date.now())).toBeLessThan(60_000);
  });

  it('appends to the end, whatever somebody else has written meanwhile, and cuts', () => {
    const file = disk.open(at('log'));
    file.append(Buffer.from('one'));
    writeFileSync(at('log'), 'other', { flag: 'a' });
    file.append(Buffer.from('two'));
    file.sync();
    expect([file.size(), readFileSync(at('log'), 'utf8')]).toEqual([11, 'oneothertwo']);
    file.cut(3);
    file.close();
    expect(readFileSync(at('log'), 'utf8')).toBe('one');
  });

  it('removes what is there, and does not mind what is not', () => {
    writeFileSync(at('f'), '');
    disk.remove(at('f'));
    disk.remove(at('f'));
    expect(existsSync(at('f'))).toBe(false);
    expect(disk.list(dir)).toEqual([]);
  });
});
