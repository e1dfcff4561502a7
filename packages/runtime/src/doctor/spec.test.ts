import { describe, expect, it } from 'vitest';
import { examine } from './examine.ts';
import { lookAtSpec } from './spec.ts';
import { makeMachine } from './testing.ts';

const machine = makeMachine();
const look = (text?: string) => {
  if (text !== undefined) machine.write({ 'agentgate.yaml': text });
  return lookAtSpec(machine.root);
};

describe('the spec', () => {
  it('need not be there', async () => {
    expect(await look()).toMatchObject([
      { mark: 'lacking', next: expect.stringContaining('agentgate init') },
    ]);
  });
  it('is told with every mistake and its place', async () => {
    const remarks = await look('task: x\nagent: [sh]\ngates: { a: { rnu: x } }\nstrategy: hybird\n');
    expect(remarks.length).toBeGreaterThan(1);
    for (const remark of remarks) {
      expect(remark).toMatchObject({ mark: 'bad', what: expect.stringMatching(/^agentgate\.yaml:\d+:\d+ /) });
    }
  });
  it('may leave the task and the agent to the command line', async () => {
    expect(await look('gates: { a: "true" }\n')).toMatchObject([{ mark: 'good' }, { about: 'gate a' }]);
  });
  it('is looked at for what its gates and its agent need', async () => {
    const remarks = await look(
      'task: x\nagent: [no-such-agent]\ngates:\n  a: sh -c true\n  b: no-such-tool\n  c: { run: no-such-tool, severity: soft }\n  d: { exists: x }\n',
    );
    expect(remarks.map(({ about, mark }) => `${about} ${mark}`)).toEqual([
      'spec good',
      'gate a good',
      'gate b bad',
      'gate c lacking',
      'gate d good',
      'agent bad',
    ]);
    expect(remarks[2]).toMatchObject({ what: 'no-such-tool is not installed', next: 'install no-such-tool' });
  });
  it('names a missing agent in a shell text too', async () => {
    expect(
      (await look('task: x\nagent: { run: "no-such-agent -p" }\ngates: { a: "true" }\n')).at(-1),
    ).toMatchObject({
      about: 'agent',
      mark: 'bad',
    });
  });
  it('is not finished while it has the words that init put there', async () => {
    expect(
      await look('task: Describe the work here.\nagent: [sh]\ngates: { unwritten: "exit 1" }\n'),
    ).toMatchObject([{ mark: 'lacking' }, { about: 'gate unwritten', mark: 'lacking' }]);
  });
  it('cannot be one that was named and is not there', async () => {
    expect(await lookAtSpec(machine.root, 'other.yaml')).toMatchObject([{ mark: 'bad' }]);
  });
});

describe('whether a run can start', () => {
  it('is yes where nothing is bad, and no where something is', async () => {
    machine.program('claude', 'echo 1.0.0');
    expect(await examine(machine.root, machine.env)).toMatchObject({ able: true });
    machine.write({ 'agentgate.yaml': 'task: x\nagent: [claude]\ngates: { a: no-such-tool }\n' });
    expect(await examine(machine.root, machine.env)).toMatchObject({ able: false });
  });
  it('is no where the state cannot be written, whatever else there is', async () => {
    machine.env['AGENTGATE_STATE_DIR'] = '/dev/null/state';
    const { able, remarks } = await examine(machine.root, machine.env);
    expect([able, remarks.find(({ about }) => about === 'state')?.mark]).toEqual([false, 'bad']);
  });
});
