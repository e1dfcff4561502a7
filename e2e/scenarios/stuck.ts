import { atOnce, diverged, files, steps, withSpec, type Scenario } from './scenario.ts';

/** Ways of getting nowhere, each named exactly. */
export const stuck: Scenario[] = [
  {
    name: 'silent no-op',
    files,
    agent: ':',
    flags: [...steps(2), ...atOnce],
    expect: diverged('no-progress.no-changes', 2),
  },
  {
    name: 'A/B oscillation',
    agent: 'if [ $((n % 2)) -eq 1 ]; then echo A > x; else echo B > x; fi',
    flags: ['--gate', 'grep -q C x', ...atOnce],
    expect: diverged('loop.oscillation', 4),
  },
  {
    name: 'A/B/C oscillation',
    agent: 'case $((n % 3)) in 1) echo A > x;; 2) echo B > x;; 0) echo C > x;; esac',
    flags: ['--gate', 'grep -q D x', ...atOnce],
    expect: diverged('loop.oscillation', 6),
  },
  {
    name: 'A/B/C oscillation under ralph',
    agent: 'case $((n % 3)) in 1) echo A > x;; 2) echo B > x;; 0) echo C > x;; esac',
    flags: ['--gate', 'grep -q D x', '--strategy', 'ralph', ...atOnce],
    expect: diverged('loop.oscillation', 6),
  },
  {
    name: 'the same tree again',
    files,
    agent: 'echo "step 9" > work.txt',
    flags: [...steps(2), ...atOnce],
    expect: diverged('loop.snapshot-repeat', 3),
  },
  {
    name: 'worsening, in plain words',
    files: {
      'gate.sh': 'i=0; while [ $i -le $(cat n) ]; do echo "FAIL: case $i"; i=$((i+1)); done; exit 1',
      n: '2',
    },
    agent: 'echo $((n + 2)) > n',
    flags: ['--gate', 'sh gate.sh', ...atOnce],
    expect: diverged('no-progress.divergence', 3),
  },
  {
    name: 'renaming a failing test each time',
    files: {
      'gate.sh':
        'echo "TAP version 13"; echo "ok 1 - base"; echo "not ok 2 - a"; echo "not ok 3 - s$(cat s)"; echo 1..3; exit 1',
      s: '0',
    },
    agent: 'echo "v$n" > s; echo "let q$n = $n" >> code.js',
    flags: ['--gate', 'sh gate.sh', ...atOnce],
    expect: diverged('strategy.no-progress', 6),
  },
  {
    name: 'worsening',
    files: { ...files, 'work.txt': 'step 1\nstep 2\nstep 3\nstep 4\nstep 5\n' },
    agent: 'sed -i "/step $n$/d" work.txt',
    flags: [...steps(6), ...atOnce],
    expect: diverged('no-progress.divergence', 3),
  },
  {
    name: 'churn: new code each time, the same failures',
    files,
    agent: 'echo "export const v$n = $n$n;" > code$n.js',
    flags: [...steps(3), ...atOnce],
    expect: diverged('loop.failure-set-repeat', 3),
  },
  {
    name: 'churn with changing words',
    files: { ...files, 'gate.sh': 'echo "FAIL: one $(cat c)"; echo "FAIL: two"; exit 1', c: '' },
    agent: 'echo "export const v = $n;" > code.js; echo "word" >> c',
    flags: ['--gate', 'cat c; node suite.mjs 3', ...atOnce],
    expect: diverged('loop.failure-set-repeat', 5),
  },
  {
    name: 'cosmetic edits',
    files: { ...files, 'a.js': 'let a = 1;\n' },
    agent: 'echo "// note $n" >> a.js; echo "" >> a.js',
    flags: [...steps(2), ...atOnce],
    expect: diverged('loop.failure-set-repeat', 3),
  },
  {
    name: 'near-identical outputs',
    files,
    agent:
      'echo "export const v = $n;" > code.js; i=0; while [ $i -lt 60 ]; do echo "looking at file number $i of the project and thinking hard about it"; i=$((i+1)); done; echo "this was turn $n"',
    flags: ['--gate', 'cat code.js; node suite.mjs 3', ...atOnce],
    expect: diverged('loop.output-similarity', 3),
  },
  {
    name: 'near-identical outputs, by plain Jaccard',
    files,
    agent:
      'echo "export const v = $n;" > code.js; echo "the same few words as ever and ever again in turn one two three four five"',
    flags: [],
    use: withSpec(
      'gates: { tests: { run: "cat code.js; node suite.mjs 3" } }\ndetectors: { output-similarity: { measure: jaccard } }\nstuck: off\n',
    ),
    expect: diverged('loop.output-similarity', 3),
  },
];
