import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { findHome } from '@agentgate/runtime';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeApp } from '../app.ts';
import type { Context } from '../context.ts';
import { wordsFor } from './words.ts';

let base: string;
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'agentgate-words-')));
  mkdirSync(join(base, 'work'));
});
afterEach(() => rmSync(base, { recursive: true, force: true }));
const write = (path: string, text: string) => {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
};
const words = async (...typed: string[]) => {
  const here = { cwd: base, env: { AGENTGATE_STATE_DIR: join(base, 'state') } };
  const found = await wordsFor(makeApp('0.0.0'), typed, here as unknown as Context);
  return found.map(({ word }) => word);
};

describe('the words that may come next', () => {
  it('are the commands', async () => {
    expect(await words('')).toEqual(expect.arrayContaining(['init', 'run', 'doctor', 'completion']));
    expect(await words('re')).toEqual(expect.arrayContaining(['resume', 'restore']));
    expect(await words('nope', '')).toEqual([]);
  });
  it('are the flags of a command, each with what it is for', async () => {
    expect(await words('run', '--max-')).toEqual([
      '--max-iterations',
      '--max-wall-clock',
      '--max-cost',
      '--max-tokens',
    ]);
    const here = { cwd: base, env: {} } as unknown as Context;
    for (const { brief } of await wordsFor(makeApp('0'), ['run', '--'], here)) expect(brief).not.toBe('');
  });
  it('are no flags that nobody should type', async () => {
    expect(await words('completion', '--')).not.toContain('--words');
  });
  it('are the runs of the workspace that -C names', async () => {
    const { runs } = findHome(join(base, 'work'), { AGENTGATE_STATE_DIR: join(base, 'state') });
    write(join(runs, 'old222', 'log.jsonl'), '{"at":"2026-01-01T00:00:00Z"}\n');
    write(join(runs, 'new333', 'log.jsonl'), '{"at":"2026-02-01T00:00:00Z"}\n');
    expect(await words('show', '-C', 'work', '')).toEqual(['new333', 'old222']);
    expect(await words('show', '-C', 'work', 'old')).toEqual(['old222']);
    expect(await words('show', '-C', 'gone', '')).toEqual([]);
  });
  it('are the gates of the spec, and the strategies', async () => {
    write(join(base, 'agentgate.yaml'), 'gates: { tests: x, "with space": y }\n');
    expect(await words('run', '--gate', '')).toEqual(['tests=']);
    expect(await words('run', '--strategy', 'ra')).toEqual(['ralph']);
    expect(await words('run', '--strategy=ra')).toEqual(['--strategy=ralph']);
  });
  it('are left to the shell behind --, where the agent stands', async () => {
    expect(await words('run', '--', 'cl')).toEqual([]);
  });
});
