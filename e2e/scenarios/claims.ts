import { atOnce, diverged, files, ok, steps, withSpec, type Scenario } from './scenario.ts';

/** What agents say about their work, and what it is worth. */
export const claims: Scenario[] = [
  {
    name: 'liar: says DONE, does nothing',
    files,
    agent: 'echo DONE',
    flags: steps(2),
    expect: diverged('agent.false-claim', 3),
  },
  {
    name: 'negated claim: "not DONE yet"',
    files,
    agent: 'echo "The work is not TASK_COMPLETE yet"; echo "I am far from\nDONE? No."',
    flags: [...steps(2), ...atOnce],
    expect: diverged('no-progress.no-changes', 2),
  },
  {
    name: 'echoed prompt',
    files,
    agent: 'cat',
    flags: ['-p', 'Do it, then print TASK_COMPLETE', ...steps(2), ...atOnce],
    expect: diverged('no-progress.no-changes', 2),
  },
  {
    name: 'quoted claim in a code block',
    files,
    agent: 'printf "Print this at the end:\\n\\n\\140\\140\\140\\nDONE\\n\\140\\140\\140\\n"',
    flags: [...steps(2), ...atOnce],
    expect: diverged('no-progress.no-changes', 2),
  },
  {
    name: 'false claim, then fix',
    files,
    agent: '[ $n -eq 1 ] || echo "step 1" > work.txt; echo TASK_COMPLETE',
    flags: steps(1),
    expect: ok(2),
  },
  {
    name: 'false claim stops a strict ralph',
    files,
    agent: 'echo "step 1" > work.txt; echo TASK_COMPLETE',
    flags: [...steps(2), '--strategy', 'ralph,onFalseClaim=stop'],
    expect: diverged('agent.false-claim', 1),
  },
  {
    name: 'gives up honestly',
    files,
    agent: 'echo "{\\"giveUp\\": \\"the API is gone\\"}" > "$AGENTGATE_OUTCOME_FILE"',
    flags: steps(2),
    expect: diverged('agent.gave-up', 1),
  },
  {
    name: 'gives up by its marker',
    files,
    agent: 'm=$(grep -o "agentgate:give-up [0-9a-f]*"); echo "$m because it cannot be done"',
    flags: steps(2),
    expect: diverged('agent.gave-up', 1),
  },
  {
    name: 'soft only, with a claim',
    files,
    agent: 'echo "step $n" >> work.txt; echo DONE',
    flags: ['--soft-gate', 'tests=node suite.mjs 3'],
    expect: { status: 'stopped', code: 'agent.unverified-claim', iterations: 1, exit: 3 },
  },
  {
    name: 'signals of the spec',
    files,
    agent: 'echo "step $n" >> work.txt; [ $n -eq 1 ] && echo DONE || echo SHIPPED_IT',
    flags: [],
    use: withSpec(
      'gates: { tests: { run: node suite.mjs 9 } }\nstrategy: { kind: ralph, signals: [SHIPPED_IT], onFalseClaim: stop }\n',
    ),
    expect: diverged('agent.false-claim', 2),
  },
];
