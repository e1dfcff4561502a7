// Every test that docs/requirements.md names must exist and must have run: a renamed test takes its line with it.
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { root } from './setup.mjs';

/** Short names that are not those of their file. */
const files = {
  verdicts: 'e2e/verdicts.test.ts',
  command: 'e2e/command.test.ts',
  'command-gate': 'gates/command.test.ts',
};

/** The citations that no test of the report answers to. */
export function unknownCitations(report) {
  const text = readFileSync(join(root, 'docs', 'requirements.md'), 'utf8');
  const cited = [...text.matchAll(/`([a-z][a-z.-]*): ([^`]+)`/g)].map(([, short, name]) => ({ short, name }));
  const names = namesByFile(report);
  const shorts = new Set([
    'verdicts',
    'command-gate',
    ...names.map(({ file }) => basename(file, '.test.ts')),
  ]);
  return cited
    .filter(({ short, name }) => shorts.has(short) && !isKnown(names, short, name))
    .map(({ short, name }) => `${short}: ${name}`);
}

function namesByFile(report) {
  return report.testResults.map(({ name, assertionResults }) => ({
    file: name,
    titles: new Set(assertionResults.flatMap(({ title, ancestorTitles }) => [title, ...ancestorTitles])),
  }));
}

function isKnown(names, short, name) {
  const wanted = files[short] ?? `${short}.test.ts`;
  const fits = ({ file }) => (wanted.includes('/') ? file.endsWith(wanted) : basename(file) === wanted);
  return names.some((one) => fits(one) && one.titles.has(name));
}
