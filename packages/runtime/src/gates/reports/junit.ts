import type { Finding, TestCase } from '@agentgate/core';
import { isFile, projectPlace, tell, testId } from './identity.ts';
import { reportTests, type Tested } from './inventory.ts';
import { type Case, readCases } from './junit-cases.ts';
import { noProject, type Project } from './project.ts';
import type { Reader } from './report.ts';

/** Reads JUnit XML as Node, Vitest, pytest, Jest and Maven write it. Cases are counted, attributes are not believed. */
export const readJunit: Reader = (text, project = noProject) => {
  const xml = extract(text);
  if (xml === undefined) return { kind: 'absent', problem: 'there is no JUnit report in the output' };
  const { cases, counted, problem } = readCases(xml);
  const tested = cases.map((one) => ({ finding: findingOf(one, project), status: statusOf(one) }));
  return reportTests(tested, problem ?? problemOf(tested, counted));
};

function statusOf({ skipped, problem }: Case): TestCase['status'] {
  if (skipped !== false) return skipped;
  return problem === undefined ? 'passed' : 'failed';
}

// Node counts a failing test that is still to be written among the failures, and it is none.
function problemOf(tested: readonly Tested[], counted: number): string | undefined {
  const passed = tested.filter((one) => one.status === 'passed').length;
  const forgiven = tested.length - passed;
  if (tested.some((one) => one.status === 'failed') || counted <= forgiven) return undefined;
  return `the report counts ${counted} failures and names none`;
}

/** Whether a text is a JUnit report, perhaps below the lines npm prints first. */
export function isJunit(text: string): boolean {
  return /^(?:\s|> .*\n)*<(?:\?xml|testsuite)/.test(text) && /<testsuites?[\s/>]/.test(text);
}

function extract(text: string): string | undefined {
  const start = /^[ \t]*<(?:\?xml[^>]*>\s*<testsuite|testsuite)/m.exec(text);
  if (start === null) return undefined;
  const xml = text.slice(start.index).trimStart();
  const end = /^[\s\S]*<\/testsuites?\s*>/.exec(xml);
  return end === null ? xml : end[0];
}

function findingOf(one: Case, project: Project): Finding {
  const { file, names } = identify(one, project);
  const place = projectPlace(one.problem?.text ?? '');
  const where = place === undefined ? undefined : `at ${place.file}:${place.line}`;
  const message = tell(messageOf(one), where);
  const finding: Finding = {
    id: testId(file, names),
    title: names.length === 0 ? (file ?? 'a suite') : names.join(' > '),
  };
  const at = file ?? place?.file;
  if (at !== undefined) finding.file = at;
  if (place !== undefined && place.file === at) finding.line = place.line;
  if (message !== undefined) finding.message = message;
  const isFileItself = one.name === file || (file !== undefined && names.length === 0);
  if (isFileItself || couldNotLoad(one)) finding.load = true;
  return finding;
}

function identify(one: Case, project: Project): { file: string | undefined; names: string[] } {
  const module = one.file === undefined ? moduleOf(one, project) : undefined;
  if (module !== undefined) return module;
  const file = [one.file, ...one.suites, one.className, one.name].find(
    (name) => name !== undefined && isFile(name),
  );
  const names = [...one.suites, one.className, one.name]
    .filter((name) => name !== undefined && name !== '' && name !== file)
    // Node calls every class `test`, and pytest its one suite `pytest`.
    .filter((name) => name === one.name || (name !== 'pytest' && name !== 'test'))
    .filter((name, index, all) => name !== all[index - 1])
    .map(String);
  return { file, names };
}

/** Pytest writes `tests.test_math.TestAdd` for a class in tests/test_math.py; the file is known where it exists. */
function moduleOf({ className, name }: Case, project: Project): ReturnType<typeof identify> | undefined {
  const isModule = className === undefined || className === '';
  const dotted = isModule ? name : className;
  if (dotted.length > 500 || !/^[\w-]+(?:\.[\w-]+)*$/.test(dotted)) return undefined;
  const parts = dotted.split('.');
  for (let length = parts.length; length > 0; length--) {
    const file = `${parts.slice(0, length).join('/')}.py`;
    if (project.has(file)) return { file, names: [...parts.slice(length), ...(isModule ? [] : [name])] };
  }
  return undefined;
}

// A test that throws an import error of its own has loaded; only an <error> outside of set-up has not.
function couldNotLoad({ problem }: Case): boolean {
  if (problem === undefined || problem.kind !== 'error') return false;
  const message = problem.message ?? '';
  if (/^(?:failed on (?:setup|teardown)|test (?:setup|teardown))/i.test(message)) return false;
  return /collection failure|ImportError|ModuleNotFoundError|SyntaxError|Cannot find module|ERR_MODULE_NOT_FOUND|NoClassDefFoundError|initializationError|Test suite failed to run/.test(
    `${message}\n${problem.type ?? ''}\n${problem.text}`,
  );
}

// Of a file that it could not collect pytest says so and no more; the error stands in the text.
function messageOf({ problem }: Case): string | undefined {
  const thrown = /^E\s+(\w*(?:Error|Exception)\b.*)$/m.exec(problem?.text ?? '')?.[1];
  if (problem?.message === 'collection failure' && thrown !== undefined) return thrown;
  return problem?.message ?? problem?.text.split('\n').find((line) => line.trim() !== '');
}
