import type { Place } from '../../support/command.ts';
import { corpus, hostileJunit } from './corpus.ts';

/** A project in which everything that can be named by others is named with intent to do harm. */
export function prepareHostile(place: Place): void {
  place.write({
    'report.xml': hostileJunit(corpus),
    'work.txt': 'nothing yet\n',
    '../words.txt': `${corpus.join('\n')}\n`,
    // Half of the failures go away in each iteration, so that there are fixed ones too.
    '../agent.sh': [
      'cat ../words.txt',
      'cp ../words.txt work.txt',
      'echo "$AGENTGATE_ITERATION" >> work.txt',
      'cp ../report-2.xml report.xml',
    ].join('\n'),
    '../report-2.xml': hostileJunit(corpus.slice(25)),
    'agentgate.yaml': [
      `task: ${JSON.stringify(`${corpus[0]} ${corpus[8]}`)}`,
      'agent: { run: [sh, ../agent.sh] }',
      'gates:',
      '  tests: { run: "cat report.xml; false", report: junit }',
      'strategy: { kind: fixed, iterations: 2 }',
      'integrity: off',
    ].join('\n'),
  });
}
