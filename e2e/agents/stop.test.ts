import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { outcomeOf, start } from '../support/command.ts';
import { newWord, settled, until } from '../support/processes.ts';
import { setStage } from './stage.ts';

it.each(['claude', 'codex', 'gemini', 'opencode'] as const)(
  '%s and all that it started end within 11 s of a stop from another terminal',
  async (name) => {
    const word = newWord();
    const stage = await setStage(name, [{ do: [{ shell: 'sh work.sh' }] }], {
      'work.sh': `touch begun; (sleep ${word} &) ; sleep ${word}\n`,
      'agentgate.yaml': JSON.stringify({
        task: 'Work.',
        agent: { kind: name, allow: ['sh work.sh'] },
        gates: { never: 'false' },
      }),
    });
    onTestFinished(() => stage.close());
    const { ended } = start(stage.place, ['run', '--json']);
    await until(() => existsSync(join(stage.place.workspace, 'begun')));
    const from = performance.now();
    const stopped = await stage.agentgate('stop');
    expect(stopped.exit, stopped.stderr).toBe(0);
    const run = await ended;
    expect(performance.now() - from).toBeLessThan(11_000);
    expect([outcomeOf(run)['status'], run.exit], run.stderr).toEqual(['stopped', 3]);
    expect(await settled(word)).toEqual([]);
  },
);
