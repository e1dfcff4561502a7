import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { agentgate } from '../support/command.ts';
import { stageOf } from './errand.ts';

const home = (stage: { place: { env: Record<string, string> } }): string => stage.place.env['HOME']!;

describe('hook install', () => {
  it('proves that Claude Code calls the hook, and calls no model', async () => {
    const stage = await stageOf('claude', () => ({ say: 'Hello.' }));
    const told = await agentgate(stage.place, 'hook', 'install', '--agent', 'claude');
    expect([told.exit, told.stdout], told.stderr).toMatchObject([
      0,
      expect.stringContaining('proved: Claude Code'),
    ]);
    expect(stage.calls).toEqual([]);
    expect(existsSync(join(home(stage), '.claude', 'commands', 'gate.md'))).toBe(true);
    expect((await agentgate(stage.place, 'doctor')).stdout).toMatch(/✓ hook claude +in /);
    const gone = await agentgate(stage.place, 'hook', 'uninstall', '--agent', 'claude');
    expect(gone.stdout).toContain('removed from');
    expect(existsSync(join(home(stage), '.claude', 'commands', 'gate.md'))).toBe(false);
    expect((await agentgate(stage.place, 'doctor')).stdout).toMatch(/~ hook claude +not installed/);
  });
  it('sees that Codex does not trust the hook yet, and doctor says so', async () => {
    const stage = await stageOf('codex', () => ({ say: 'Hello.' }));
    const told = await agentgate(stage.place, 'hook', 'install', '--agent', 'codex');
    expect([told.exit, told.stdout], told.stderr).toMatchObject([
      0,
      expect.stringContaining('NOT working yet: Codex was asked, and says that it skips the hook'),
    ]);
    expect(told.stdout).not.toContain('started once');
    expect(told.stdout).toContain('/hooks');
    expect((await agentgate(stage.place, 'doctor')).stdout).toContain('NOT trusted, so Codex skips them');
    expect(stage.calls).toEqual([]);
    // What a person does on its screen is written to its settings by its own name for the hook.
    expect(readFileSync(join(home(stage), '.codex', 'hooks.json'), 'utf8')).toContain('hook answer');
  });
});
