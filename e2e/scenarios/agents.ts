import { agentgate } from '../support/command.ts';
import { diverged, files, ok, steps, type Scenario } from './scenario.ts';

/** Agents that misbehave. */
export const agents: Scenario[] = [
  {
    name: 'hang that ignores TERM',
    files,
    agent: 'trap "" TERM; sleep 600 & wait; sleep 600',
    flags: [...steps(2), '--max-wall-clock', '2s'],
    expect: diverged('limit.wall-clock', 1),
  },
  {
    name: 'crash, every time',
    files,
    agent: 'kill -9 $$',
    flags: steps(2),
    expect: diverged('strategy.agent-fails', 5),
  },
  {
    name: 'flood of 64 MB',
    files,
    agent: 'head -c 64000000 /dev/zero | tr "\\0" "x"; echo "step 1" > work.txt',
    flags: steps(1),
    expect: ok(1),
  },
  {
    name: 'orphan that keeps writing',
    files,
    agent:
      'echo "step $n" >> work.txt; setsid sh -c "while :; do date +%N > noise.txt; done" > /dev/null 2>&1 & true',
    flags: [...steps(1), '--gate', 'sleep 0.3'],
    expect: ok(1),
  },
  {
    name: 'outcome file is a pipe',
    files,
    agent: 'echo "step 1" > work.txt; rm -f "$AGENTGATE_OUTCOME_FILE"; mkfifo "$AGENTGATE_OUTCOME_FILE"',
    flags: steps(1),
    expect: ok(1),
  },
  {
    name: 'a daemon without environment',
    agent:
      'echo good > v; env -i /usr/bin/setsid -f /bin/sh -c "sleep 0.7; echo bad > v" > /dev/null 2>&1 < /dev/null',
    flags: ['--gate', 'grep -q good v; r=$?; sleep 1; exit $r'],
    expect: ok(1),
  },
  {
    name: 'agent program missing behind a shell',
    agent: 'exit 1',
    flags: ['--gate', 'false', '--agent', 'exec no-such-agent -p'],
    use: (place) =>
      agentgate(place, 'run', '--json', '-p', 'x', '--gate', 'false', '--agent', 'exec no-such-agent -p'),
    expect: { status: 'error', code: 'error.build', iterations: 1, exit: 4 },
  },
];
