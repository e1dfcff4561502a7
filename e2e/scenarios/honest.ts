import { files, inRepository, ok, steps, type Scenario } from './scenario.ts';

/** Work that is done, however slowly. */
export const honest: Scenario[] = [
  {
    name: 'untracked-only work in a repository',
    files,
    agent: 'echo "step $n" >> work.txt',
    flags: steps(5),
    use: inRepository,
    expect: ok(5),
  },
  {
    name: 'honest, one finding per turn',
    files,
    agent: 'echo "step $n" >> work.txt; echo "did step $n"',
    flags: steps(12),
    expect: ok(12),
  },
  {
    name: 'slow, with plateaus',
    files: {
      ...files,
      'gate.sh':
        'n=$(grep -c step work.txt); w=$(tail -1 noise.txt 2>/dev/null)\n[ "$n" -ge 4 ] && exit 0\nfor i in 1 2 3 4; do [ "$i" -gt "$n" ] && echo "FAIL: step $i"; done\necho "FAIL: wandering $w"; exit 1',
      'work.txt': '',
    },
    agent: 'echo "$n" >> noise.txt; [ $((n % 4)) -eq 0 ] && echo "step $((n / 4))" >> work.txt; true',
    flags: ['--gate', 'sh gate.sh'],
    expect: ok(16),
  },
  {
    name: 'late binary gate',
    agent: 'echo "line $n" >> draft.txt; [ $n -lt 14 ] || touch done.txt',
    flags: ['--gate', 'test -f done.txt'],
    expect: ok(14),
  },
  {
    name: 'late binary gate with the same words',
    agent: 'echo "line $n" >> draft.txt; [ $n -lt 14 ] || touch done.txt',
    flags: ['--gate', 'test -f done.txt || { echo "Error: not there yet"; exit 1; }'],
    expect: ok(14),
  },
  {
    name: 'late binary gate under ralph',
    agent: 'echo "line $n" >> draft.txt; [ $n -lt 14 ] || touch done.txt',
    flags: ['--gate', 'test -f done.txt', '--strategy', 'ralph,max=20'],
    expect: ok(14),
  },
  {
    name: 'unmasking: a file that cannot load hides its failures',
    files: {
      'm.test.mjs':
        "import test from 'node:test';\nimport { a, b, c } from './m.mjs';\ntest('a', () => a());\ntest('b', () => b());\ntest('c', () => c());\n",
      'm.mjs': 'export function a() { throw new Error("a") }}}\n',
    },
    agent: `case $n in
  1) printf 'const no = (x) => { throw new Error(x) };\\nexport const a = () => no(1), b = () => no(2), c = () => no(3);\\n' > m.mjs ;;
  2) sed -i 's/a = () => no(1)/a = () => 1/' m.mjs ;;
  3) sed -i 's/b = () => no(2)/b = () => 2/' m.mjs ;;
  4) sed -i 's/c = () => no(3)/c = () => 3/' m.mjs ;;
esac`,
    flags: ['--gate', 'node --test --test-reporter=tap'],
    expect: ok(4),
  },
  {
    name: 'crash once, then fix',
    files,
    agent: '[ $n -eq 1 ] && exit 1; echo "step 1" > work.txt',
    flags: steps(1),
    expect: ok(2),
  },
  {
    name: 'good work, wrong exit code',
    files,
    agent: 'echo "step 1" > work.txt; exit 3',
    flags: steps(1),
    expect: ok(2),
  },
  {
    name: 'red before, only new findings count',
    files: {
      ...files,
      'agentgate.yaml':
        'task: add step 3\nagent: { run: [sh, ../agent.sh] }\ngates:\n  old: { run: node suite.mjs 2, report: tap, baseline: no-new }\n  new: test -f new.txt\n',
    },
    agent: 'touch new.txt',
    flags: [],
    expect: ok(1),
  },
  {
    name: 'green before: the agent runs once',
    files,
    agent: 'echo hello > note.txt',
    flags: ['--gate', 'true'],
    expect: ok(1),
  },
];
