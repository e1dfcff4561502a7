import { spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { agentgate, makePlace, outcomeOf, type Place } from './support/command.ts';

const bin = fileURLToPath(new URL('../packages/cli/bin/agentgate.cjs', import.meta.url));
/** So long the gate is not ready; `npm run pending` takes ten minutes. */
const seconds = Number(process.env['PENDING_MINUTES'] ?? '0.1') * 60;

/** Nobody knows before the time is over, and then all is well. The clock starts when the work is there. */
const check = `[ -e done.txt ] || exit 1
[ -e ../since ] || date +%s > ../since
left=$(( $(cat ../since) + ${Math.ceil(seconds)} - $(date +%s) ))
[ "$left" -le 0 ] && exit 0
echo "retry-after: $(( left > 20 ? 20 : left ))"; exit 75
`;

let place: Place;
beforeEach(() => {
  place = makePlace({ 'check.sh': check });
});
afterEach(() => place.remove());

describe(`a gate that is pending for ${seconds} s costs no agent and no iteration`, {
  timeout: seconds * 1_000 + 120_000,
}, () => {
  const gates = ['--gate', 'late=sh check.sh', '--integrity', 'off', '-p', 'Do it.'];
  it('in a run', async () => {
    const agent = ['--', 'sh', '-c', 'echo started >> ../starts; touch done.txt'];
    const fromMs = Date.now();
    const ended = await agentgate(place, 'run', '--json', ...gates, ...agent);
    expect(outcomeOf(ended), ended.stderr).toMatchObject({ status: 'converged', iterations: 1 });
    expect(Date.now() - fromMs).toBeGreaterThan(seconds * 1_000);
    expect(readFileSync(join(place.workspace, '..', 'starts'), 'utf8')).toBe('started\n');
    // Waiting is no active time.
    expect(outcomeOf(ended)['activeMs']).toBeLessThan(10_000);
  });
  it('in a session that is held', async () => {
    await agentgate(place, 'arm', ...gates, '--agent', 'claude');
    const hook = (event: object): Promise<string> => {
      const child = spawn(process.execPath, [bin, 'hook', 'answer'], {
        cwd: place.workspace,
        env: place.env,
        stdio: ['pipe', 'pipe', 'ignore'],
      });
      let said = '';
      child.stdout.on('data', (text) => (said += String(text)));
      child.stdin.end(JSON.stringify({ session_id: 's-1', cwd: place.workspace, ...event }));
      return new Promise((done) => child.on('close', () => done(said)));
    };
    await hook({ hook_event_name: 'UserPromptSubmit', prompt: 'Go.' });
    writeFileSync(join(place.workspace, 'done.txt'), '');
    const fromMs = Date.now();
    // One stop, one answer: the agent has no turn in between.
    expect(await hook({ hook_event_name: 'Stop' })).toContain('gates met');
    expect(Date.now() - fromMs).toBeGreaterThan(seconds * 1_000 - 2_000);
    expect((await agentgate(place, 'list', '--json')).stdout).toContain('"iterations":1');
  });
});
