// `npm run mutate` changes the core in thousands of small ways, and counts the changes that no test notices.
// `npm run mutate -- packages/core/src/decide.ts` does so for a part, and shows what went unnoticed. A file that was
// measured with these very sources is not measured again, so a run that was cut short goes on where it was.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { countsOf, readSummary, scoreOf, showCounts, writeSummary } from './mutation-summary.mjs';
import { root, setUp } from './setup.mjs';

const least = 80;
const core = 'packages/core/src';
const reports = join(root, '.cache', 'mutation');

setUp({ quiet: true });
const everything = readdirSync(join(root, core), { recursive: true })
  .filter((path) => path.endsWith('.ts'))
  .sort();
const mutable = everything.filter(
  (path) => !/\.test\.ts$|(^|\/)(index|testing)\.ts$|^(testing|golden)\//.test(path) && doesSomething(path),
);
const asked = process.argv.slice(2).map((path) => relative(join(root, core), resolve(path)));
const unknown = asked.filter((path) => !mutable.includes(path));
if (unknown.length > 0) {
  console.error(
    `not a source file of ${core} that is measured: ${unknown.map((path) => join(core, path)).join(', ')}`,
  );
  process.exit(2);
}

const sources = hashOf(everything);
for (const path of asked.length > 0 ? asked : mutable) {
  const known = readSummary(mutable).files[path];
  const fresh = known?.sources === sources && existsSync(reportOf(path));
  const { counts, mutants } = fresh ? { counts: known, mutants: readReport(path) } : measure(path);
  console.log(`${path}: ${showCounts(counts)}${fresh ? ' (measured before)' : ''}`);
  if (asked.length > 0) for (const line of unnoticed(path, mutants)) console.log(line);
}

const whole = readSummary(mutable);
console.log(`core: ${showCounts(whole)}; docs/mutation.md has the table`);
if (asked.length === 0 && scoreOf(whole) < least) {
  console.error(`The score is under ${least} %.`);
  process.exit(1);
}

function measure(path) {
  const report = join(reports, 'report.json');
  rmSync(report, { force: true });
  // By the imports no test may lead to a file that tests do reach in other ways, so then all of them are run.
  const why = stryker(path, 'related') && stryker(path, 'all');
  if (why) {
    console.error(`${why}\n${path} could not be measured; are the tests of the core green?`);
    process.exit(1);
  }
  mkdirSync(dirname(reportOf(path)), { recursive: true });
  renameSync(report, reportOf(path));
  const mutants = readReport(path);
  const counts = countsOf(mutants);
  writeSummary(mutable, path, { ...counts, sources });
  return { counts, mutants };
}

/** Measures one file into the report. Answers what went wrong, or null. */
function stryker(path, tests) {
  const bin = join(root, 'node_modules', '.bin', 'stryker');
  const { status, stderr } = spawnSync(bin, ['run', 'stryker.config.mjs', '--mutate', `${core}/${path}`], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'pipe'],
    encoding: 'utf8',
    env: { ...process.env, MUTATE_TESTS: tests },
  });
  return status === 0 ? null : stderr || `Stryker ended with ${status}`;
}

/** A file of types alone has nothing to change. */
function doesSomething(path) {
  return /^(export )?(default |async )?(const|let|function|class)\b/m.test(
    readFileSync(join(root, core, path), 'utf8'),
  );
}

function reportOf(path) {
  return join(reports, `${path}.json`);
}

function readReport(path) {
  const { files } = JSON.parse(readFileSync(reportOf(path), 'utf8'));
  return Object.values(files).flatMap(({ mutants }) => mutants);
}

/** The changes that no test noticed, as a reader of the file finds them. */
function unnoticed(path, mutants) {
  const lines = readFileSync(join(root, core, path), 'utf8').split('\n');
  return mutants
    .filter(({ status }) => status === 'Survived' || status === 'NoCoverage')
    .map(({ status, location: { start, end }, replacement }) => {
      const last = start.line === end.line ? end.column - 1 : undefined;
      const was = `${lines[start.line - 1].slice(start.column - 1, last)}${last === undefined ? ' …' : ''}`;
      const what = status === 'Survived' ? 'unnoticed' : 'never run';
      return `  ${core}/${path}:${start.line}:${start.column}  ${what}: ${was} → ${replacement.split('\n')[0]}`;
    });
}

function hashOf(paths) {
  const hash = createHash('sha256');
  for (const path of paths) hash.update(path).update(readFileSync(join(root, core, path)));
  return hash.digest('hex').slice(0, 16);
}
