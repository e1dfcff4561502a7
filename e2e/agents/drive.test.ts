import { describe, expect, it, onTestFinished } from 'vitest';
import { outcomeOf } from '../support/command.ts';
import type { Script } from '../model/script.ts';
import type { ProgramName } from './programs.ts';
import { setStage, type Stage } from './stage.ts';

const drivers = ['claude', 'codex', 'gemini', 'opencode'] as const;

/** A project whose gate wants one word in a file. */
const files = {
  'check.sh': 'grep -qx right answer.txt || { echo "answer.txt: $(cat answer.txt)"; exit 1; }\n',
};
const gate = ['--gate', 'answer=sh check.sh', '-p', 'Write the right word into answer.txt.'];

async function stage(name: ProgramName, script: Script): Promise<Stage> {
  const made = await setStage(name, script, { ...files, 'answer.txt': 'nothing\n' });
  onTestFinished(() => made.close());
  return made;
}

const writes = (text: string) => [
  {
    say: 'I write.',
    do: [{ write: 'answer.txt', text: `${text}\n` }],
    tokens: { input: 100, output: 10, cached: 50 },
  },
  { say: 'I have finished.', tokens: { input: 100, output: 10 } },
];

describe.each(drivers)('%s', (name) => {
  it('converges after an honest fix in three turns, and each token is counted once', async () => {
    const { agentgate, calls } = await stage(name, [
      ...writes('wrong'),
      ...writes('almost'),
      ...writes('right'),
    ]);
    const ended = await agentgate('run', '--agent', name, ...gate, '--json');
    const { status, iterations, tokens, costUsd } = outcomeOf(ended);
    expect({ status, iterations, tokens, exit: ended.exit }, ended.stderr + ended.stdout).toEqual({
      status: 'converged',
      iterations: 3,
      tokens: 660,
      exit: 0,
    });
    expect(calls).toHaveLength(6);
    // The session goes on: the model sees what it said before, and what the gate found.
    expect(calls[4]?.all).toContain('I have finished.');
    expect(calls[2]?.newest).toContain('answer.txt: wrong');
    if (name === 'claude' || name === 'opencode') expect(costUsd).toBeGreaterThan(0);
  });
});
