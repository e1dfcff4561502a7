import { diverged, files, ok, steps, type Scenario } from './scenario.ts';

/** Runs that are stuck and change something before they give up. */
export const ladder: Scenario[] = [
  {
    name: 'solved only in a fresh context',
    files,
    agent: [
      'if [ -z "$AGENTGATE_SESSION_ID" ] && [ $n -gt 1 ]; then echo "step 1" > work.txt; fi',
      'echo \'{"sessionId":"s\'$n\'"}\' > "$AGENTGATE_OUTCOME_FILE"',
    ].join('\n'),
    flags: steps(1),
    expect: ok(5),
  },
  {
    name: 'solved only from the best tree',
    files,
    agent: [
      'if [ $n -eq 1 ]; then printf "step 1\\nstep 2\\n" > work.txt',
      'elif [ $n -gt 2 ] && grep -q "step 2" work.txt; then echo "step 3" >> work.txt',
      'else echo "nonsense $n" > work.txt; fi',
    ].join('\n'),
    flags: steps(3),
    expect: ok(8),
  },
  {
    name: 'worsening work is taken back first, and then it is solved',
    files: { ...files, 'work.txt': 'step 1\nstep 2\nstep 3\n' },
    agent:
      'if [ $n -gt 3 ] && grep -q "step 1" work.txt; then echo "step 4" >> work.txt; else sed -i 1d work.txt; fi',
    flags: steps(4),
    expect: ok(4),
  },
  {
    name: 'solved by the next agent of the ladder',
    files: {
      ...files,
      'agentgate.yaml': [
        'task: go',
        'agent:',
        '  run: [sh, ../agent.sh]',
        '  escalate: ["echo step 1 > work.txt"]',
        'gates: { tests: node suite.mjs 1 }',
        'stuck: { moves: [escalate] }',
      ].join('\n'),
    },
    agent: ':',
    flags: [],
    expect: ok(3),
  },
  {
    name: 'cannot be solved: every move is made, then it gives up',
    files,
    agent: ':',
    flags: steps(2),
    expect: diverged('no-progress.no-changes', 6),
  },
  {
    name: 'a limit binds the ladder, too',
    files,
    agent: ':',
    flags: [...steps(2), '--max-iterations', '4'],
    expect: diverged('no-progress.no-changes', 4),
  },
  {
    name: 'usage limit: waited for, and no iteration is used',
    files,
    agent: [
      'echo "step $n" >> work.txt',
      '[ $n -eq 1 ] || [ -e ../told ] && exit 0',
      'touch ../told; sed -i "\\$d" work.txt; echo "Claude usage limit reached, try again in 1 second" >&2; exit 1',
    ].join('\n'),
    flags: [...steps(2), '--max-iterations', '2'],
    expect: ok(2),
  },
];
