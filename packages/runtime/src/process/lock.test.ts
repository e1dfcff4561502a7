import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type LockResult, takeLock } from './lock.ts';

let folder: string;
let path: string;
let names = 0;
const others: ChildProcess[] = [];

const me = { pid: process.pid, runId: 'run-me', since: '2026-01-01T00:00:00.000Z' };

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'lock-'));
  const bundle = await rolldown({
    input: join(import.meta.dirname, 'lock.ts'),
    platform: 'node',
    resolve: { conditionNames: ['@agentgate/source', 'import', 'node'] },
  });
  await bundle.write({ file: join(folder, 'lock.mjs') });
  await bundle.close();
  writeFileSync(join(folder, 'holder.mjs'), HOLDER);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));
beforeEach(() => {
  path = join(folder, `lock-${names++}`);
});
afterEach(() => {
  for (const other of others.splice(0)) other.kill('SIGKILL');
});

// Another owner: takes the lock, tells the result, and stays.
const HOLDER = `
  import { takeLock } from './lock.mjs';
  const result = await takeLock(process.argv[2], { pid: process.pid, runId: 'run-other', since: 'then' });
  console.log(JSON.stringify(result));
  setInterval(() => {}, 1_000_000);
`;

async function startOther(PATH = process.env['PATH']): Promise<{ other: ChildProcess; answer: LockResult }> {
  const other = spawn(process.execPath, [join(folder, 'holder.mjs'), path], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { PATH },
  });
  others.push(other);
  const [line] = await once(other.stdout, 'data');
  return { other, answer: JSON.parse(String(line)) };
}

async function takeMine(): Promise<LockResult & { kind: 'held' }> {
  const result = await takeLock(path, me);
  if (result.kind !== 'held') throw new Error(`busy: ${JSON.stringify(result)}`);
  return result;
}

async function kill(other: ChildProcess): Promise<void> {
  const gone = once(other, 'exit');
  other.kill('SIGKILL');
  await gone;
}

describe('the lock of a workspace', () => {
  test('is busy for the second, naming the holder within a second', async () => {
    const mine = await takeMine();
    const startMs = performance.now();
    expect(await takeLock(path, { ...me, runId: 'run-second' })).toEqual({ kind: 'busy', holder: me });
    expect(performance.now() - startMs).toBeLessThan(1_000);
    mine.release();
  });

  test('is free after release, which may be said twice', async () => {
    const mine = await takeMine();
    mine.release();
    const again = await takeMine();
    mine.release();
    expect((await takeLock(path, me)).kind).toBe('busy');
    again.release();
    expect(readFileSync(path, 'utf8')).toBe('');
  });

  test('goes to exactly one of many', async () => {
    const results = await Promise.all(Array.from({ length: 10 }, () => takeLock(path, me)));
    expect(results.filter(({ kind }) => kind === 'held')).toHaveLength(1);
    for (const result of results) if (result.kind === 'held') result.release();
  });

  test('belongs to the new file when the old one was removed', async () => {
    const old = await takeMine();
    rmSync(path);
    const mine = await takeMine();
    expect((await takeLock(path, me)).kind).toBe('busy');
    old.release();
    expect((await takeLock(path, me)).kind).toBe('busy');
    mine.release();
  });

  test('raises a fault when there is no place for it', async () => {
    await expect(takeLock(join(folder, 'no', 'lock'), me)).rejects.toMatchObject({
      fault: { code: 'lock.unable' },
    });
  });

  test('stays with a child that inherited it', async () => {
    const mine = await takeMine();
    const child = spawn('/bin/sh', ['-c', 'echo ready; exec sleep 300'], {
      stdio: ['ignore', 'pipe', 'ignore', mine.fd],
    });
    others.push(child);
    if (child.stdout === null) throw new Error('no output');
    await once(child.stdout, 'data');
    mine.release();
    const startMs = performance.now();
    expect(await takeLock(path, me)).toEqual({ kind: 'busy', holder: null });
    expect(performance.now() - startMs).toBeLessThan(1_000);
    await kill(child);
    (await takeMine()).release();
  });

  test('does not confuse with what a crashed holder left', async () => {
    writeFileSync(
      path,
      JSON.stringify({ pid: 2 ** 30, runId: 'run-crashed-with-a-long-name', since: 'then' }),
    );
    const mine = await takeMine();
    expect(await takeLock(path, me)).toEqual({ kind: 'busy', holder: me });
    mine.release();
  });
});

const lockers = ['flock', 'perl'];
describe.each([
  { by: 'flock', programs: lockers },
  { by: 'perl', programs: ['perl'] },
  { by: 'a file with the number of its owner', programs: [] },
])('a lock held by another process by $by', ({ programs }) => {
  let PATH: string;

  beforeEach(() => {
    PATH = join(folder, `bin-${names++}`);
    mkdirSync(PATH);
    for (const program of programs) symlinkSync(join('/usr/bin', program), join(PATH, program));
  });

  test('names it, and is free when it is killed', async () => {
    const first = await startOther(PATH);
    expect(first.answer.kind).toBe('held');
    const second = await startOther(PATH);
    expect(second.answer).toMatchObject({
      kind: 'busy',
      holder: { pid: first.other.pid, runId: 'run-other' },
    });
    await kill(first.other);
    expect((await startOther(PATH)).answer.kind).toBe('held');
  });
});
