import { describe, expect, it } from 'vitest';
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseSpec } from '@agentgate/core';
import { listMarked } from '../process/index.ts';
import { gateFrom, idsOf, judgeGate, runOf } from './testing.ts';

async function judgeBy(text: string, options: Record<string, unknown> = {}, over = {}) {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'custom-')));
  writeFileSync(join(root, 'gate.mjs'), text);
  try {
    return await judgeGate(gateFrom({ kind: 'custom', module: 'gate.mjs', ...options }, 'style'), root, over);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

const answering = (answer: string) => `export default () => (${answer});`;

describe('a gate of the project’s own', () => {
  it('passes when its module says so, and tells its note', async () => {
    const { verdict } = await judgeBy(answering('{ passed: true, note: "clean" }'));
    expect(verdict).toEqual({ kind: 'passed', note: 'clean' });
  });

  it('fails with what its module found', async () => {
    const { verdict, output } = await judgeBy(
      `export default async () => {
         console.log('looking');
         return { passed: false, findings: [{ id: 'a', title: 'A', file: 'x.ts', line: 3, message: 'm' }, { title: 'took 12 ms' }] };
       };`,
    );
    expect(verdict).toMatchObject({
      kind: 'failed',
      findings: [{ id: 'a', title: 'A', file: 'x.ts', line: 3, message: 'm' }, { title: 'took 12 ms' }],
      excerpt: expect.stringContaining('A (x.ts:3)'),
    });
    expect(output).toBe('looking\n');
  });

  it('knows a finding without an id again by its title', async () => {
    const id = async (ms: number) =>
      idsOf(
        (await judgeBy(answering(`{ passed: false, findings: [{ title: 'slow (${ms} ms)' }] }`))).verdict,
      );
    expect(await id(12)).toEqual(await id(99));
  });

  it('stands for a failure that names nothing', async () => {
    const { verdict } = await judgeBy(answering('{ passed: false, note: "not nice" }'));
    expect(verdict).toMatchObject({
      kind: 'failed',
      findings: [{ id: 'custom:failed', title: 'not nice', synthetic: true }],
    });
  });

  it('never passes while it names what failed', async () => {
    const { verdict } = await judgeBy(answering('{ passed: true, findings: [{ title: "A" }] }'));
    expect(verdict).toMatchObject({ kind: 'failed', note: 'it said passed although it names what failed' });
  });

  it.each([
    { answer: '{ pending: true }', retryAfterMs: 30_000 },
    { answer: '{ pending: 500, note: "building" }', retryAfterMs: 500 },
    { answer: '{ passed: true, pending: 0 }', retryAfterMs: 0 },
  ])('is pending when its module says $answer', async ({ answer, retryAfterMs }) => {
    expect((await judgeBy(answering(answer))).verdict).toMatchObject({ kind: 'pending', retryAfterMs });
  });

  it.each([
    { answer: 'undefined', says: 'it answered nothing' },
    { answer: 'Promise.resolve()', says: 'it answered nothing' },
    { answer: '"passed"', says: 'it answered "passed"' },
    { answer: 'true', says: 'it answered true' },
    { answer: '1', says: 'it answered 1' },
    { answer: '{}', says: 'its answer has no passed' },
    { answer: '{ passed: "yes" }', says: 'passed: ' },
    { answer: '{ passed: 1 }', says: 'passed: ' },
    { answer: '{ ok: true, status: "converged", kind: "passed" }', says: 'its answer has no passed' },
    { answer: '{ passed: true, findings: "none" }', says: 'findings: ' },
    { answer: '{ passed: true, findings: [{}] }', says: 'findings.0.title: ' },
    { answer: '[]', says: 'answer: ' },
  ])('never passes by accident: $answer', async ({ answer, says }) => {
    const { verdict } = await judgeBy(answering(answer));
    expect(verdict).toMatchObject({
      kind: 'unable',
      fault: { code: 'module.garbage', message: expect.stringContaining(says) },
    });
  });

  it.each([
    {
      text: 'export default () => { throw new Error("broken"); };',
      says: 'module.threw: gate style (gate.mjs) threw: broken (at gate.mjs:1',
    },
    {
      text: 'process.exit(0);',
      says: 'module.exited: gate style (gate.mjs) ended its process with code 0 when it was asked',
    },
    {
      text: 'export const check = 1;',
      says: 'module.export: gate style (gate.mjs): it exports no default; it exports: check; name what it exports in gates.style.export',
    },
    {
      text: 'export default { judge() {} };',
      says: 'module.interface: gate style (gate.mjs): default is a value of type object',
    },
  ])('could not judge when its module fails: $says', async ({ text, says }) => {
    const { verdict } = await judgeBy(text);
    expect(verdict.kind === 'unable' && `${verdict.fault.code}: ${verdict.fault.message}`).toContain(says);
  });

  it('could not judge without its module, and looks for none outside of the project', async () => {
    expect((await judgeBy('', { module: 'none.mjs' })).verdict).toMatchObject({
      fault: { code: 'module.missing' },
    });
    expect((await judgeBy('', { module: '/etc/hosts' })).verdict).toMatchObject({
      fault: { code: 'module.outside' },
    });
  });

  it('gives its module what there is to know', async () => {
    const { verdict } = await judgeBy(
      'export const mine = (request) => ({ passed: true, note: JSON.stringify(request) });',
      { export: 'mine', config: { max: 3 } },
      { run: runOf({ iteration: 4, tree: 'abc' }), timeoutMs: 20_000 },
    );
    expect(JSON.parse((verdict as { note: string }).note)).toEqual({
      gate: 'style',
      root: expect.any(String),
      config: { max: 3 },
      iteration: 4,
      tree: 'abc',
      timeoutMs: 20_000,
    });
  });

  it('runs out of time as any gate does, and leaves nobody behind', async () => {
    const marker = `custom-gate-${process.pid}`;
    const { verdict, tookMs } = await judgeBy(
      'console.log("on it"); export default () => { for (;;); };',
      {},
      { timeoutMs: 500, marker },
    );
    expect(verdict).toEqual({ kind: 'timed-out', afterMs: 500, excerpt: 'on it' });
    expect(tookMs).toBeLessThan(3_000);
    expect(await listMarked(marker)).toEqual([]);
  });

  it('is skipped when the run is stopped meanwhile', async () => {
    const stop = new AbortController();
    const judged = judgeBy(
      'console.log("x"); export default () => new Promise(() => {});',
      {},
      {
        signal: stop.signal,
        onOutput: () => stop.abort(),
      },
    );
    expect((await judged).verdict).toEqual({ kind: 'skipped', why: 'the run was stopped' });
  });

  it('is told by its module alone, and with a command instead it is a command gate', () => {
    expect(gateFrom({ module: 'x.mjs' })).toMatchObject({ kind: 'custom', export: 'default', memoryMb: 256 });
    const parsed = parseSpec({
      task: 't',
      agent: ['a'],
      gates: { g: { kind: 'custom', command: 'npm test' } },
    });
    expect(parsed).toMatchObject({ spec: { gates: [{ kind: 'command', name: 'g', run: 'npm test' }] } });
  });
});
