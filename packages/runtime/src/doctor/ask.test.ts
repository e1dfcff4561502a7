import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ask } from './ask.ts';
import { makeMachine } from './testing.ts';

const machine = makeMachine();

describe('asking a program', () => {
  it('gives its answer', async () => {
    machine.program('p', 'echo 1.2.3; exit 3');
    expect(await ask(['p'], machine.root, machine.env)).toEqual({
      kind: 'answered',
      code: 3,
      output: '1.2.3\n',
    });
  });
  it('ends one that does not answer, to its last child', async () => {
    machine.program(
      'p',
      `(trap '' TERM; echo $$ > ${machine.home}/parent; sleep 600) & echo $! > ${machine.home}/child; sleep 600`,
    );
    expect(await ask(['p'], machine.root, machine.env, 700)).toMatchObject({
      kind: 'silent',
      why: 'no answer within 0.7 s',
    });
    const child = Number(readFileSync(join(machine.home, 'child'), 'utf8'));
    expect(isAlive(child)).toBe(false);
  });
  it('does not give it our own marks', async () => {
    machine.program('p', 'env');
    const answer = await ask(['p'], machine.root, { ...machine.env, AGENTGATE_RUN_ID: 'outer' });
    expect(JSON.stringify(answer)).not.toContain('outer');
  });
  it('says why one cannot be started', async () => {
    expect(await ask(['no-such-program'], machine.root, machine.env)).toMatchObject({
      kind: 'silent',
      why: expect.stringContaining('not in PATH'),
    });
  });
});

/** A process that has ended may stay in the table until its parent looks. */
function isAlive(pid: number): boolean {
  const path = `/proc/${pid}/stat`;
  return existsSync(path) && !/\) Z /.test(readFileSync(path, 'utf8'));
}
