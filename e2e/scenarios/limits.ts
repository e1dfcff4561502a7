import { diverged, files, steps, type Scenario } from './scenario.ts';

/** Caps that bind. */
export const limits: Scenario[] = [
  {
    name: 'hang: ends at the wall clock',
    files,
    agent: 'sleep 600',
    flags: [...steps(2), '--max-wall-clock', '3s'],
    expect: diverged('limit.wall-clock', 1),
  },
  {
    name: 'crash counts against the limit',
    files,
    agent: 'exit 1',
    flags: [...steps(2), '--max-iterations', '2'],
    expect: diverged('limit.iterations', 2),
  },
  {
    name: 'token limit',
    files,
    agent:
      'echo "step $n" >> work.txt; echo "{\\"tokens\\": 1000, \\"costUsd\\": 0.5}" > "$AGENTGATE_OUTCOME_FILE"',
    flags: [...steps(9), '--max-tokens', '3k'],
    expect: diverged('limit.tokens', 3),
  },
  {
    name: 'cost limit',
    files,
    agent:
      'echo "step $n" >> work.txt; echo "{\\"tokens\\": 1000, \\"costUsd\\": 0.5}" > "$AGENTGATE_OUTCOME_FILE"',
    flags: [...steps(9), '--max-cost', '2usd'],
    expect: diverged('limit.cost', 4),
  },
  {
    name: 'fixed: exactly three',
    files,
    agent: ':',
    flags: [...steps(2), '--strategy', 'fixed'],
    expect: diverged('limit.iterations', 3),
  },
  {
    name: 'hybrid 2+1 with progress',
    files,
    agent: 'echo "step $n" >> work.txt',
    flags: [...steps(9), '--strategy', 'hybrid,base=2,bonus=1'],
    expect: diverged('limit.iterations', 3),
  },
  {
    name: 'ralph to its maximum',
    files,
    agent: 'echo "step $n" >> work.txt',
    flags: [...steps(20), '--strategy', 'ralph,max=4'],
    expect: diverged('limit.iterations', 4),
  },
  {
    name: 'wall clock while a gate hangs in the baseline',
    agent: 'true',
    flags: ['--gate', 'sleep 600; false', '--max-wall-clock', '2s'],
    expect: diverged('limit.wall-clock', 0),
  },
];
