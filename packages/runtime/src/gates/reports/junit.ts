import type { Finding } from '@agentgate/core';
import { isFile, numbered, projectPlace, tell, testId } from './identity.ts';
import { type Case, readCases } from './junit-cases.ts';
import type { Reader, Report } from './report.ts';

/** Reads JUnit XML as Node, Vitest, pytest, Jest and Maven write it. Cases are counted, attributes are not believed. */
export const readJunit: Reader = (text) => {
  const xml = extract(text);
  if (xml === undefined) return { kind: 'absent', problem: 'there is no JUnit report in the output' };
  const { cases, problem } = readCases(xml);
  const failed = cases.filter((one) => one.problem !== undefined && !one.skipped);
  const skipped = cases.filter((one) => one.skipped).length;
  const tests = { passed: cases.length - failed.length - skipped, failed: failed.length, skipped };
  const report: Report = { kind: 'read', findings: numbered(failed.map(findingOf)), tests, complete: true };
  return problem === undefined ? report : { ...report, complete: false, problem };
};

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

function findingOf(one: Case): Finding {
  const file = [one.file, ...one.suites, one.className, one.name].find(
    (name) => name !== undefined && isFile(name),
  );
  const names = [...one.suites, one.className, one.name]
    .filter((name) => name !== undefined && name !== '' && name !== file)
    // Node calls every class `test`, and pytest its one suite `pytest`.
    .filter((name) => name === one.name || (name !== 'pytest' && name !== 'test'))
    .filter((name, index, all) => name !== all[index - 1])
    .map(String);
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
  if (one.name === file || couldNotLoad(one)) finding.load = true;
  return finding;
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
