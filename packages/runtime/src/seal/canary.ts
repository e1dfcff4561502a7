import type { Finding, TestCase, TestRunner, Verdict } from '@agentgate/core';

/** A file of tests of ours, put beside one of the project's: some must fail, one must pass. */
export interface Canary {
  path: string;
  content: string;
  /** Part of the name of each of its tests. */
  mark: string;
}

/** How many of a canary's tests must fail: one by the runner's own assertion, one by a plain error. */
const mustFail = 2;

/**
 * A canary beside a test of the project that passes. It loads the code that the other one loads, so that whatever
 * this code does to the runner is done to the canary, too. Null where none can be carried.
 */
export function canaryBeside(runner: TestRunner, file: string, text: string, nonce: string): Canary | null {
  const mark = `agentgate canary ${nonce}`;
  if (runner === 'pytest') return pythonCanary(file, text, nonce);
  const name = /^(?:.*\/)?([^/]+?)((?:[._-](?:test|spec|tests|specs))?\.[cm]?[jt]sx?)$/.exec(file);
  if (!name) return null;
  const path = `${file.slice(0, file.lastIndexOf('/') + 1)}agentgate-canary-${nonce}${name[2]}`;
  const isModule = /^\s*(?:import\b|export\b)/m.test(text);
  const loads = [...text.matchAll(isModule ? imports : requires)].map((match) => match[1] ?? match[2] ?? '');
  const load = (from: string) => (isModule ? `import ${quoted(from)};` : `require(${quoted(from)});`);
  const { get, expectOne } = javascript(runner, isModule);
  return {
    path,
    mark,
    content: [
      ...get,
      ...[...new Set(loads)].map(load),
      `test(${quoted(`${mark} passes`)}, () => {});`,
      `test(${quoted(`${mark} fails`)}, () => { ${expectOne} });`,
      `test(${quoted(`${mark} throws`)}, () => { throw new Error('as it must'); });`,
      '',
    ].join('\n'),
  };
}

const imports = /^\s*(?:import|export)\b[^'"\n;]*?['"](\.{1,2}\/[^'"\n]+)['"]/gm;
const requires = /\brequire\(\s*(?:'(\.{1,2}\/[^'\n]+)'|"(\.{1,2}\/[^"\n]+)")\s*\)/g;
const quoted = (text: string): string => JSON.stringify(text);

/** How a test is declared, and an assertion that must fail. */
function javascript(runner: TestRunner, isModule: boolean): { get: string[]; expectOne: string } {
  const get = (names: string, from: string) =>
    isModule
      ? `import ${names} from ${quoted(from)};`
      : `const ${names.replace(' as ', ': ')} = require(${quoted(from)});`;
  switch (runner) {
    case 'vitest':
      return { get: [get('{ expect, test }', 'vitest')], expectOne: 'expect(1).toBe(2);' };
    case 'node':
      return {
        get: [get('{ test }', 'node:test'), get('{ strictEqual }', 'node:assert')],
        expectOne: 'strictEqual(1, 2);',
      };
    case 'mocha':
      return {
        get: [get('{ strictEqual }', 'node:assert'), 'const test = it;'],
        expectOne: 'strictEqual(1, 2);',
      };
    default:
      return { get: [], expectOne: 'expect(1).toBe(2);' };
  }
}

/** The name of a test of this file that is among the findings. */
export function redIn(file: string, findings: readonly Finding[]): string | undefined {
  const stem = file.replace(/\.py$/, '');
  const names = [file, stem.replaceAll('/', '.')];
  const red = findings.find(({ id }) =>
    names.some((name) => id.includes(`${name} >`) || id.includes(`${name}.`)),
  );
  return red === undefined ? undefined : /(\w+)(?:\[.*\])?(?: #\d+)?$/.exec(red.id)?.[1];
}

/**
 * A canary among the tests that were red, called like one of them: whoever turned those green, and no others, has
 * turned the canary as well.
 */
export function canaryWithin(file: string, text: string, nonce: string, red: string): Canary {
  const mark = `agentgate_canary_${nonce}`;
  const name = red.startsWith('test') ? `${red}_${mark}` : `test_${mark}`;
  return { path: file, mark, content: `${text.replace(/\n*$/, '\n')}${pythonTests(name).join('\n')}` };
}

function pythonCanary(file: string, text: string, nonce: string): Canary | null {
  if (!/(?:^|\/)(?:test_[^/]*|[^/]*_test)\.py$/.test(file)) return null;
  const loads = [...text.matchAll(/^(?:from\s+[\w.]+\s+import\s+[\w, *]+|import\s+[\w., ]+)$/gm)].map(
    (one) => one[0],
  );
  const mark = `agentgate_canary_${nonce}`;
  return {
    path: `${file.slice(0, file.lastIndexOf('/') + 1)}test_${mark}.py`,
    mark,
    content: [...loads, ...pythonTests(`test_${mark}`)].join('\n'),
  };
}

const pythonTests = (name: string): string[] => [
  '',
  `def ${name}_passes():`,
  '    assert 1 == 1',
  '',
  `def ${name}_fails():`,
  '    assert 1 == 2',
  '',
  `def ${name}_throws():`,
  "    raise RuntimeError('as it must')",
  '',
];

/** What a judgement with a canary in it says without it; `uncarried` where the runner never ran the canary. */
export function withoutCanary(
  verdict: Verdict,
  cases: readonly TestCase[] | undefined,
  { mark }: Canary,
): Verdict | 'uncarried' {
  if (verdict.kind !== 'passed' && verdict.kind !== 'failed') return verdict;
  const mine = (cases ?? []).filter((one) => one.id.includes(mark));
  const found = verdict.kind === 'failed' ? verdict.findings : [];
  if (mine.length === 0 && !found.some((one) => one.id.includes(mark))) return 'uncarried';
  const failed = mine.filter((one) => one.status === 'failed').length;
  const passed = mine.filter((one) => one.status === 'passed').length;
  const others = found.filter((one) => !one.id.includes(mark) && !isExit(one));
  if (verdict.kind === 'failed' && failed === mustFail && passed === 1) {
    if (others.length > 0) return { ...verdict, findings: others };
    const { tests } = verdict;
    if (!tests) return { kind: 'passed' };
    const counts = { ...tests, passed: tests.passed - 1, failed: tests.failed - mustFail };
    return { kind: 'passed', tests: counts };
  }
  const told = `of ${mustFail} tests that must fail ${failed} did, of one that must pass ${passed}`;
  const broken: Finding = {
    id: 'integrity:canary',
    title: 'the runner does not tell the truth about tests that must fail',
    message: `${told}${verdict.kind === 'passed' ? ', and the command said that all is well' : ''}`,
  };
  return { kind: 'failed', findings: [broken, ...others], excerpt: broken.message ?? '' };
}

/** The exit code that stands for failures is ours, too, while a canary fails. */
const isExit = ({ id, synthetic }: Finding): boolean => synthetic === true && id.startsWith('exit:');
