import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { agentgate, makePlace, type Place } from './support/command.ts';

let place: Place;
beforeEach(() => {
  place = makePlace({
    'agentgate.yaml': [
      'task: Write three lines.',
      'agent: [sh, agent.sh]',
      'gates: {lines: test "$(wc -l < lines.txt)" -ge 3}',
      'integrity: off',
    ].join('\n'),
    'agent.sh': 'echo "$AGENTGATE_ITERATION" >> lines.txt\n',
    'lines.txt': '',
  });
});
afterEach(() => place.remove());

const step = async (...words: string[]): Promise<number | null> =>
  (await agentgate(place, 'step', ...words)).exit;
const lines = (): string[] => readFileSync(join(place.workspace, 'lines.txt'), 'utf8').trim().split('\n');

describe('agentgate step', () => {
  it('does one iteration at a time and exits with the truth, in one run', async () => {
    expect([await step(), lines()]).toEqual([3, ['1']]);
    expect((await agentgate(place, 'list')).stdout).toMatch(/paused +1 iteration/);
    expect([await step(), lines()]).toEqual([3, ['1', '2']]);
    expect([await step(), lines()]).toEqual([0, ['1', '2', '3']]);
    const listed = (await agentgate(place, 'list')).stdout.trim().split('\n');
    expect([listed.length, listed[0]]).toEqual([1, expect.stringContaining('converged (goal.met)')]);
    expect((await agentgate(place, 'verify')).exit).toBe(0);
  });
  it('does nothing more after the end, until there is another task', async () => {
    for (const exit of [3, 3, 0]) expect(await step()).toBe(exit);
    const again = await agentgate(place, 'step');
    expect([again.exit, again.stderr]).toMatchObject([0, expect.stringContaining('has ended: converged')]);
    expect(lines()).toHaveLength(3);
    expect([await step('-p', 'Another one.'), lines().length]).toEqual([0, 4]);
    expect([await step('-p', 'Another one.', '--new'), lines().length]).toEqual([0, 5]);
  });
  it('keeps to the limits across steps', async () => {
    const limited = ['--max-iterations', '2'];
    expect([await step(...limited), await step(...limited)]).toEqual([3, 1]);
    expect([await step(...limited), lines()]).toEqual([1, ['1', '2']]);
    expect((await agentgate(place, 'list')).stdout).toContain('limit.iterations');
  });
  it('goes on by itself with a resume, and says in JSON that it is only paused', async () => {
    const first = await agentgate(place, 'step', '--json');
    expect(JSON.parse(first.stdout.trim().split('\n').at(-1)!)).toMatchObject({ kind: 'run.paused' });
    expect((await agentgate(place, 'resume')).exit).toBe(0);
    expect(lines()).toEqual(['1', '2', '3']);
  });
  it('goes on with its own spec when that was changed, and says so', async () => {
    await step();
    const file = join(place.workspace, 'agentgate.yaml');
    writeFileSync(file, readFileSync(file, 'utf8').replace('-ge 3', '-ge 1'));
    const second = await agentgate(place, 'step');
    expect([second.exit, second.stderr]).toMatchObject([3, expect.stringContaining('the spec has changed')]);
  });
  it('waits for a person whom the agent asks, and calls nobody meanwhile', async () => {
    place.write({
      'agent.sh': 'echo asked >> lines.txt; echo \'{"ask":"May I?"}\' > "$AGENTGATE_OUTCOME_FILE"\n',
    });
    expect([await step(), lines().length]).toEqual([3, 1]);
    const again = await agentgate(place, 'step');
    expect([again.exit, again.stderr, lines().length]).toMatchObject([
      3,
      expect.stringContaining('--redirect "your answer"'),
      1,
    ]);
  });
  it('finds its run again behind others, and goes on with it without a word', async () => {
    const words = ['-p', 'Mine.', '--max-iterations', '2'];
    expect(await step(...words)).toBe(3);
    await agentgate(place, 'run', '-p', 'Another.', '--gate', 'lines=true', '--', 'true');
    expect([await step(...words), await step(...words)]).toEqual([1, 1]);
    expect(lines()).toHaveLength(2);
  });
  it('goes on with what it left when nothing else is given', async () => {
    const bare = makePlace({ 'agent.sh': 'echo x >> lines.txt\n', 'lines.txt': '' });
    const first = ['-p', 'Do it.', '--gate', 'test "$(wc -l < lines.txt)" -ge 2', '--agent', 'sh agent.sh'];
    expect((await agentgate(bare, 'step', ...first, '--integrity', 'off')).exit).toBe(3);
    expect((await agentgate(bare, 'step')).exit).toBe(0);
    const after = await agentgate(bare, 'step');
    expect([after.exit, after.stderr]).toEqual([
      0,
      expect.stringMatching(/^agentgate: run \w+ has ended: converged \(goal\.met\)/),
    ]);
    expect((await agentgate(bare, 'step', '--new')).exit).toBe(2);
    expect((await agentgate(bare, 'list')).stdout.trim().split('\n')).toHaveLength(1);
    bare.remove();
  });
  it('is stopped between two steps, and the next one does nothing more', async () => {
    expect(await step()).toBe(3);
    const stop = await agentgate(place, 'stop', '--note', 'enough');
    expect([stop.exit, stop.stdout]).toEqual([
      0,
      expect.stringMatching(/ended: stopped \(user\.stop\) after 1 iteration\. agentgate resume \w+ goes on/),
    ]);
    expect((await agentgate(place, 'list')).stdout).toContain('stopped (user.stop)');
    expect([await step(), lines()]).toEqual([1, ['1']]);
    expect((await agentgate(place, 'verify')).exit).toBe(0);
    expect([(await agentgate(place, 'resume')).exit, lines().length]).toEqual([0, 3]);
  });
  it('does not sit out a usage window after its iteration', async () => {
    const window = '{"windows":[{"name":"5h","used":95,"resetsAt":"2099-01-01T00:00:00Z"}]}';
    place.write({ 'agent.sh': `echo x >> lines.txt; echo '${window}' > "$AGENTGATE_OUTCOME_FILE"\n` });
    expect([await step('--set', 'limits.quota=80%'), lines().length]).toEqual([3, 1]);
    expect((await agentgate(place, 'list')).stdout).toMatch(/paused|suspended/);
  });
});
