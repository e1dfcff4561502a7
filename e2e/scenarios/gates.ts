import { diverged, files, ok, steps, withSpec, type Scenario } from './scenario.ts';

/** Gates that are hard to read. */
export const gates: Scenario[] = [
  {
    name: 'only the soft gate fails',
    files,
    agent: 'echo "step $n" > work.txt',
    flags: [...steps(1), '--soft-gate', 'lint=exit 1', '--max-iterations', '1'],
    expect: { status: 'converged', code: 'goal.hard-only', iterations: 1, exit: 0 },
  },
  {
    name: 'wrong exit code: 0 although tests fail',
    files,
    agent: 'echo "step $n" >> work.txt',
    flags: ['--gate', 'tests=node suite.mjs 2 || true'],
    expect: ok(2),
  },
  {
    name: 'wrong exit code: 1 although tests pass',
    files,
    agent: 'echo "step 1" > work.txt; echo "v$n" > v.txt',
    flags: ['--gate', 'tests=node suite.mjs 1; exit 1', '--max-iterations', '2'],
    expect: diverged('limit.iterations', 2),
  },
  {
    name: 'a plan of nothing is not a pass',
    files,
    agent: 'echo "v$n" > v.txt',
    flags: ['--gate', 'tests=test -f v.txt || exit 1; echo "1..0 # SKIP none"', '--max-iterations', '2'],
    expect: diverged('limit.iterations', 2),
  },
  {
    name: 'gate script gone behind a shell',
    agent: 'true',
    flags: ['--gate', 'sh no-such-gate.sh'],
    expect: { status: 'error', code: 'error.gate', iterations: 0, exit: 4 },
  },
  {
    name: 'an empty report is not a pass',
    files,
    agent: 'echo "v$n" > v.txt',
    flags: ['--gate', 'tests=printf "TAP version 13\\n1..0\\n"', '--max-iterations', '2'],
    expect: diverged('limit.iterations', 2),
  },
  {
    name: 'gate command missing',
    files,
    agent: 'touch ../ran',
    flags: ['--gate', 'no-such-tool --check'],
    expect: { status: 'error', code: 'error.gate', iterations: 0, exit: 4 },
  },
  {
    name: 'gate hangs',
    files,
    agent: 'echo "v$n" > v.txt',
    flags: [],
    use: withSpec('gates: { slow: { run: sleep 600, timeout: 1s } }\nlimits: { iterations: 2 }\n'),
    expect: diverged('limit.iterations', 2),
  },
  {
    name: 'gate pending, then green',
    files,
    agent: 'echo "step 1" > work.txt',
    flags: [
      '--gate',
      'ci=test -f work.txt || exit 1; test -f ../asked && exit 0; touch ../asked; echo "retry-after: 1"; exit 75',
    ],
    expect: ok(1),
  },
  {
    name: 'gates that write reports',
    files,
    agent: 'echo "step $n" >> work.txt',
    flags: ['--gate', 'tests=mkdir -p out; date +%N > out/report-$$.txt; node suite.mjs 2'],
    expect: ok(2),
  },
  {
    name: 'gate pending for ever',
    agent: 'touch a.txt',
    flags: [],
    use: withSpec(
      'gates: { ci: { run: "test -f a.txt || exit 1; echo retry-after: 1; exit 75" } }\nlimits: { maxWait: 2s }\n',
    ),
    expect: { status: 'suspended', code: 'awaiting-gate', iterations: 1, exit: 3 },
  },
  {
    name: 'a gate undoes the work of the agent',
    files: { list: 'b\na\n' },
    agent: 'echo new >> list',
    flags: [
      '--gate',
      'a=grep -q new list',
      '--gate',
      'b=sed -i /new/d list; sort -o list list',
      '--max-iterations',
      '2',
    ],
    expect: diverged('no-progress.no-changes', 2),
  },
];
