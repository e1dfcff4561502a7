import { closeSync, readFileSync, writeSync } from 'node:fs';
import { afterEach, expect, test, vi } from 'vitest';
import { closePipe, openPipe } from './pipe.ts';

afterEach(() => {
  vi.unstubAllEnvs();
  vi.resetModules();
});

test('a pipe carries bytes from one end to the other, and ends', async () => {
  const pipe = await openPipe();
  if (pipe === null) throw new Error('no pipe');
  writeSync(pipe.writeFd, 'through');
  closeSync(pipe.writeFd);
  expect(readFileSync(pipe.readFd, 'utf8')).toBe('through');
  closeSync(pipe.readFd);
});

test('no two callers get the same pipe', async () => {
  const pipes = (await Promise.all(Array.from({ length: 20 }, openPipe))).filter((pipe) => pipe !== null);
  expect(new Set(pipes.flatMap(({ readFd, writeFd }) => [readFd, writeFd])).size).toBe(40);
  pipes.forEach(closePipe);
});

test.each([true, false])(
  'programs run without pipes where none can be made (separate: %s)',
  async (separate) => {
    vi.resetModules();
    vi.stubEnv('PATH', '/no/such/folder');
    const fresh = await import('./supervise.ts');
    const result = await fresh.supervise({
      argv: ['/bin/sh', '-c', 'read line; echo "$line"; echo err >&2'],
      cwd: '/',
      env: {},
      marker: `pipe-${process.pid}`,
      stdin: 'out\n',
      separate,
    });
    expect(result.end).toEqual({ kind: 'exited', code: 0 });
    expect(result.output.split('\n').sort()).toEqual(['', 'err', 'out']);
    expect(result.stdout).toBe(separate ? 'out\n' : '');
  },
);
