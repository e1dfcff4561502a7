import { describe, expect, it } from 'vitest';
import type { Turn } from '../model/script.ts';
import { agentgate } from '../support/command.ts';
import { heldIn, newest, projectWith, prompt, stageOf, task } from './errand.ts';

/** How each is started for one prompt. */
const starts = {
  copilot: ['copilot', '-p', `/gate ${task}`, '--allow-all-tools'],
  qwen: ['qwen', '-p', `/gate ${task}`, '--approval-mode', 'yolo'],
} as const;

const says = (word: string): [Turn, Turn] => [
  { say: 'I write.', do: [{ shell: `echo ${word} > answer.txt` }] },
  { say: 'I have finished.' },
];

describe.each(['copilot', 'qwen'] as const)('a session of %s', (host) => {
  const held = async (script: Parameters<typeof stageOf>[1], limits: object = {}) => {
    const stage = await stageOf(host, script, projectWith({ agent: ['true'], stuck: 'off', limits }));
    const installed = await stage.agentgate('hook', 'install', '--agent', host);
    expect(installed.exit, installed.stderr).toBe(0);
    const { said } = await prompt({ ...stage }, 'claude', '', starts[host]).ended;
    return { stage, said };
  };
  it('is held until its gates pass', async () => {
    const { stage, said } = await held([...says('wrong'), ...says('right')]);
    expect(await newest(stage), said).toMatchObject({ status: 'converged', iterations: 2 });
    expect(stage.calls[2]?.newest).toContain('answer.txt: wrong');
    expect(heldIn(stage)).toEqual([]);
  });
  it('is let go at its limit, and is told to be NOT converged', async () => {
    const { stage, said } = await held(() => ({ say: 'All is done.' }), { iterations: 2 });
    expect(await newest(stage), said).toMatchObject({ status: 'diverged', iterations: 2 });
    expect((await agentgate(stage.place, 'status')).stdout).toContain('NOT converged');
  });
});

it('Copilot ends a session after eight blocks, and that is no end', async () => {
  let words = 0;
  const script = () => ({
    say: `Done ${words++}.`,
    do: words % 2 ? [{ shell: `echo ${words} > answer.txt` }] : [],
  });
  const stage = await stageOf(
    'copilot',
    script,
    projectWith({ agent: ['true'], stuck: 'off', strategy: { kind: 'fixed', iterations: 30 } }),
  );
  await stage.agentgate('hook', 'install', '--agent', 'copilot');
  await prompt(stage, 'claude', '', starts.copilot).ended;
  expect(await newest(stage)).toMatchObject({ status: 'stopped', code: 'host.override' });
  expect((await agentgate(stage.place, 'status')).stdout).toContain('NOT converged');
});
