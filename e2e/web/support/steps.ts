import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Ended, type Place, start } from '../../support/command.ts';

const names = ['adds', 'removes', 'totals', 'rounds', 'refuses'];

/** A project whose agent waits until the test lets it make its next step, and mends two tests in each. */
export function prepareSteps(place: Place, more: readonly string[] = []): void {
  place.write({
    'tests.tap': tapAfter(0),
    'agentgate.yaml': [
      'task: Make the tests of the shop pass.',
      'agent: { run: [sh, ../agent.sh] }',
      'gates:',
      '  tests: { run: "cat tests.tap; ! grep -q \'^not ok\' tests.tap", report: tap }',
      ...more,
      'integrity: off',
    ].join('\n'),
    '../agent.sh': [
      'n=$AGENTGATE_ITERATION',
      'cat > ../prompt-$n',
      'touch ../began-$n',
      'while [ ! -e ../go-$n ]; do sleep 0.05; done',
      'cp ../step-$n.tap tests.tap',
      'echo "step $n" >> work.txt',
      'echo "step $n is done"',
      `echo '{"costUsd": 0.25, "tokens": 1200}' > "$AGENTGATE_OUTCOME_FILE"`,
    ].join('\n'),
    ...Object.fromEntries([1, 2, 3, 4, 5].map((step) => [`../step-${step}.tap`, tapAfter(step)])),
  });
}

function tapAfter(step: number): string {
  const lines = names.map((name, at) => `${at < step * 2 ? 'ok' : 'not ok'} ${at + 1} - cart ${name}`);
  return `TAP version 13\n1..${names.length}\n${lines.join('\n')}\n`;
}

export interface Going {
  ended: Promise<Ended>;
  /** Lets the agent finish this iteration. */
  go(iteration: number): void;
  /** Resolves when the agent is at work on it. */
  began(iteration: number): Promise<void>;
}

export function startSteps(place: Place): Going {
  const { ended } = start(place, ['run']);
  const beside = (name: string) => join(place.workspace, '..', name);
  return {
    ended,
    go: (iteration) => writeFileSync(beside(`go-${iteration}`), ''),
    began: (iteration) => until(() => existsSync(beside(`began-${iteration}`))),
  };
}

/** Looks again and again; the test's own time limit is the end of it. */
export async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((done) => setTimeout(done, 25));
}
