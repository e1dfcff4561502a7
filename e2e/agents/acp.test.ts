import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Script } from '../model/script.ts';
import { outcomeOf } from '../support/command.ts';
import { setStage, type Stage } from './stage.ts';

const agents = {
  gemini: { run: ['gemini', '--acp', '--skip-trust', '-m', 'gemini-2.5-flash'], login: 'gemini-api-key' },
  opencode: { run: ['opencode', 'acp'] },
} as const;

async function stage(name: keyof typeof agents, script: Script): Promise<Stage> {
  const made = await setStage(name, script, {
    'check.sh': 'grep -qx right answer.txt || { echo "answer.txt: $(cat answer.txt)"; exit 1; }\n',
    'answer.txt': 'nothing\n',
    // One that asks before it does anything, as a person would have it.
    ...(name === 'opencode' ? { 'opencode.json': '{"permission":{"bash":"ask","edit":"ask"}}' } : {}),
    'agentgate.yaml': JSON.stringify({
      task: 'Write the right word into answer.txt.',
      agent: { kind: 'acp', ...agents[name] },
      gates: { answer: 'sh check.sh' },
    }),
  });
  onTestFinished(() => made.close());
  return made;
}

const writes = (text: string) => [
  { say: 'I write.', do: [{ write: 'answer.txt', text: `${text}\n` }] },
  { say: 'I have finished.' },
];

describe.each(['gemini', 'opencode'] as const)('%s by the Agent Client Protocol', (name) => {
  it('converges after an honest fix', async () => {
    const { agentgate, calls } = await stage(name, [...writes('wrong'), ...writes('right')]);
    const ended = await agentgate('run', '--json');
    expect([outcomeOf(ended), ended.exit], ended.stderr + ended.stdout).toMatchObject([
      { status: 'converged', iterations: 2 },
      0,
    ]);
    expect(calls[2]?.newest).toContain('answer.txt: wrong');
  });
  it('may run the gates and not everything, and what was refused is told', async () => {
    const { agentgate, place } = await stage(name, [
      { do: [{ shell: 'curl -s http://127.0.0.1:9/ > fetched.txt' }] },
      { do: [{ shell: 'sh check.sh' }] },
      { say: 'I could not.' },
      ...writes('right'),
      ...writes('right'),
    ]);
    const ended = await agentgate('run');
    expect(ended.exit, ended.stderr + ended.stdout).toBe(0);
    expect(existsSync(join(place.workspace, 'fetched.txt'))).toBe(false);
    expect(ended.stdout).toMatch(/not allowed: execute .*curl/);
  });
});

it('opencode by the Agent Client Protocol may not write outside of the workspace, which is told', async () => {
  const outside = (): string => join(made.place.workspace, '..', 'outside.txt');
  const made: Stage = await stage('opencode', ({ number }) =>
    number === 0
      ? { do: [{ tool: 'write', input: { filePath: outside(), content: 'x\n' } }] }
      : (writes('right')[number - 1] ?? { say: 'Done.' }),
  );
  // Its own settings leave the question to whoever is there to answer.
  const permission = { edit: 'ask', external_directory: 'allow' };
  made.place.write({ 'opencode.json': JSON.stringify({ permission }) });
  const ended = await made.agentgate('run');
  expect(ended.exit, ended.stderr + ended.stdout).toBe(0);
  expect(existsSync(outside())).toBe(false);
  expect(ended.stdout).toMatch(/not allowed: \S+ .*outside\.txt/);
});
