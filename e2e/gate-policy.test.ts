import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { agentgate, makePlace, outcomeOf, type Place } from './support/command.ts';

let place: Place;
afterEach(() => place.remove());

const linesOf = (file: string) =>
  readFileSync(join(place.workspace, '..', file), 'utf8')
    .trim()
    .split('\n');

/** A run whose agent counts in work.txt; the gates are those of the text. */
function run(text: string): ReturnType<typeof agentgate> {
  place = makePlace({ 'work.txt': '', 'agentgate.yaml': `task: go\nagent: [sh, ../agent.sh]\n${text}\n` });
  place.write({
    '../words': 'error: a secret\n',
    '../agent.sh':
      'cp "$AGENTGATE_FEEDBACK_FILE" ../told-$AGENTGATE_ITERATION; echo $AGENTGATE_ITERATION >> work.txt\n',
  });
  return agentgate(place, 'run', '--json');
}

describe('the rules of a gate', () => {
  it('escalate tells a person and carries on', async () => {
    const ended = await run(
      `gates: { tests: { run: grep -q 2 work.txt, onFailure: escalate } }
notify: cat >> ../notices; echo >> ../notices`,
    );
    expect(outcomeOf(ended)).toMatchObject({ status: 'converged', iterations: 2 });
    const notices = linesOf('notices').filter(Boolean);
    expect(notices.map((line) => JSON.parse(line))).toMatchObject([
      { about: 'escalation', gates: ['tests'], iteration: 1 },
      { about: 'end', outcome: { status: 'converged' } },
    ]);
  });
  it('stop ends the run, and nothing is built after it', async () => {
    const ended = await run('gates: { tests: { run: grep -q 2 work.txt, onFailure: stop } }');
    expect(outcomeOf(ended)).toMatchObject({ status: 'diverged', code: 'gate.stop', iterations: 1 });
    expect(readFileSync(join(place.workspace, 'work.txt'), 'utf8')).toBe('1\n');
  });
  it('maxAttempts ends the run when they are used', async () => {
    const ended = await run('gates: { tests: { run: grep -q 9 work.txt, maxAttempts: 2 } }');
    expect(outcomeOf(ended)).toMatchObject({ status: 'diverged', code: 'gate.attempts', iterations: 2 });
  });
  it('a condition spares a gate while it holds, and the gate is run before the run converges', async () => {
    const ended = await run(
      // It writes outside of the workspace, to be counted.
      `integrity: off
gates:
  tests: grep -q 3 work.txt
  slow: { run: echo $(wc -l < work.txt) >> ../slow, skipIf: gate.tests.failed }`,
    );
    expect(outcomeOf(ended)).toMatchObject({ status: 'converged', iterations: 3 });
    // Once before the agent began, and once on the tree that converged.
    expect(linesOf('slow')).toEqual(['0', '3']);
  });
  it('words of its own, or none, are told to the agent instead of its findings', async () => {
    const ended = await run(
      `gates:
  loud: { run: "cat ../words; grep -q 2 work.txt", feedback: { text: Count on. } }
  quiet: { run: "cat ../words; grep -q 2 work.txt", feedback: manual }`,
    );
    expect(outcomeOf(ended)).toMatchObject({ status: 'converged', iterations: 2 });
    const told = linesOf('told-2').join('\n');
    expect(told).toContain('Count on.');
    expect(told).toContain('Gate quiet');
    expect(told).not.toContain('secret');
  });
});
