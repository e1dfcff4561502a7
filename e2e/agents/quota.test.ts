import { describe, expect, it } from 'vitest';
import { outcomeOf } from '../support/command.ts';
import { stageOf, task, writes } from './errand.ts';

/** How each service tells in its headers that a window is so full, and when it opens again. */
const headers = {
  claude: (used: number, resetsAt: number): Record<string, string> => ({
    'anthropic-ratelimit-unified-status': 'allowed',
    'anthropic-ratelimit-unified-representative-claim': 'five_hour',
    'anthropic-ratelimit-unified-reset': String(resetsAt),
    'anthropic-ratelimit-unified-5h-utilization': String(used),
    'anthropic-ratelimit-unified-5h-reset': String(resetsAt),
  }),
  codex: (used: number, resetsAt: number): Record<string, string> => ({
    'x-codex-primary-used-percent': String(used * 100),
    'x-codex-primary-window-minutes': '300',
    'x-codex-primary-reset-at': String(resetsAt),
  }),
};

describe.each(['claude', 'codex'] as const)('%s with a usage window that is nearly full', (name) => {
  const stage = async (inSeconds: number) => {
    const resetsAt = Math.ceil(Date.now() / 1000) + inSeconds;
    const heard: number[] = [];
    const turns = [...writes('wrong'), ...writes('right')];
    const made = await stageOf(name, ({ number }) => {
      heard.push(Date.now());
      const full = number < 2 ? 0.83 : 0.01;
      return { ...turns[number], headers: headers[name](full, resetsAt) };
    });
    // Windows belong to subscriptions.
    if (name === 'claude') {
      delete made.env['ANTHROPIC_API_KEY'];
      made.env['CLAUDE_CODE_OAUTH_TOKEN'] = 'sk-ant-oat01-scripted';
    }
    const run = (...words: string[]) =>
      made.agentgate(
        'run',
        '--agent',
        name,
        '--gate',
        'answer=sh check.sh',
        '-p',
        task,
        '--set',
        'limits.quota=80%',
        ...words,
        '--json',
      );
    return { made, heard, resetsAt, run };
  };
  it('waits until it opens, and calls nobody meanwhile', async () => {
    const { heard, resetsAt, run } = await stage(15);
    const ended = await run();
    expect(outcomeOf(ended), ended.stderr + ended.stdout).toMatchObject({
      status: 'converged',
      iterations: 2,
    });
    expect(ended.stdout).toContain('"code":"quota"');
    expect(heard[1]).toBeLessThan(resetsAt * 1000);
    expect(heard[2]).toBeGreaterThanOrEqual(resetsAt * 1000);
  });
  it('is suspended where that takes too long, with the time to come back', async () => {
    const { made, run, resetsAt } = await stage(3_600);
    const ended = await run('--set', 'limits.maxWait=10m');
    expect([outcomeOf(ended), ended.exit]).toMatchObject([{ code: 'suspended.quota', iterations: 1 }, 3]);
    expect(outcomeOf(ended)['reason']).toContain(new Date(resetsAt * 1000).toISOString());
    const early = await made.agentgate('resume', '--json');
    expect([outcomeOf(early)['code'], made.calls.length]).toEqual(['suspended.quota', 2]);
  });
});
