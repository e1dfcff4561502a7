import { expect, it } from 'vitest';
import { agentOf } from './agent-of.ts';
import { specOf } from './testing/play.ts';

const runs = (agent: unknown, rungs: readonly number[]) => {
  const spec = specOf({ agent }).agent;
  return rungs.map((rung) => {
    const one = agentOf(spec, rung);
    return 'run' in one ? one.run : 'script' in one ? one.script : one.kind;
  });
};

it('the first agent works until the ladder is climbed, and the last one from its end on', () => {
  const escalate = [{ run: ['better'], timeout: '5m' }, ['best']];
  expect(runs({ run: ['plain'], escalate }, [0, 1, 2, 3, 9])).toEqual([
    ['plain'],
    ['better'],
    ['best'],
    ['best'],
    ['best'],
  ]);
  const agent = specOf({ agent: { run: ['plain'], timeout: '1m', escalate } }).agent;
  expect(agentOf(agent, 1)).toMatchObject({ kind: 'command', run: ['better'], timeout: 300_000 });
  expect(agentOf(agent, 0)).toBe(agent);
});

it('without a ladder there is one agent', () => {
  expect(runs({ script: 'a.yaml' }, [0, 1, 2])).toEqual(['a.yaml', 'a.yaml', 'a.yaml']);
});
