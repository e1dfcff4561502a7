import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { agentgate, type Ended, makePlace, outcomeOf, type Place, start } from './support/command.ts';
import { hasSandbox } from './support/sandbox.ts';

let place: Place;
beforeEach(() => {
  place = makePlace();
});
afterEach(() => place.remove());

const flags = ['-p', 'the task', '--sandbox', 'bwrap', '--json'];
const eventsOf = ({ stdout }: Ended) =>
  stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);

describe.skipIf(!hasSandbox)('an agent in the sandbox', () => {
  it('works as it would outside: its prompt, its outcome, its home and its commits', async () => {
    const git = (...args: string[]) => execFileSync('git', args, { cwd: place.workspace, encoding: 'utf8' });
    git('init', '-q');
    place.write({
      '../agent.sh': `
        grep -q 'the task' "$AGENTGATE_PROMPT_FILE" && grep -q 'the task' || exit 9
        echo kept > "$HOME/.agent-config"
        git -c user.name=a -c user.email=a@b commit -q --allow-empty -m 'by the agent'
        touch done
        echo '{"claim": true, "tokens": 42}' > "$AGENTGATE_OUTCOME_FILE"
      `,
    });
    const ended = await agentgate(
      place,
      'run',
      ...flags,
      '--gate',
      'test -e done',
      '--agent',
      'sh ../agent.sh',
    );
    expect(outcomeOf(ended)).toMatchObject({ status: 'converged', iterations: 1, tokens: 42, caveats: [] });
    expect(eventsOf(ended)[0]).toMatchObject({
      kind: 'run.started',
      sandbox: { agent: 'bwrap', gates: 'bwrap' },
    });
    expect(existsSync(join(place.env['HOME']!, '.agent-config'))).toBe(true);
    expect(git('log', '--format=%s')).toBe('by the agent\n');
  });

  it('finds none of our records, and nobody to signal', async () => {
    place.write({
      '../agent.sh': `
        find "$XDG_STATE_HOME" -type f > found.txt
        for pid in $(ls /proc | grep -E '^[0-9]+$'); do tr '\\0' ' ' < /proc/$pid/cmdline >> seen.txt; done
        touch done
      `,
    });
    const gate = `test -e done && ! test -s found.txt && ! grep -q 'agentgate.cjs' seen.txt && ! find "${place.state}" -type f | grep .`;
    const ended = await agentgate(place, 'run', ...flags, '--gate', gate, '--agent', 'sh ../agent.sh');
    expect(outcomeOf(ended)).toMatchObject({ status: 'converged', iterations: 1 });
  });

  it('that was cut short by a crash of ours is known for one that had begun', async () => {
    place.write({
      '../agent.sh': 'echo x >> builds; test -e began && touch done || { touch began; sleep 600; }',
    });
    const words = [...flags, '--gate', 'test -e done', '--agent', 'sh ../agent.sh'];
    const { child, ended } = start(place, ['run', ...words]);
    while (!existsSync(join(place.workspace, 'began'))) await sleep(10);
    child.kill('SIGKILL');
    await ended;
    const resumed = await agentgate(place, 'resume', '--json');
    expect(eventsOf(resumed)).toContainEqual(
      expect.objectContaining({ kind: 'agent.ended', iteration: 1, end: { kind: 'interrupted' } }),
    );
    expect(outcomeOf(resumed)).toMatchObject({ status: 'converged', iterations: 2 });
  });

  it('that is missing is said to be missing', async () => {
    const words = [...flags, '--gate', 'false', '--agent', 'exec no-such-agent --fast'];
    const ended = await agentgate(place, 'run', ...words);
    expect([ended.exit, outcomeOf(ended)]).toMatchObject([
      4,
      { status: 'error', reason: expect.stringContaining('"no-such-agent" was not found') },
    ]);
  });
});
