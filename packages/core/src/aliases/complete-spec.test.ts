import { describe, expect, it } from 'vitest';
import olderSpecs from '../golden/specs-0.1.0.json' with { type: 'json' };
import { parseSpec } from '../parse-spec.ts';
import type { RunSpec } from '../spec.ts';
import { completeSpec } from './complete-spec.ts';

const [mixed, ralph, fixed] = olderSpecs as unknown as [RunSpec, RunSpec, RunSpec];

describe('specs as version 0.1.0 stored them', () => {
  it('get every field that came later', () => {
    expect(completeSpec(mixed)).toMatchObject({
      agent: { kind: 'command', escalate: [] },
      deliver: { as: 'none', on: 'converged' },
      strategy: { kind: 'hybrid', criteria: ['verification-pass', 'no-changes'] },
      gates: [
        { name: 'tests', when: 'always', onSuccess: 'continue', feedback: 'auto' },
        { name: 'types', when: 'always', onSuccess: 'continue', feedback: 'auto' },
        { name: 'built', kind: 'artifact', when: 'always', onSuccess: 'continue', feedback: 'auto' },
      ],
    });
    expect(completeSpec(ralph)).toMatchObject({
      agent: { kind: 'scripted', escalate: [] },
      strategy: { kind: 'ralph', loopDetection: true },
    });
    expect(completeSpec(fixed).strategy).toEqual({ kind: 'fixed', iterations: 5 });
  });
  it('keep every field they had', () => {
    for (const { integrity: _, ...older } of [mixed, ralph, fixed])
      expect(completeSpec(older as RunSpec)).toMatchObject(older);
  });
  it('had no integrity, and get none', () => {
    for (const older of [mixed, ralph, fixed]) expect(completeSpec(older).integrity.mode).toBe('off');
  });
  it('had no ladder, and get none', () => {
    for (const older of [mixed, ralph, fixed])
      expect(completeSpec(older).stuck).toEqual({ moves: [], patience: 2 });
  });
});

describe('specs of today', () => {
  it.each([
    [{}],
    [{ strategy: { kind: 'custom', module: 'a.mjs' }, stuck: { moves: ['ask'], patience: 5 } }],
    [{ gates: { l: { contracts: true }, h: { url: 'http://localhost:1' }, c: { items: [{ file: 'a' }] } } }],
  ])('stay as they are: %j', (fields) => {
    const parsed = parseSpec({ task: 'x', agent: ['true'], gates: { t: 'x' }, ...fields });
    if (parsed.kind === 'invalid') throw new Error(JSON.stringify(parsed.problems));
    const stored = { ...parsed.spec, task: 'x' };
    expect(completeSpec(JSON.parse(JSON.stringify(stored)) as RunSpec)).toEqual(
      JSON.parse(JSON.stringify(stored)),
    );
  });
});
