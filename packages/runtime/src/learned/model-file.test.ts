import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { blankModel, modelVersion, parseSpec, type StrategySpec } from '@agentgate/core';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Aim, keepModel, learnedAtStart, learnedDir, readModel, unfinishedPath } from './model-file.ts';

let dir: string;
let home: { runs: string };
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'agentgate-learned-'));
  home = { runs: join(dir, 'runs') };
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const strategyOf = (strategy: unknown): StrategySpec => {
  const parsed = parseSpec({ task: 'x', agent: ['true'], gates: { a: 'true' }, strategy });
  if (parsed.kind === 'invalid') throw new Error(JSON.stringify(parsed.problems));
  return parsed.spec.strategy;
};
const adaptive = (more: Record<string, unknown> = {}) =>
  strategyOf({ kind: 'adaptive', ...more }) as StrategySpec & Aim & { kind: 'adaptive' };

describe('what was learned', () => {
  it('is known to the next run, with its version', () => {
    const model = blankModel(0.99, 0);
    expect(keepModel(home, adaptive(), model)).toBe(modelVersion(model));
    expect(readModel(home, adaptive())).toEqual({ model });
    expect(learnedAtStart(home, adaptive(), 'r1')).toEqual({
      version: modelVersion(model),
      model,
      explores: false,
    });
  });
  it('is nothing to strategies that do not ask, and nothing at first', () => {
    expect(learnedAtStart(home, strategyOf('hybrid'), 'r1')).toBeUndefined();
    expect(learnedAtStart(home, adaptive(), 'r1')).toMatchObject({
      model: null,
      why: expect.stringMatching(/nothing was learned/),
    });
  });
  it('is nothing where learning took too long, and says so', () => {
    mkdirSync(learnedDir(home), { recursive: true });
    writeFileSync(unfinishedPath(home), '');
    expect(learnedAtStart(home, adaptive(), 'r1')).toMatchObject({
      model: null,
      why: expect.stringMatching(/took too long; agentgate lab fit/),
    });
    keepModel(home, adaptive(), blankModel(0.99));
    expect(readModel(home, adaptive()).model).not.toBeNull();
  });
  it('is kept apart by what it was fitted for', () => {
    keepModel(home, adaptive(), blankModel(0.99));
    expect(readModel(home, adaptive({ target: 0.97 })).model).toBeNull();
    expect(readModel(home, adaptive({ mode: 'value', value: '5usd' })).model).toBeNull();
    keepModel(home, adaptive({ target: 0.97 }), blankModel(0.97));
    expect(readModel(home, adaptive()).model?.target).toBe(0.99);
  });
  it.each(['', '{', '{"v":9}', 'null'])('holds no run up where it cannot be read: %j', (text) => {
    keepModel(home, adaptive(), blankModel(0.99));
    const [name] = readdirSync(learnedDir(home));
    writeFileSync(join(learnedDir(home), name!), text);
    expect(learnedAtStart(home, adaptive(), 'r1')).toMatchObject({
      model: null,
      explores: false,
      why: expect.stringMatching(/agentgate lab fit/),
    });
  });
});
