import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Script, Turn } from '../model/script.ts';
import { outcomeOf } from '../support/command.ts';
import { project, stageOf, task } from './errand.ts';
import type { Stage } from './stage.ts';

const run = ['run', '--agent', 'qwen', '--gate', 'answer=sh check.sh', '-p', task];

/** It overwrites only what it has read in the same session, so each word has a file of its own. */
const files = { 'check.sh': project['check.sh'].replaceAll('answer.txt', '"$(ls *.txt | tail -1)"') };
const writes = (name: string, text: string): [Turn, Turn] => [
  {
    say: 'I write.',
    do: [{ write: `${name}.txt`, text: `${text}\n` }],
    tokens: { input: 100, output: 10, cached: 50 },
  },
  { say: 'I have finished.', tokens: { input: 100, output: 10 } },
];
const stageFor = (script: Script): Promise<Stage> => stageOf('qwen', script, files);

it('converges after an honest fix in three turns, and each token is counted once', async () => {
  const script = [...writes('a', 'wrong'), ...writes('b', 'almost'), ...writes('c', 'right')];
  const { agentgate, calls } = await stageFor(script);
  const ended = await agentgate(...run, '--json');
  expect([outcomeOf(ended), ended.exit], ended.stderr + ended.stdout).toMatchObject([
    { status: 'converged', iterations: 3, tokens: 660 },
    0,
  ]);
  expect(calls[4]?.all).toContain('I have finished.');
});

it('does not converge when the agent only says that it is done', async () => {
  const { agentgate } = await stageFor(() => ({ say: 'Everything is done and all checks pass.' }));
  const ended = await agentgate(...run, '--json', '--max-iterations', '2', '--stuck', 'off');
  expect([outcomeOf(ended)['status'], ended.exit], ended.stderr).toEqual(['diverged', 1]);
});

it('may run the gates and not everything, and what was refused is told', async () => {
  const { agentgate, calls, place } = await stageFor([
    { do: [{ tool: 'run_shell_command', input: { command: 'touch made', description: 'x' } }] },
    { do: [{ tool: 'run_shell_command', input: { command: 'sh check.sh', description: 'x' } }] },
    ...writes('a', 'right'),
  ]);
  const ended = await agentgate(...run);
  expect(ended.exit, ended.stderr + ended.stdout).toBe(0);
  expect(existsSync(join(place.workspace, 'made'))).toBe(false);
  expect(calls[2]?.newest).not.toContain('declined');
  expect(ended.stdout).toMatch(/not allowed: run_shell_command touch made/);
});

it('may do everything inside of a sandbox', async () => {
  const free = { tool: 'run_shell_command', input: { command: 'touch made', description: 'x' } };
  const { agentgate, place } = await stageFor([{ do: [free] }, ...writes('a', 'right')]);
  const ended = await agentgate(...run, '--sandbox', 'bwrap');
  expect(ended.exit, ended.stderr + ended.stdout).toBe(0);
  expect(existsSync(join(place.workspace, 'made'))).toBe(true);
});

it('is not logged in, which ends the run with what to do and costs no iteration', async () => {
  const { agentgate } = await stageFor(() => ({
    fail: { status: 401, type: 'authentication_error', message: 'invalid key' },
  }));
  const ended = await agentgate(...run, '--json');
  expect([outcomeOf(ended), ended.exit], ended.stderr).toMatchObject([{ status: 'error', iterations: 0 }, 4]);
  expect(ended.stdout).toContain('Qwen Code is not logged in');
});

it('finds nobody where its model should be, and no iteration is used by it', async () => {
  const { agentgate, place } = await stageFor([]);
  place.env = { ...place.env, OPENAI_BASE_URL: 'http://127.0.0.1:9/v1' };
  const ended = await agentgate(...run, '--json', '--set', 'limits.maxWait=2s');
  expect([outcomeOf(ended), ended.exit], ended.stderr + ended.stdout).toMatchObject([
    { status: 'suspended', iterations: 0 },
    3,
  ]);
});

it('begins anew where its session is gone', async () => {
  const { agentgate, place } = await stageFor([...writes('a', 'wrong'), ...writes('b', 'right')]);
  expect((await agentgate(...run, '--json', '--max-iterations', '1')).exit).toBe(1);
  rmSync(join(place.env['HOME']!, '.qwen', 'projects'), { recursive: true });
  const second = await agentgate('resume', '--add-iterations', '2', '--json');
  expect([outcomeOf(second), second.exit], second.stderr + second.stdout).toMatchObject([
    { status: 'converged', iterations: 2 },
    0,
  ]);
});
