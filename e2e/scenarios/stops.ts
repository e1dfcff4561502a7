import {
  diverged,
  files,
  killedAndResumed,
  signalled,
  steps,
  stoppedByCommand,
  type Scenario,
} from './scenario.ts';

/** Endings that come from outside. */
export const stops: Scenario[] = [
  {
    name: 'kill -9 and resume: the count is exact',
    files,
    agent:
      'echo run >> ../runs.txt; echo "x$n" >> draft.txt; echo "step $n" >> work.txt; [ $n -eq 3 ] && [ ! -f ../killed ] && { touch ../killed; sleep 600; }; true',
    flags: [...steps(20), '--max-iterations', '6'],
    use: killedAndResumed,
    expect: diverged('limit.iterations', 6),
  },
  {
    name: 'SIGTERM',
    files,
    agent: 'sleep 600',
    flags: steps(2),
    use: signalled('SIGTERM'),
    expect: { status: 'stopped', code: 'user.stop', iterations: 1, exit: 130 },
  },
  {
    name: 'SIGINT',
    files,
    agent: 'sleep 600',
    flags: steps(2),
    use: signalled('SIGINT'),
    expect: { status: 'stopped', code: 'user.stop', iterations: 1, exit: 130 },
  },
  {
    name: 'agentgate stop',
    files,
    agent: 'sleep 600',
    flags: steps(2),
    use: stoppedByCommand('"agent.started"'),
    expect: { status: 'stopped', code: 'user.stop', iterations: 1, exit: 3 },
  },
  {
    name: 'the workspace is deleted',
    files,
    agent: 'cd ..; rm -rf work',
    flags: steps(2),
    expect: { status: 'error', code: 'error.workspace', iterations: 1, exit: 4 },
  },
  {
    name: 'agentgate stop while a gate is pending',
    agent: 'touch a.txt',
    flags: ['--gate', 'ci=test -f a.txt || exit 1; echo "retry-after: 600"; exit 75'],
    use: stoppedByCommand('"wait"'),
    expect: { status: 'stopped', code: 'user.stop', iterations: 1, exit: 3 },
  },
];
